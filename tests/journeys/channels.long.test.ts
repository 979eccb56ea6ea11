/** docs/channels.md: an operator runs the example of a real channel with LIVE, reconciles, tests it, and embeds it. */
import { symlink, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { ROOT, run } from '../../scripts/tools/process.ts';
import { installTarball, packWorkspace } from '../packages/install.ts';
import { freePort } from '../tools/loopback.ts';
import { Document } from './tools/document.ts';
import { Reader, type Running } from './tools/reader.ts';

const STEP_MS = 240_000;
const guide = new Document('docs/channels.md');

let folder: string;
let reader: Reader;
let gateway: Running;

beforeAll(async () => {
  folder = await installTarball('gateway', await packWorkspace('gateway'));
  await symlink(join(ROOT, 'node_modules/vitest'), join(folder, 'node_modules/vitest'), 'junction');
  const ports = { 4000: await freePort(), 4100: await freePort() };
  const bins = [folder, ROOT].map((parent) => join(parent, 'node_modules/.bin'));
  const path = [...bins, dirname(process.execPath), process.env['PATH']].join(delimiter);
  const env = { PATH: path, PORT: String(ports[4000]), PROVIDER_PORT: String(ports[4100]), LOG_LEVEL: 'silent' };
  reader = new Reader(folder, { env, ports });
}, STEP_MS);

it('runs the example on a live gateway, whose books agree with the statement', { timeout: STEP_MS }, async () => {
  await reader.run(guide.take('cp node_modules'));
  await reader.run(guide.take('PROVIDER_KEY=$('));
  await reader.start(guide.take('node provider.ts').trim()).until(/^provider/m);
  const { out } = await reader.run(guide.take('merchant create', 'sh'));
  gateway = reader.start(guide.take('payments-gateway start\n').trim());
  await gateway.until(/"listening"/);

  await reader.run(`export API_KEY=${/sk_live_\S+/.exec(out)?.[0]}`);
  const created = JSON.parse((await reader.run(guide.take('curl http://127.0.0.1:4000/payments -H'))).out);
  await reader.run(`export TRANSACTION_ID=${created.transaction_id}`);
  const [pay = '', look = ''] = guide.take('/app/$TRANSACTION_ID/pay').split('\n');
  await expect
    .poll(async () => (await reader.run(look)).out, { timeout: STEP_MS })
    .toContain('PAY_CONFIRMATION_NEEDED');
  expect((await reader.run(pay)).out).toContain('"paid":49900');
  await expect.poll(async () => (await reader.run(look)).out, { timeout: STEP_MS }).toContain('"status":"SUCCESS"');
  const reconciled = await reader.run(guide.take('payments-gateway reconcile'));
  expect(reconciled.out).toMatch(
    /^INR {2}in the ledger: UPI_IN 49900 \(1\)\nINR {2}in the statements: UPI_IN 49900 \(1\)\n0 open differences of/m,
  );
});

it('tests the channel', { timeout: STEP_MS }, async () => {
  expect((await reader.run(guide.take('npx vitest run'))).out).toMatch(/Tests +16 passed \(16\)/);
});

it('sets limits', { timeout: STEP_MS }, async () => {
  await writeFile(join(folder, 'limits.config.ts'), guide.take('limits.config.ts', 'ts'));
  expect(await gateway.end()).toBe(0);
  const limited = reader.start(guide.take('--config limits.config.ts').trim());
  await limited.until(/"listening"/);
  expect(await limited.end()).toBe(0);
});

it('embeds the gateway in a program that compiles', { timeout: STEP_MS }, async () => {
  await writeFile(join(folder, 'embedded.ts'), reader.adapt(guide.take('// embedded.ts', 'ts')));
  expect((await reader.run('LIVE= node embedded.ts')).out).toBe('health 200\n');
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2024'];
  const types = ['--allowImportingTsExtensions', '--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types')];
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  await run(process.execPath, [tsc, ...options, ...types, 'embedded.ts', 'limits.config.ts'], { cwd: folder });
});

it('leaves no block untested', () => {
  expect(guide.leftOut()).toEqual([]);
});
