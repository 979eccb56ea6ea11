import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startGateway } from '../../gateway/src/index.ts';
import { run as execute, ROOT } from '../../scripts/tools/process.ts';
import { type Loopback, listenOnLoopback } from '../tools/loopback.ts';
import { temporaryFolder } from '../tools/temporary.ts';
import { clearVariables, runKit, startBroken } from './kit.ts';
import { contract } from './report/synthetic.ts';

const REPLAY = 'replay/getBalance';

let gateway: Awaited<ReturnType<typeof startGateway>>;
let broken: Loopback;

const folder = await temporaryFolder('conformance-command');
const unknownCheck = join(folder, 'unknown.json');
await writeFile(unknownCheck, '{"failures":[{"check":"gone","reason":"x"}]}');

beforeAll(clearVariables);
beforeAll(async () => {
  gateway = await startGateway();
  broken = await startBroken();
});
afterAll(async () => {
  await gateway.close();
  await broken.close();
});

const runOnGateway = (...args: string[]) =>
  runKit(gateway.url, '--key', gateway.key, '--secret', gateway.secret, '--only', REPLAY, ...args);
const runOnBroken = (...args: string[]) => runKit(broken.url, '--driver', 'gateway', '--only', REPLAY, ...args);

describe('the exit code', () => {
  it('is 0 for a service that conforms, with a table of levels, and 1 for one that does not', async () => {
    const { code, stdout } = await runOnGateway();
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('conforms.') });
    expect(stdout).toMatch(/payouts +not shown/);
    expect(stdout).toContain('That holds for what was checked. Not shown: payments-h2h,');
    expect(await runOnBroken()).toMatchObject({ code: 1, stdout: expect.stringContaining("doesn't conform.") });
  });

  it.each([
    ['an unknown level', ['http://127.0.0.1:1', '--level', 'cards'], 'cards'],
    ['an unknown driver', ['--list', '--driver', 'none'], "'none' is not a driver."],
    [
      'an unknown contract version',
      ['http://127.0.0.1:1', '--contract-version', '0.1.0'],
      `Use ${contract.bundle.info.version}.`,
    ],
    ['a header without a value', ['http://127.0.0.1:1', '--header', 'x'], "Use the form 'Name: value'"],
    ['one key for two merchants', ['http://127.0.0.1:1', '--key', 'sk_1', '--second-key', 'sk_1'], 'merchant'],
    ['a missing config file', ['--config', 'nowhere.config.ts'], 'nowhere.config.ts'],
    ['an unknown known failure', ['http://127.0.0.1:1', '--known-failures', unknownCheck], 'check not found: gone'],
    ['a word that selects no check', ['--list', '--skip', 'none'], "'none' selects no check"],
  ])('is 2 for %s', async (_what, args, message) => {
    const { code, stderr } = await runKit(...args);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
  });
});

describe('before the first check', () => {
  it.each<[string, number, string, RequestListener]>([
    [
      'one request without a response',
      1,
      'No response to GET /merchant/balance: no response within 200 ms. Other requests have',
      ({ url }, response) =>
        url !== '/merchant/balance' && response.writeHead(404, { 'content-type': 'application/json' }).end('{}'),
    ],
    [
      'a service that asks to wait',
      3,
      'asks to wait 3600 s in Retry-After. Wait, or raise --timeout.',
      (_request, response) => response.writeHead(429, { 'retry-after': '3600' }).end('{}'),
    ],
  ])('reports %s', async (_what, exitCode, message, respond) => {
    const { url, close } = await listenOnLoopback(createServer(respond));
    const { code, stderr } = await runKit(url, '--timeout', '200');
    await close();
    expect({ code, stderr }).toEqual({ code: exitCode, stderr: expect.stringContaining(message) });
  });

  it('reports an address without a service, and a port without TLS', async () => {
    const { code, stderr } = await runKit('http://127.0.0.1:1');
    const message = 'nothing listens there. Is the service running there?';
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(message) });
    expect((await runKit(gateway.url.replace('http:', 'https:'))).stderr).toContain('the port has no TLS; try http://');
  });

  it.each([
    ['an error', "throw new Error('no test data')", /^Error in `payment` of the driver own, .*: no test data/],
    ['an invalid body', 'return { amount: -1 }', /^Invalid body from `payment` .*"SUCCESS"}: \/currency expects/],
  ])('reports %s of the driver', async (_what, statement, message) => {
    const file = join(folder, `${statement.length}.mjs`);
    const payment = `payment(goal) { if (goal.until === 'SUCCESS') ${statement}; }`;
    await writeFile(file, `export default { name: 'own', ${payment}, payout() {}, items() {} };`);
    const { code, stderr } = await runOnGateway('--driver', file);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(message) });
  });
});

