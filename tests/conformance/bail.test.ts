/** Runs that end early, since they fail: at the first failure, or when their time is up. */
import { describe, expect, it } from 'vitest';
import { buildReport } from '../../conformance/src/report/build-report.ts';
import { assess } from '../../conformance/src/run/assess.ts';
import { createRules } from '../../conformance/src/run/rules.ts';
import { verifyService } from '../../conformance/src/run/verify.ts';
import { startGateway } from '../../gateway/src/index.ts';
import { startBroken } from './kit.ts';

/** Reads of every kind, which a service without transactions can't carry out. */
const ONLY = ['replay', 'lookup', 'access'];

async function judged(options: Parameters<typeof verifyService>[0]) {
  const verification = await verifyService(options);
  const { contract, unfinished } = verification;
  const assessment = assess(verification, createRules(contract, {}));
  const { exitCode, results } = assessment;
  const { notes } = buildReport(verification, assessment, contract.bundle.info.version);
  return { exitCode, results, notes, unfinished, failing: results.filter(({ failure }) => failure) };
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
    const options = { baseUrl: site.url, driver: 'gateway', only: ONLY, timeoutMs: 2_000 };
    try {
      const { exitCode, failing, results, notes, unfinished } = await judged({ ...options, ...early });
      const sent = requests;
      expect({ exitCode, failing: failing[0] }).toMatchObject({ exitCode: 1, failing: { verdict: 'violating' } });
      expect(notes.join()).toContain(`${unfinished} checks are left out`);
      const whole = await judged(options);
      expect(whole).toMatchObject({ exitCode: 1, unfinished: 0, notes: [] });
      expect(whole.results.length - results.length).toBe(unfinished);
      expect(whole.results.length).toBeGreaterThan(results.length);
      expect(requests - sent).toBeGreaterThan(sent);
    } finally {
      await site.close();
    }
  });

  it('runs every check on a service that conforms', async () => {
    const { url, key, secret, close } = await startGateway();
    const only = ['replay/getBalance', 'replay/findPayment'];
    try {
      const { failing, results } = await judged({ baseUrl: url, key, secret, only, ...early });
      expect(failing).toEqual([]);
      expect(results.every(({ verdict }) => verdict === 'conforming')).toBe(true);
      expect(results.length).toBeGreaterThan(2);
    } finally {
      await close();
    }
  });
});
