/** Builds of the files that git ignores, with a generator that writes the number of its runs. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildGatewayApis } from '../../scripts/tools/gateway-apis.mjs';
import { temporaryFolder } from '../gateway/harness/afterwards.ts';
import { writeFiles } from '../tools/temporary.ts';

const GENERATOR = `
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { content } from './content.ts';
const file = (path: string) => new URL('../../' + path, import.meta.url);
for (const api of ['management', 'sandbox']) {
  mkdirSync(file('generated/' + api), { recursive: true });
  writeFileSync(file('generated/' + api + '/types.ts'), content);
}
appendFileSync(file('runs'), 'x');
`;

/** Creates a repository whose files are built. */
async function builtRepository() {
  const root = await temporaryFolder();
  await writeFiles(root, {
    'package.json': '{"type":"module"}',
    'package-lock.json': '{}',
    'redocly.yaml': '',
    'openapi/components/schemas/Amount.yaml': 'type: integer',
    'gateway/management/openapi.yaml': '',
    'gateway/sandbox/openapi.yaml': '',
    'generated/openapi.json': '{}',
    'scripts/artifacts/build-gateway-apis.ts': GENERATOR,
    'scripts/artifacts/content.ts': "export const content = 'types';",
  });
  await buildGatewayApis(root);
  const at = (path: string) => join(root, path);
  const countRuns = async () => {
    await buildGatewayApis(root);
    return (await readFile(at('runs'), 'utf8')).length;
  };
  return { root, at, countRuns };
}

describe("a build of the gateway's APIs", () => {
  it.each([
    ['generated/openapi.json', 1],
    ['gateway/sandbox/openapi.yaml', 2],
    ['openapi/components/schemas/Amount.yaml', 2],
    ['package-lock.json', 2],
    ['scripts/artifacts/content.ts', 2],
    ['generated/sandbox/types.ts', 2],
  ])('has run after a change of %s %i times', async (file, runs) => {
    const { at, countRuns } = await builtRepository();
    await writeFile(at(file), "export const content = 'other types';");
    expect([await countRuns(), await countRuns()]).toEqual([runs, runs]);
  });

  it('runs again if a file is missing', async () => {
    const { at, countRuns } = await builtRepository();
    await rm(at('generated/sandbox'), { recursive: true });
    expect(await countRuns()).toBe(2);
  });
});
