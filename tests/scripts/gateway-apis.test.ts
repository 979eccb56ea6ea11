/** Builds of the files that git ignores, with a generator that writes the number of its runs. */
import { chmod, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildGatewayApis } from '../../scripts/tools/gateway-apis.mjs';
import { afterwards, temporaryFolder } from '../gateway/harness/afterwards.ts';
import { isRoot } from '../tools/server-user.ts';
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
  it('runs once', async () => {
    const { at, countRuns } = await builtRepository();
    await writeFile(at('generated/openapi.json'), '{"openapi":"3.1.0"}');
    expect(await countRuns()).toBe(1);
  });

  it.each([
    'gateway/sandbox/openapi.yaml',
    'openapi/components/schemas/Amount.yaml',
    'package-lock.json',
    'scripts/artifacts/content.ts',
    'generated/sandbox/types.ts',
  ])('runs again after a change of %s', async (file) => {
    const { at, countRuns } = await builtRepository();
    await writeFile(at(file), "export const content = 'other types';");
    expect([await countRuns(), await countRuns()]).toEqual([2, 2]);
  });

  it('runs again if a file is missing', async () => {
    const { at, countRuns } = await builtRepository();
    await rm(at('generated/sandbox'), { recursive: true });
    expect(await countRuns()).toBe(2);
  });

  it.skipIf(isRoot())('runs only if the folder is writable', async () => {
    const { at, countRuns } = await builtRepository();
    await chmod(at('generated'), 0o555);
    expect(await countRuns()).toBe(1);
    await rm(at('generated/sandbox/types.ts'));
    afterwards(() => chmod(at('generated'), 0o755));
    await expect(countRuns()).rejects.toThrow(`this user can't write to ${at('generated')}. Run \`npm run build\``);
  });

  it('reports a failure', async () => {
    const { at, countRuns } = await builtRepository();
    await writeFile(at('scripts/artifacts/content.ts'), "export const content = 'types'; process.exit(3);");
    await expect(countRuns()).rejects.toThrow("generated/management and generated/sandbox can't be built");
  });
});
