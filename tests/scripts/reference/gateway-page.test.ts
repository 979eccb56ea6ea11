/** The sources of a gateway's site, which is rebuilt after a change of them. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { siteSources } from '../../../scripts/reference/gateway-page.ts';
import { ROOT } from '../../../scripts/tools/process.ts';

it("include the document, the page generators, and all imports of the pages' scripts", async () => {
  const sources = await siteSources();
  const expected = [
    ...['generated/openapi.json', 'CHANGELOG.md', 'scripts/reference/site.ts', 'scripts/reference/print.css'],
    ...['curl', 'python', 'typescript', 'call'].map((name) => `scripts/artifacts/samples/${name}.ts`),
    ...['contract/src/webhook-signature.ts', 'generated/validators.js'],
  ];
  expect(sources).toEqual(expect.arrayContaining(expected.map((path) => join(ROOT, path))));
  expect(sources.filter((file) => !existsSync(file))).toEqual([]);
});
