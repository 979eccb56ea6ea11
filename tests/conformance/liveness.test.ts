/** A service that stops ends the run, whose first finding is its last request. */
import { describe, expect, it } from 'vitest';
import { buildReport } from '../../conformance/src/report/build-report.ts';
import { assess } from '../../conformance/src/run/assess.ts';
import { verifyService } from '../../conformance/src/run/verify.ts';
import type { Store } from '../../gateway/src/database/store.ts';
import { startGateway } from '../../gateway/src/index.ts';
import { afterwards } from '../gateway/harness.ts';
import type { Incoming } from './self/alteration.ts';
import { startProxy } from './self/proxy.ts';

/** More than a normal response takes on a busy machine. */
const HANGS_MS = 3_000;

/** Whether the request is a truncated creation of a payment. */
const isBroken = (text: string): boolean => text.startsWith('{"amount":') && !/[} ]$|\}x$/.test(text);

/** Verifies a gateway that gives no response to some requests. `stop` ends its server. */
async function verifyFaulty(
  ignores: (request: Incoming, stop: () => unknown) => boolean,
  options: { readonly timeoutMs: number; readonly only: readonly string[] },
) {
  const { url, key, secret, close } = await startGateway();
  afterwards(close);
  const proxy = await startProxy(
    { url, key, secret, secondKey: key, store: {} as Store },
    {
      async request(request) {
        if (ignores(request, () => proxy.close())) await new Promise(() => {});
      },
    },
  );
  afterwards(proxy.close);
  const verification = await verifyService({ baseUrl: proxy.url, key, secret, driver: 'gateway', seed: 1, ...options });
  return buildReport(verification, assess(verification), '1.0.0-dev');
}

// They mostly wait.
describe.concurrent('a service', () => {
  it('ends the run at the fatal request, which is the first finding, without blaming other checks', async () => {
    const only = ['bad-request/createPayment', 'bad-request/confirmPayment'];
    const ignores = ({ bytes }: Incoming, stop: () => unknown) => {
      const isFatal = isBroken(String(bytes));
      if (isFatal) stop();
      return isFatal;
    };
    const { groups, outcome, exitCode } = await verifyFaulty(ignores, { timeoutMs: 30_000, only });
    const [first, ...others] = groups;
    expect({ outcome, exitCode, checks: first?.checks }).toEqual({
      ...{ outcome: "doesn't conform", exitCode: 1, checks: ['bad-request/createPayment/broken-json'] },
    });
    expect(first?.finding?.found).toBe(
      'the service stopped responding after POST /payments (bad-request/createPayment/broken-json)',
    );
    expect(others.map(({ verdict, remedy }) => [verdict, remedy])).toEqual([
      ['not reached', 'correct what bad-request/createPayment/broken-json shows first'],
    ]);
  });

  it('fails the first check that notices if a probe made it hang', async () => {
    let balances = 0;
    const ignores = ({ operation }: Incoming) => {
      if (operation === 'getBalance') balances += 1;
      return balances > 1;
    };
    const only = ['replay/getBalance', 'money', 'amount/createPayout', 'wallet'];
    const { groups, exitCode } = await verifyFaulty(ignores, { timeoutMs: HANGS_MS, only });
    expect(exitCode).toBe(1);
    expect(groups[0]?.finding?.found).toContain('the service stopped responding after GET /merchant/balance');
    expect(groups.slice(1).every(({ verdict }) => verdict === 'not reached')).toBe(true);
  });
});
