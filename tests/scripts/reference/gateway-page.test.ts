/** The sources of a gateway's site, which is built again when one of them has changed. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { siteSources } from '../../../scripts/reference/gateway-page.ts';
import { ROOT } from '../../../scripts/tools/process.ts';

it('include the document, the makers of pages, and all that the scripts of the pages import', async () => {
  const sources = await siteSources();
  const expected = [
    ...['generated/openapi.json', 'CHANGELOG.md', 'scripts/reference/site.ts', 'scripts/reference/print.css'],
    ...['curl', 'python', 'typescript', 'call'].map((name) => `scripts/artifacts/samples/${name}.ts`),
    ...['contract/src/webhook-signature.ts', 'generated/validators.js'],
  ];
  expect(sources).toEqual(expect.arrayContaining(expected.map((path) => join(ROOT, path))));
  expect(sources.filter((file) => !existsSync(file))).toEqual([]);
});
