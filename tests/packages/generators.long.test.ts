/** Runs popular code generators on the generators' document, installed from the registry as by users. */
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Bundle, operations, webhooks } from '../../contract/src/model.ts';
import { ROOT, run } from '../../scripts/tools/process.ts';
import { temporaryFolder } from '../gateway/harness.ts';
import { npm } from './install.ts';

const PACKAGES = {
  'openapi-zod-client': '1.18.3',
  'swagger-typescript-api': '13.13.0',
  '@hey-api/openapi-ts': '0.99.0',
  orval: '8.38.0',
  '@kubb/core': '4.39.3',
  '@kubb/cli': '4.39.3',
  '@kubb/plugin-oas': '4.39.3',
  '@kubb/plugin-ts': '4.39.3',
  '@kubb/plugin-zod': '4.39.3',
  'openapi-typescript': '7.13.0',
  '@zodios/core': '10.9.6',
  axios: '1.21.1',
  typescript: '5.9.3',
  zod: '3.25.76',
};

const DOCUMENT = 'openapi-generators.json';
const KUBB = `import { defineConfig } from '@kubb/core';
import { pluginOas } from '@kubb/plugin-oas';
import { pluginTs } from '@kubb/plugin-ts';
import { pluginZod } from '@kubb/plugin-zod';
export default defineConfig({ root: '.', input: { path: '${DOCUMENT}' }, output: { path: 'kubb' }, plugins: [pluginOas({ validate: false }), pluginTs(), pluginZod()] });`;
const ORVAL = `export default {
  fetch: { input: '${DOCUMENT}', output: { target: 'orval/fetch.ts', client: 'fetch' } },
  zod: { input: '${DOCUMENT}', output: { target: 'orval/zod.ts', client: 'zod' } },
};`;

/** The command of each generator, with a separate output folder. */
const COMMANDS = [
  `openapi-zod-client ${DOCUMENT} -o zod-client/index.ts --export-schemas`,
  `swagger-typescript-api generate -p ${DOCUMENT} -o swagger -n index.ts`,
  `openapi-ts -i ${DOCUMENT} -o hey -p @hey-api/typescript -p @hey-api/sdk -p zod`,
  'orval --config orval.config.mjs',
  'kubb generate',
  `openapi-typescript ${DOCUMENT} -o types/index.ts`,
];

interface ZodSchema {
  safeParse(value: unknown): { success: boolean };
}

/** Modules with zod schemas, and their names for a schema of the document. */
const ZOD: readonly [file: string, schemaOf: (module: Record<string, unknown>, name: string) => unknown][] = [
  ['zod-client/index', ({ schemas }, name) => (schemas as Record<string, unknown>)[name]],
  ['hey/zod.gen', (module, name) => module[`z${name}`]],
  ['kubb/zod/index', (module, name) => module[`${name.charAt(0).toLowerCase()}${name.slice(1)}Schema`]],
];

let project: string;
beforeAll(async () => {
  project = await temporaryFolder();
  await copyFile(join(ROOT, 'generated', DOCUMENT), join(project, DOCUMENT));
  await writeFile(join(project, 'package.json'), JSON.stringify({ type: 'module', dependencies: PACKAGES }));
  await writeFile(join(project, 'kubb.config.ts'), KUBB);
  await writeFile(join(project, 'orval.config.mjs'), ORVAL);
  for (const folder of ['zod-client', 'types']) await mkdir(join(project, folder));
  await npm('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'], project);
});

describe('code generators', () => {
  it.each(COMMANDS)('generate code: %s', async (command) => {
    await npm('npx', ['--no-install', ...command.split(' ')], project);
  });

  it('write code that compiles strictly', async () => {
    const compilerOptions = {
      ...{ strict: true, noEmit: true, skipLibCheck: true, allowImportingTsExtensions: true, types: [] },
      ...{ target: 'ES2022', module: 'ESNext', moduleResolution: 'bundler', lib: ['ES2022', 'DOM', 'DOM.Iterable'] },
    };
    const include = ['zod-client', 'swagger', 'hey', 'orval', 'kubb', 'types'];
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include }));
    await run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', '.'], { cwd: project });
  });

  it.each(ZOD)('write schemas that accept every example: %s', async (file, schemaOf) => {
    const outfile = join(project, `${file}.mjs`);
    const entryPoints = [join(project, `${file}.ts`)];
    await build({ entryPoints, outfile, bundle: true, platform: 'node', format: 'esm', banner: { js: REQUIRE } });
    const module = await import(pathToFileURL(outfile).href);
    const bodies = listBodies(JSON.parse(await readFile(join(project, DOCUMENT), 'utf8')));
    expect(bodies.length).toBeGreaterThan(100);
    for (const { name, value } of bodies) {
      const schema = schemaOf(module, name) as ZodSchema;
      expect(schema.safeParse(value), `${name} ${JSON.stringify(value)}`).toMatchObject({ success: true });
    }
  });
});

/** Bundled packages are CommonJS. */
const REQUIRE = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

/** The examples of bodies whose schemas have names. */
function listBodies(bundle: Bundle): { name: string; value: unknown }[] {
  const bodies = [...operations(bundle), ...webhooks(bundle)].flatMap(({ request, responses }) => [
    request,
    ...responses.map(({ body }) => body),
  ]);
  return bodies.flatMap((body) => {
    const name = body?.schema.$ref?.split('/').at(-1);
    return name ? (body?.examples ?? []).map(({ value }) => ({ name, value })) : [];
  });
}
