/** The published client. All tests of client/dist are in this file, so that it is built once. */
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { operations, readBundle } from '../../contract/src/model.ts';
import { operationSamples } from '../../scripts/artifacts/samples/samples.ts';
import { ROOT, run } from '../../scripts/tools/process.ts';
import { afterwards } from '../gateway/harness.ts';
import { launchBrowser, openPage } from '../tools/browser.ts';
import { testPackage } from './checks.ts';
import { BUNDLERS, PAGE_TITLE, servePage } from './client/browser.ts';
import { type ListeningGateway, listenGateway } from './client/gateway.ts';
import { compile } from './compile.ts';
import { installTarball, listPackages, type Packed, packWorkspace } from './install.ts';
import { nodesOnPath } from './nodes.ts';

const CLIENT = join(ROOT, 'client');
const README = await readFile(join(CLIENT, 'README.md'), 'utf8');
const ROOT_README = await readFile(join(ROOT, 'README.md'), 'utf8');
/** Compilers and environments of its users. */
const COMPILERS = [
  { compiler: 'typescript', lib: ['ES2022', 'DOM', 'DOM.Iterable'] },
  { compiler: 'typescript7', lib: ['ES2022', 'DOM', 'DOM.Iterable'] },
  { compiler: 'typescript7', lib: ['ES2022'] },
];
/**
 * Maximum bytes after bundling and gzip. openapi-fetch accounts for 2,598 of the core, which leaves 3,500 for the
 * client.
 */
const SIZES: [string, number, string][] = [
  ['the core', 6_100, "export { createPaymentsClient } from 'payments-client'"],
  ['the verification of webhooks', 2_560, "export { verifyWebhook } from 'payments-client/webhooks'"],
  [
    'the core with waiting',
    6_550,
    "export { createPaymentsClient, waitForPayment, waitForPayout } from 'payments-client'",
  ],
  ['everything of the client', 13_500, "export * from 'payments-client'"],
  ['everything for webhooks', 3_900, "export * from 'payments-client/webhooks'"],
  [
    'an import that is not used',
    60,
    "import 'payments-client'; import 'payments-client/webhooks'; import 'payments-client/testing'",
  ],
];
/** The README's table: source, names, and standalone size. */
const STATED = [...README.matchAll(/^\| `(payments-client\S*)` \| (everything|`[\w`, ]+`) \| ([\d.]+) kB \|$/gm)];

let packed: Packed;
let project: string;

beforeAll(async () => {
  packed = await packWorkspace('client');
  project = await installTarball('client', packed);
}, 120_000);

describe('the package', () => {
  it('holds only the built files, recipes and documents', () => {
    expect(packed.files).toEqual(expect.arrayContaining(['API.md', 'LICENSE', 'README.md', 'recipes/hono.ts']));
    const expected = /^(dist\/[\w-]+(\.d\.ts|\.js)|recipes\/\w+\.ts|(API|README)\.md|LICENSE|package\.json)$/;
    expect(packed.files.filter((file) => !expected.test(file))).toEqual([]);
  });

  it("has declarations that don't depend on openapi-fetch", async () => {
    const declarations = packed.files.filter((file) => file.endsWith('.d.ts'));
    for (const file of declarations) {
      expect(await readFile(join(project, 'node_modules/payments-client', file), 'utf8')).not.toMatch(
        /openapi-(fetch|typescript)/,
      );
    }
  });

  testPackage('client', () => packed);

  it('depends only on openapi-fetch and its dependencies', async () => {
    expect(await listPackages(project)).toEqual(['openapi-fetch', 'openapi-typescript-helpers', 'payments-client']);
  });

  it.each(SIZES)('%s takes at most %d bytes', async (_name, max, contents) => {
    expect(await bundledSize(contents)).toBeLessThanOrEqual(max);
  });

  it("has the sizes in the README's table", async () => {
    expect(STATED).toHaveLength(17);
    for (const [row, from, what = '', stated] of STATED) {
      const names = what === 'everything' ? '*' : `{ ${what.replaceAll('`', '')} }`;
      const size = await bundledSize(`export ${names} from '${from}'`);
      expect(Math.abs(size / 1_024 - Number(stated)), row).toBeLessThan(0.1);
    }
  });

  async function bundledSize(contents: string): Promise<number> {
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: project },
      bundle: true,
      minify: true,
      write: false,
      format: 'esm',
      logLevel: 'error',
    });
    return gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
  }
});

describe('an empty project', () => {
  let gateway: ListeningGateway;
  beforeAll(async () => {
    gateway = await listenGateway();
    const consumer = await readFile(new URL('./client/consumer.ts.txt', import.meta.url), 'utf8');
    await writeFile(join(project, 'consumer.ts'), consumer);
    await writeFile(join(project, 'readme.ts'), example(README));
    await writeFile(join(project, 'integrate.ts'), example(ROOT_README));
    const api = await readFile(join(CLIENT, 'API.md'), 'utf8');
    for (const [index, program] of programs(api.slice(api.indexOf('## `payments-client/testing`')))
      .slice(0, 2)
      .entries())
      await writeFile(join(project, `api-${index}.ts`), program);
    await copyFile(join(CLIENT, 'recipes/next.ts'), join(project, 'next.ts'));
    const bundle = readBundle();
    for (const operation of operations(bundle)) {
      const sample = operationSamples(bundle, operation).find(({ label }) => label === 'TypeScript');
      await writeFile(join(project, `sample-${operation.id}.ts`), sample?.source ?? '');
    }
  });

  it.each(COMPILERS)(
    'compiles with $compiler and $lib, including declarations and code samples',
    async (compiler) => {
      await compile(project, compiler);
    },
    60_000,
  );

  it('pays, receives a webhook, and pays out on every installed Node', async () => {
    const { baseUrl, key, secret } = gateway;
    for (const [, node] of await nodesOnPath('20.0')) {
      const env = { BASE_URL: baseUrl, API_KEY: key, SECRET: secret };
      const { stdout } = await run(node, ['consumer.js'], { cwd: project, env });
      expect(JSON.parse(stdout)).toEqual({
        confirmed: 'VERIFYING',
        paid: '₹499.00',
        events: expect.arrayContaining(['payment SUCCESS new']),
        declined: true,
      });
    }
  }, 30_000);

  it("runs the repository's example on the payment of its previous call", async () => {
    const body = /-d '(.*)'/.exec(ROOT_README)?.[1] ?? '';
    const headers = { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' };
    const made = await fetch(`${gateway.baseUrl}/payments`, { method: 'POST', headers, body });
    expect(made.status).toBe(200);
    const { stdout } = await run(process.execPath, ['integrate.js'], { cwd: project });
    expect(stdout).toMatch(/^[A-Z_]+\n$/);
  });

  /** The first example of a document, sent to this test's gateway with the demo merchant of `npm start`. */
  function example(document: string): string {
    const program = firstProgram(document);
    expect(program).toContain(`'http://localhost:4000'`);
    expect(program).toContain(`'${gateway.key}'`);
    return program.replace('http://localhost:4000', gateway.baseUrl);
  }
});

function firstProgram(document: string): string {
  return programs(document)[0] ?? '';
}

function programs(document: string): string[] {
  return [...document.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, program = '']) => program);
}

describe('a page', () => {
  it.each(Object.entries(BUNDLERS))('runs the bundle of %s', async (_name, bundle) => {
    const url = await servePage(await bundle(project));
    const browser = await launchBrowser();
    afterwards(() => browser.close());
    const { page } = await openPage(browser, url);
    await page.waitForFunction("document.title !== 'waiting'");
    expect(await page.title()).toBe(PAGE_TITLE);
  });
});
