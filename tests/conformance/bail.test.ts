/** A run that stops at its first failure. */
import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { loadContract } from '../../conformance/src/document/contract.ts';
import { assess } from '../../conformance/src/run/assess.ts';
import { rulesOf } from '../../conformance/src/run/rules.ts';
import { verifyService } from '../../conformance/src/run/verify.ts';
import { startGateway } from '../../gateway/src/index.ts';
import { listenOnLoopback } from '../tools/loopback.ts';

/** Reads of every kind, which a service without transactions can't carry out. */
const ONLY = ['replay', 'lookup', 'access'];

async function judged(options: Parameters<typeof verifyService>[0]) {
  const verification = await verifyService(options);
  const { exitCode, results } = assess(verification, rulesOf(loadContract(), {}));
  return { exitCode, results, plan: verification.plan, failing: results.filter(({ failure }) => failure) };
}

describe('a run that stops at its first failure', () => {
  it('ends with it on a defective service, sends nothing more, and leaves the rest out', async () => {
    let requests = 0;
    const site = await listenOnLoopback(
      createServer((_request, response) => {
        requests += 1;
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"FINE"}');
      }),
    );
    const options = { baseUrl: site.url, driver: 'gateway', only: ONLY, timeoutMs: 2_000 };
    try {
      const { exitCode, failing, results } = await judged({ ...options, stopAtFirst: true });
      const sent = requests;
      expect({ exitCode, failing }).toMatchObject({ exitCode: 1, failing: [{ verdict: 'violating' }] });
      const whole = await judged(options);
      expect(whole.exitCode).toBe(1);
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
      const { failing, results } = await judged({ baseUrl: url, key, secret, only, stopAtFirst: true });
      expect(failing).toEqual([]);
      expect(results.every(({ verdict }) => verdict === 'conforming')).toBe(true);
      expect(results.length).toBeGreaterThan(2);
    } finally {
      await close();
    }
  });
});
