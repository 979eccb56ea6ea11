/** Runs that end early, since they fail: at the first failure, or when their time is up. */
import { describe, expect, it } from 'vitest';
import { buildReport } from '../../conformance/src/report/build-report.ts';
import { assess } from '../../conformance/src/run/assess.ts';
import { createRules } from '../../conformance/src/run/rules.ts';
import { verifyService } from '../../conformance/src/run/verify.ts';
import { startGateway } from '../../gateway/src/index.ts';
import { afterwards } from '../gateway/harness.ts';
import { startBroken } from './kit.ts';

/** Reads of every kind, which a service without transactions can't carry out. */
const ONLY = ['replay', 'lookup', 'access'];

async function judge(options: Parameters<typeof verifyService>[0]) {
  const verification = await verifyService(options);
  const { contract, unfinished } = verification;
  const assessment = assess(verification, createRules(contract, {}));
  const { exitCode, results } = assessment;
  const { notes } = buildReport(verification, assessment, contract.bundle.info.version);
  return { exitCode, results, notes, unfinished, failing: results.filter(({ failure }) => failure).slice(0, 1) };
}

describe.each([
  ['stops at its first failure', { stopAtFirst: true }],
  ['has failed and used up its time', { maxTimeFailing: 0 }],
])('a run that %s', (_title, early) => {
  it('ends on a defective service, sends no more requests, and leaves the rest out', async () => {
    let requests = 0;
    const site = await startBroken(() => {
      requests += 1;
    });
    afterwards(site.close);
    const options = { baseUrl: site.url, driver: 'gateway', only: ONLY, timeoutMs: 2_000 };
    const ended = await judge({ ...options, ...early });
    const sent = requests;
    expect(ended).toMatchObject({ exitCode: 1, failing: [{ verdict: 'violating' }] });
    expect(ended.notes.join()).toContain(`${ended.unfinished} checks are left out`);
    const whole = await judge(options);
    expect(whole).toMatchObject({ exitCode: 1, unfinished: 0, notes: [] });
    expect(whole.results.length - ended.results.length).toBe(ended.unfinished);
    expect(ended.unfinished).toBeGreaterThan(0);
    expect(requests - sent).toBeGreaterThan(sent);
  });

  it('runs every check on a service that conforms', async () => {
    const { url, key, secret, close } = await startGateway();
    afterwards(close);
    const only = ['replay/getBalance', 'replay/findPayment'];
    const { results, unfinished } = await judge({ baseUrl: url, key, secret, only, ...early });
    expect(results.filter(({ verdict }) => verdict !== 'conforming')).toEqual([]);
    expect([results.length > 2, unfinished]).toEqual([true, 0]);
  });
});
