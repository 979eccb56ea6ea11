import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT, run } from '../../../scripts/tools/process.ts';
import { temporaryFolder, writeFiles } from '../../tools/temporary.ts';

/** Each has one misspelled word, in a different place. */
const MISSPELLED = {
  'sentence.md': 'Send the requst again.\n',
  'comment.ts': '// Sends the requst again.\nexport {};\n',
  'string.ts': "export const a = 'The requst failed.';\n",
  'identifier.ts': 'export const sendRequst = 1;\n',
  'description.yaml': 'description: The requst failed.\n',
};

it('a misspelled word is found in sentences, comments, strings, identifiers and YAML', async () => {
  const folder = await temporaryFolder('prose');
  await writeFiles(folder, MISSPELLED);
  const config = ['--config', 'cspell.json', '--root', folder, '--no-gitignore'];
  const args = ['lint', '--no-progress', '--no-summary', '--no-color', ...config, folder];
  const { code, stdout } = await run(process.execPath, [join(ROOT, 'node_modules/cspell/bin.mjs'), ...args], {
    allowFailure: true,
  });
  expect(code).toBe(1);
  const found = stdout.matchAll(/([\w.]+):\d+:\d+ - Unknown word \(requst\)/gi);
  expect([...found].map(([, name]) => name).toSorted()).toEqual(Object.keys(MISSPELLED).toSorted());
});