it('ends the process even if the driver keeps something open', async () => {
  const file = join(folder, 'open.mjs');
  const members = "name: 'own', payment() {}, payout() {}, items() {}";
  await writeFile(file, `setInterval(() => {}, 1000); export default { ${members} };`);
  const args = [join(ROOT, 'conformance/src/main.ts'), '--list', '--driver', file];
  expect((await execute(process.execPath, args)).stdout).toContain(REPLAY);
});

it('known failures are written from a run, accepted by the next, and out of date once they pass', async () => {
  const file = join(folder, 'known.json');
  const written = await runOnBroken('--known-failures', file, '--init-known-failures');
  expect(written.stderr).toContain('wrote 4 known failures');
  const { failures } = JSON.parse(await readFile(file, 'utf8'));
  expect(failures[0]).toEqual({
    check: expect.stringContaining(REPLAY),
    reason: expect.stringContaining('expected'),
  });
  const again = await runOnBroken('--known-failures', file);
  // Every failure is known, but no level is shown.
  expect(again.stdout).toContain('No check shows that the service conforms.');
  expect(again.stdout).not.toContain('violates the contract');
  const outdated =
    /4 known failures pass: remove them from the list\.\n\S+ conforms, and the list of known failures is out of date\./;
  const fixed = await runOnGateway('--known-failures', file, '--strict-known-failures');
  expect(fixed).toMatchObject({ code: 1, stdout: expect.stringMatching(outdated) });
});

it('writes a file in every format, and names files that cannot be written', async () => {
  const names = ['json', 'junit', 'html', 'badge', 'har'];
  await runOnGateway(...names.flatMap((name) => [`--${name}`, join(folder, 'reports', name)]));
  expect(names.filter((name) => !existsSync(join(folder, 'reports', name)))).toEqual([]);
  const report = JSON.parse(await readFile(join(folder, 'reports/json'), 'utf8'));
  expect(report).toMatchObject({ format: 2, outcome: 'conforms', exitCode: 0, service: gateway.url });
  expect(report.coverage.operations).toContainEqual(expect.objectContaining({ name: 'getBalance', count: 4 }));
  const { code, stderr } = await runOnGateway('--json', join(folder, 'reports/json/within'));
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("Can't write") });
});

it('prints annotations and writes the summary of the job in GitHub Actions, unless it is refused', async () => {
  const summary = join(folder, 'summary.md');
  vi.stubEnv('GITHUB_ACTIONS', 'true');
  vi.stubEnv('GITHUB_STEP_SUMMARY', summary);
  expect((await runOnBroken('--no-github')).stdout).not.toContain('::error');
  expect(existsSync(summary)).toBe(false);
  expect((await runOnBroken()).stdout).toContain('::error');
  expect(await readFile(summary, 'utf8')).toContain("doesn't conform");
  vi.stubEnv('GITHUB_ACTIONS', undefined);
});

it('lists checks by id, operation, tag and level without a request', async () => {
  const list = async (...flags: string[]) => (await runKit('--list', ...flags)).stdout;
  expect((await list()).split('\n').filter((line) => !line.startsWith(' ')).length).toBeGreaterThan(100);
  for (const word of ['getBalance', 'Balance', REPLAY]) expect(await list('--only', word)).toContain(REPLAY);
  expect(await list('--only', 'payouts')).toContain('replay/createPayout/imps-inr  [payouts]\n');
  expect(await list('--only', 'payouts')).not.toContain('replay/createPayment');
  expect(await list('--skip', 'replay')).not.toContain('replay/');
});
