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

const REPLAY = 'replay/getBalance';

let gateway: Awaited<ReturnType<typeof startGateway>>;
let broken: Loopback;
let folder: string;

beforeAll(clearVariables);
beforeAll(async () => {
  gateway = await startGateway();
  folder = await temporaryFolder('conformance-command');
  broken = await startBroken();
});
afterAll(async () => {
  await gateway.close();
  await broken.close();
});

async function run(...args: string[]) {
  const { code, stdout, stderr } = await runKit(...args);
  return { code, out: stdout, err: stderr };
}
const runOnGateway = (...args: string[]) =>
  run(gateway.url, '--key', gateway.key, '--secret', gateway.secret, '--only', REPLAY, ...args);
const runOnBroken = (...args: string[]) => run(broken.url, '--driver', 'gateway', '--only', REPLAY, ...args);

describe('the exit code', () => {
  it('is 0 for a service that conforms, with a table of levels', async () => {
    const { code, out } = await runOnGateway();
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('conforms.') });
    expect(out).toMatch(/payouts +not shown/);
    expect(out).toContain('That holds for what was checked. Not shown: payments-h2h,');
  });

  it('is 1 for a service that violates the contract', async () => {
    const { code, out } = await runOnBroken();
    expect(code).toBe(1);
    expect(out).toContain('expected  present');
    expect(out).toContain("doesn't conform.");
  });

  it('is 3 if the service asks to wait before the first check', async () => {
    const { url, close } = await listenOnLoopback(
      createServer((_request, response) => response.writeHead(429, { 'retry-after': '3600' }).end('{}')),
    );
    const { code, err } = await run(url);
    await close();
    const message = 'asks to wait 3600 s in Retry-After. Wait, or raise --timeout.';
    expect({ code, err }).toEqual({ code: 3, err: expect.stringContaining(message) });
  });

  it.each([
    ['no base URL', []],
    ['an invalid base URL', ['ftp://x']],
    ['an unknown flag', ['http://127.0.0.1:1', '--stric']],
    ['an unknown level', ['http://127.0.0.1:1', '--level', 'cards']],
    ['an unknown driver', ['http://127.0.0.1:1', '--driver', 'none.ts']],
    ['an unknown contract version', ['http://127.0.0.1:1', '--contract-version', '0.1.0']],
    ['a header without a name', ['http://127.0.0.1:1', '--header', 'x']],
    ['one key for two merchants', ['http://127.0.0.1:1', '--key', 'sk_test_1', '--second-key', 'sk_test_1']],
    ['a missing config file', ['--config', 'nowhere.config.ts']],
  ])('is 2 for %s', async (_what, args) => {
    const { code, err } = await run(...args);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(/\w/) });
  });

  it('is 2 for a word that selects no check', async () => {
    const { code, err } = await runOnGateway('--skip', 'no-such-check');
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining("'no-such-check' selects no check") });
  });
});

describe('before the first check', () => {
  it('reports one request without a response', async () => {
    const respond: RequestListener = ({ url }, response) =>
      url !== '/merchant/balance' && response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
    const { url, close } = await listenOnLoopback(createServer(respond));
    const { code, err } = await run(url, '--timeout', '200');
    await close();
    const message = 'No response to GET /merchant/balance: no response within 200 ms. Other requests have';
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(message) });
  });

  it('reports an address without a service', async () => {
    const { code, err } = await run('http://127.0.0.1:1');
    const message = 'nothing listens there. Is the service running there?';
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(message) });
  });

  it('reports a port without TLS', async () => {
    const { err } = await run(gateway.url.replace('http:', 'https:'));
    expect(err).toContain('the port has no TLS; try http://');
  });

  it.each([
    [
      'an error of the driver',
      "throw new Error('no test data')",
      /^Error in `payment` of the driver own, .*: no test data/,
    ],
    [
      'an invalid body of the driver',
      'return { amount: -1 }',
      /^Invalid body from `payment` .*"SUCCESS"}: \/currency expects/,
    ],
  ])('reports %s', async (_what, statement, message) => {
    const file = join(folder, `${statement.length}.mjs`);
    const others = 'payout() {}, items() {}';
    const condition = "if (goal.until === 'SUCCESS')";
    await writeFile(file, `export default { name: 'own', payment(goal) { ${condition} ${statement}; }, ${others} };`);
    const { code, err } = await runOnGateway('--driver', file);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(message) });
  });
});

