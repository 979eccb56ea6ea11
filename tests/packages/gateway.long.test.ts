/** The published gateway, built once for the file. */
import { beforeAll, describe, expect, it } from 'vitest';
import { testPackage } from './checks.ts';
import { expectPayment } from './gateway/payment.ts';
import { expectTraces } from './gateway/traces.ts';
import { installTarball, listPackages, type Packed, packWorkspace } from './install.ts';
import { itHasCommand, nodesOnPath } from './nodes.ts';

const NODES = await nodesOnPath('22.13');

let packed: Packed;
let project: string;
beforeAll(async () => {
  packed = await packWorkspace('gateway');
  project = await installTarball('gateway', packed);
}, 120_000);

describe('the package', () => {
  it('holds the command, the reference, the contract, the pages and the migrations', () => {
    expect(packed.files).toEqual(
      expect.arrayContaining([
        'LICENSE',
        'README.md',
        'dist/assets/gateway/docs/createPayment.html',
        'dist/assets/gateway/docs/createPayment.md',
        'dist/assets/gateway/docs/index.html',
        'dist/assets/gateway/docs/llms.txt',
        'dist/assets/gateway/docs/sandbox.html',
        'dist/assets/live/docs/index.html',
        'dist/assets/migrations/001-baseline.sql',
        'dist/assets/openapi.json',
        'dist/assets/page.css',
        'dist/payments-gateway.js',
        'package.json',
      ]),
    );
    expect(
      packed.files.filter((file) => !/^(dist\/|examples\/|LICENSE$|README\.md$|package\.json$)/.test(file)),
    ).toEqual([]);
  });

  testPackage('gateway', () => packed, ['sqlite3.wasm']);

  it('installs with fewer than 80 packages', async () => {
    expect((await listPackages(project)).length).toBeLessThan(80);
  });
});

describe('an empty folder', () => {
  itHasCommand('payments-gateway', () => project, ['payments-gateway']);

  it.each(NODES)('starts without a command and takes a payment on %s', async (_version, node) => {
    await expectPayment(project, node);
  });

  it.each(NODES)('sends traces, without further packages, on %s', async (_version, node) => {
    await expectTraces(project, node);
  });
});
