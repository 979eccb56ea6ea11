/** The published gateway, built once for the file. */
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { readBundle } from '../../contract/src/model.ts';
import { requestExamples } from '../../generated/examples.ts';
import { afterwards, temporaryFolder } from '../gateway/harness.ts';
import { startCollector } from '../tools/collector.ts';
import { startServer } from '../tools/server.ts';
import { testPackage } from './checks.ts';
import { installTarball, listPackages, type Packed, packWorkspace } from './install.ts';
import { itHasCommand, nodesOnPath } from './nodes.ts';

const NODES = await nodesOnPath('22.13');
/** Not a secret: the demo merchant's key. */
const DEMO_KEY = 'sk_test_demo_0123456789abcdefghijklmnopqrstuv';

let packed: Packed;
let project: string;
beforeAll(async () => {
  packed = await packWorkspace('gateway');
  project = await installTarball('gateway', packed);
});

describe('the package', () => {
  it('holds the command, the reference, the contract, the pages and the migrations', () => {
    expect(packed.files).toEqual(
      expect.arrayContaining([
        ...['LICENSE', 'README.md', 'package.json', 'dist/payments-gateway.js', 'dist/assets/openapi.json'],
        ...['docs/createPayment.html', 'docs/createPayment.md', 'docs/llms.txt', 'docs/sandbox.html'].map(
          (name) => `dist/assets/gateway/${name}`,
        ),
        ...['live/docs/index.html', 'migrations/001-baseline.sql', 'page.css'].map((name) => `dist/assets/${name}`),
      ]),
    );
    const expected = /^(dist\/|examples\/|LICENSE$|README\.md$|package\.json$)/;
    expect(packed.files.filter((file) => !expected.test(file))).toEqual([]);
  });

  testPackage('gateway', () => packed, ['sqlite3.wasm']);

  it('installs with fewer than 80 packages', async () => {
    expect((await listPackages(project)).length).toBeLessThan(80);
  });
});

describe('an empty folder', () => {
  itHasCommand('payments-gateway', () => project, ['payments-gateway']);

  it.each(NODES)('starts without a command, takes a payment and sends traces on %s', async (_version, node) => {
    const collector = await startCollector();
    afterwards(collector.close);
    const bin = join(project, 'node_modules/payments-gateway/dist/payments-gateway.js');
    const server = await startServer([bin, '--port', '0'], {
      node,
      cwd: await temporaryFolder(),
      env: { LOG_LEVEL: 'warn', DATABASE_URL: '', DATABASE_FILE: '', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
    });
    afterwards(() => server.end('SIGTERM'));
    const read = async (path: string) => (await fetch(new URL(path, server.url))).text();
    expect(await read('/docs')).toContain('Downloads');
    expect(await read('/docs/sandbox')).toContain('Test payments');
    expect(JSON.parse(await read('/openapi.json'))).toEqual(readBundle());
    const files = [...(await read('/console')).matchAll(/(?:href|src)="(console\/[^"]+)"/g)].map(([, file]) => file);
    expect(files.length).toBeGreaterThan(20);
    const responses = await Promise.all(files.map((file) => fetch(`${server.url}/${file}`)));
    expect(responses.filter(({ status }) => status !== 200)).toEqual([]);
    const created = await fetch(`${server.url}/payments`, {
      method: 'POST',
      headers: { authorization: `Bearer ${DEMO_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify(requestExamples.createPayment['redirect-upi'].body),
    });
    const { redirect_url } = (await created.json()) as { redirect_url: string };
    expect(await read(redirect_url)).toContain('<style>');
    await server.end('SIGTERM');
    const span = collector.spans.find(({ name }) => name === 'POST /payments');
    expect(span?.resource).toMatchObject({ 'service.name': 'payments-gateway' });
  });
});
