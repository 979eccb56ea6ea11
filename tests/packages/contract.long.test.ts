/** The published contract. All tests of contract/dist are in this file, so that it is built once. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { readBundle } from '../../contract/src/model.ts';
import { readWebhookVectors } from '../../contract/src/webhook-vectors.ts';
import { requestExamples } from '../../generated/examples.ts';
import { run } from '../../scripts/tools/process.ts';
import { afterwards } from '../gateway/harness.ts';
import { startServer } from '../tools/server.ts';
import { testPackage } from './checks.ts';
import { installTarball, listPackages, type Packed, packWorkspace } from './install.ts';
import { itHasCommand, nodesOnPath } from './nodes.ts';

const NODES = await nodesOnPath('22.13');
const BIN = 'node_modules/payments-contract/dist/payments-contract.js';

let packed: Packed;
let project: string;
beforeAll(async () => {
  packed = await packWorkspace('contract');
  project = await installTarball('contract', packed);
});

describe('the package', () => {
  it('holds built files, the document and the licenses', () => {
    expect(packed.files).toEqual(
      expect.arrayContaining(['LICENSE', 'README.md', 'dist/THIRD-PARTY-LICENSES.txt', 'dist/assets/openapi.json']),
    );
    expect(packed.files.filter((file) => !/^(dist\/|LICENSE$|README\.md$|package\.json$)/.test(file))).toEqual([]);
  });

  it('holds the licenses of bundled packages', async () => {
    const licenses = await readFile(
      join(project, 'node_modules/payments-contract/dist/THIRD-PARTY-LICENSES.txt'),
      'utf8',
    );
    expect(licenses).toMatch(/^@stoplight\/prism-http 5\.\d+\.\d+\n\n.*Apache License/ms);
    expect(licenses).not.toContain('License: undefined');
  });

  testPackage('contract', () => packed, ['openapi.json', 'openapi-generators.json', 'webhook-vectors.json']);

  it('depends on no other package', async () => {
    expect(await listPackages(project)).toEqual(['payments-contract']);
  });
});

describe('an empty folder', () => {
  itHasCommand('payments-contract', () => project, []);

  it.each(NODES)('mocks the contract on %s', async (_version, node) => {
    const mock = await startServer([join(project, BIN), 'mock', '--port', '0'], { node, cwd: project });
    afterwards(() => mock.end('SIGTERM'));
    const headers = { authorization: 'Bearer any-key' };
    const refused = await fetch(`${mock.url}/payments`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ ...requestExamples.createPayment['h2h-upi'].body, amount: '499.00' }),
    });
    expect([refused.status, await refused.json()]).toMatchObject([400, { violations: [{ pointer: '/amount' }] }]);
    const generated = await fetch(`${mock.url}/merchant/balance`, {
      headers: { ...headers, prefer: 'dynamic=true' },
    });
    expect(await generated.json()).toMatchObject({ balances: expect.any(Array) });
  });

  it('exports the document and the signature vectors as JSON and as values', async () => {
    const program = `
      import document from 'payments-contract/openapi.json' with { type: 'json' };
      import vectors from 'payments-contract/webhook-vectors.json' with { type: 'json' };
      import { readBundle, readWebhookVectors } from 'payments-contract';
      console.log(JSON.stringify([document, readBundle(), vectors, readWebhookVectors()]));`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], { cwd: project });
    const [document, vectors] = [readBundle(), readWebhookVectors()];
    expect(JSON.parse(stdout)).toEqual([document, document, vectors, vectors]);
  });
});
