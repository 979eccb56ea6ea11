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
import { bundlePage, PAGE_TITLE, servePage } from './client/browser.ts';
import { type ListeningGateway, listenGateway } from './client/gateway.ts';
import { compile } from './compile.ts';
import { installTarball, listPackages, type Packed, packWorkspace } from './install.ts';
import { nodesOnPath } from './nodes.ts';

const README = await readFile(join(ROOT, 'client/README.md'), 'utf8');
const ROOT_README = await readFile(join(ROOT, 'README.md'), 'utf8');
/** Compilers and environments of its users. */
const COMPILERS = [
  { compiler: 'typescript', lib: ['ES2022', 'DOM', 'DOM.Iterable'] },
  { compiler: 'typescript7', lib: ['ES2022', 'DOM', 'DOM.Iterable'] },
  { compiler: 'typescript7', lib: ['ES2022'] },
];
/** The README's table: source, names, and standalone size. */
const STATED = [...README.matchAll(/^\| `(payments-client\S*)` \| (everything|`[\w`, ]+`) \| ([\d.]+) kB \|$/gm)];

let packed: Packed;
let project: string;

beforeAll(async () => {
  packed = await packWorkspace('client');
  project = await installTarball('client', packed);
});

describe('the package', () => {
  it('holds only the built files, recipes and documents', () => {
    expect(packed.files).toEqual(expect.arrayContaining(['API.md', 'LICENSE', 'README.md', 'recipes/hono.ts']));
    const expected = /^(dist\/[\w-]+(\.d\.ts|\.js)|recipes\/\w+\.ts|(API|README)\.md|LICENSE|package\.json)$/;
    expect(packed.files.filter((file) => !expected.test(file))).toEqual([]);
  });

  it("has declarations that don't depend on openapi-fetch", async () => {
    for (const file of packed.files.filter((name) => name.endsWith('.d.ts'))) {
      const declarations = await readFile(join(project, 'node_modules/payments-client', file), 'utf8');
      expect(declarations).not.toMatch(/openapi-(fetch|typescript)/);
    }
  });

  testPackage('client', () => packed);

  it('depends only on openapi-fetch and its dependencies', async () => {
    expect(await listPackages(project)).toEqual(['openapi-fetch', 'openapi-typescript-helpers', 'payments-client']);
  });

  it("has the sizes in the README's table, and none if it is not used", async () => {
    expect(STATED).toHaveLength(17);
    for (const [row, from, what = '', stated] of STATED) {
      const names = what === 'everything' ? '*' : `{ ${what.replaceAll('`', '')} }`;
      const size = await bundledSize(`export ${names} from '${from}'`);
      expect(Math.abs(size / 1_024 - Number(stated)), row).toBeLessThan(0.1);
    }
    const entries = ['payments-client', 'payments-client/webhooks', 'payments-client/testing'];
    expect(await bundledSize(entries.map((entry) => `import '${entry}';`).join(''))).toBeLessThanOrEqual(60);
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
    await copyFile(new URL('./client/consumer.ts.txt', import.meta.url), join(project, 'consumer.ts'));
    await writeFile(join(project, 'integrate.ts'), example(ROOT_README, gateway));
    const bundle = readBundle();
    for (const operation of operations(bundle)) {
      const sample = operationSamples(bundle, operation).find(({ label }) => label === 'TypeScript');
      await writeFile(join(project, `sample-${operation.id}.ts`), sample?.source ?? '');
    }
  });

  it.each(COMPILERS)('compiles with $compiler and $lib, including declarations and code samples', async (compiler) => {
    await compile(project, compiler);
  });

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
  });

  it("runs the repository's example on the payment of its previous call", async () => {
    const body = /-d '(.*)'/.exec(ROOT_README)?.[1] ?? '';
    const headers = { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' };
    const made = await fetch(`${gateway.baseUrl}/payments`, { method: 'POST', headers, body });
    expect(made.status).toBe(200);
    const { stdout } = await run(process.execPath, ['integrate.js'], { cwd: project });
    expect(stdout).toMatch(/^[A-Z_]+\n$/);
  });
});

/** The example of a document, sent to a gateway with the demo merchant of `npm start`. */
function example(document: string, { baseUrl, key }: ListeningGateway): string {
  const [, program = ''] = /```ts\n([\s\S]*?)```/.exec(document) ?? [];
  expect(program).toContain(`'http://localhost:4000'`);
  expect(program).toContain(`'${key}'`);
  return program.replace('http://localhost:4000', baseUrl);
}

it('a page runs a bundle of the client', async () => {
  const url = await servePage(await bundlePage(project));
  const browser = await launchBrowser();
  afterwards(() => browser.close());
  const { page } = await openPage(browser, url);
  await page.waitForFunction("document.title !== 'waiting'");
  expect(await page.title()).toBe(PAGE_TITLE);
});
