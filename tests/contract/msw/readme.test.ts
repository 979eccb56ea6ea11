import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

test("the README's test with MSW is the one that runs here", async () => {
  const readme = await readFile(new URL('../../../contract/README.md', import.meta.url), 'utf8');
  const guide = await readFile(new URL('./guide.test.ts', import.meta.url), 'utf8');
  expect(readme).toContain(`\`\`\`ts\n${guide}\`\`\``);
});