it('ends the process even if the driver keeps something open', async () => {
  const file = join(folder, 'open.mjs');
  const members = "name: 'own', payment() {}, payout() {}, items() {}";
  await writeFile(file, `setInterval(() => {}, 1000); export default { ${members} };`);
  const args = [join(ROOT, 'conformance/src/main.ts'), '--list', '--driver', file];
  expect((await execute(process.execPath, args)).stdout).toContain(REPLAY);
});

describe('known failures', () => {
  it('are written from a run, accepted by the next, and out of date once they pass', async () => {
    const file = join(folder, 'known.json');
    const written = await runOnBroken('--known-failures', file, '--init-known-failures');
    expect(written.err).toContain('wrote 4 known failures');
    const { failures } = JSON.parse(await readFile(file, 'utf8'));
    expect(failures[0]).toEqual({
      check: expect.stringContaining(REPLAY),
      reason: expect.stringContaining('expected'),
    });

    const again = await runOnBroken('--known-failures', file);
    // Every failure is known, but no level is shown.
    expect(again.out).toContain('No check shows that the service conforms.');
    expect(again.out).not.toContain('violates the contract');
    const fixed = await runOnGateway('--known-failures', file);
    const outdated = expect.stringMatching(
      /4 known failures pass: remove them from the list\.\n\S+ conforms, and the list of known failures is out of date\./,
    );
    expect({ code: fixed.code, out: fixed.out }).toEqual({ code: 0, out: outdated });
    const refused = await runOnGateway('--known-failures', file, '--strict-known-failures');
    expect({ code: refused.code, out: refused.out }).toEqual({ code: 1, out: outdated });
  });

  it('with an unknown check are refused before the first request', async () => {
    const file = join(folder, 'unknown.json');
    await writeFile(file, '{"failures":[{"check":"gone","reason":"x"}]}');
    const { code, err } = await run('http://127.0.0.1:1', '--known-failures', file);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('check not found: gone') });
  });
});

describe('files', () => {
  it('are written in every format', async () => {
    const names = ['json', 'junit', 'html', 'badge', 'har'];
    const args = names.flatMap((name) => [`--${name}`, join(folder, 'reports', name)]);
    await runOnGateway(...args);
    expect(names.filter((name) => !existsSync(join(folder, 'reports', name)))).toEqual([]);
    const report = JSON.parse(await readFile(join(folder, 'reports/json'), 'utf8'));
    expect(report).toMatchObject({ format: 2, outcome: 'conforms', exitCode: 0, service: gateway.url });
    expect(report.coverage.operations).toContainEqual(expect.objectContaining({ name: 'getBalance', count: 4 }));
  });

  it("name files that can't be written", async () => {
    const { code, err } = await runOnGateway('--json', join(folder, 'reports/json/within'));
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining("Can't write") });
  });
});

describe('in GitHub Actions', () => {
  it('annotations are printed and the summary of the job is written, unless it is refused', async () => {
    const summary = join(folder, 'summary.md');
    vi.stubEnv('GITHUB_ACTIONS', 'true');
    vi.stubEnv('GITHUB_STEP_SUMMARY', summary);
    expect((await runOnBroken('--no-github')).out).not.toContain('::error');
    expect(existsSync(summary)).toBe(false);
    expect((await runOnBroken()).out).toContain('::error');
    expect(await readFile(summary, 'utf8')).toContain("doesn't conform");
    vi.stubEnv('GITHUB_ACTIONS', undefined);
  });
});

describe('--list', () => {
  it('lists checks by id, operation, tag and level without a request', async () => {
    const all = (await run('--list')).out.split('\n').filter((line) => !line.startsWith(' '));
    const of = async (word: string) => (await run('--list', '--only', word)).out;
    expect(all.length).toBeGreaterThan(100);
    expect(await of('getBalance')).toContain(REPLAY);
    expect(await of('Balance')).toContain(REPLAY);
    expect(await of('payouts')).toContain('replay/createPayout/imps-inr  [payouts]\n');
    expect(await of('payouts')).not.toContain('replay/createPayment');
    expect((await run('--list', '--skip', 'replay')).out).not.toContain('replay/');
    expect((await run('--list', '--level', 'payouts')).out).not.toContain('replay/createPayment');
  });
});
