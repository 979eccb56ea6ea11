/** Faults in wallets that only a sandbox brings out, which knows payments of another amount and late declines. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { verifyService } from '../../conformance/src/run/verify.ts';
import type { Store } from '../../gateway/src/database/store.ts';
import { type RunningGateway, startGateway } from '../../gateway/src/index.ts';
import type { Alteration } from './self/alteration.ts';
import { balances, plus } from './self/defects/money.ts';
import { startProxy } from './self/proxy.ts';

const TIMEOUT_MS = 4_000;

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

async function verdictsBehind(alteration: Alteration, check: string) {
  const { key, secret } = await gateway.addMerchant();
  const proxy = await startProxy({ url: gateway.url, key, secondKey: key, secret, store: {} as Store }, alteration);
  const { results } = await verifyService({
    ...{ baseUrl: proxy.url, key, secret, driver: 'gateway', only: [check], timeoutMs: TIMEOUT_MS },
  });
  await proxy.close();
  return results.map(({ id, verdict, findings }) => [id, verdict, findings[0]?.expected]);
}

const faults: readonly [
  title: string,
  check: string,
  verdict: string,
  change: Parameters<typeof balances>[2],
  text: string,
][] = [
  [
    'that credits the requested amount instead of the smaller paid one',
    'wallet/EGP/payments',
    'violating',
    (entry, books) =>
      plus(
        entry,
        books.final('payment', 'SUCCESS', entry.currency) -
          books.final('payment', 'SUCCESS', entry.currency, 'amount_paid'),
      ),
    'after 19224 were paid of the 20001 requested',
  ],
  [
    'that credits a payment which is declined late',
    'wallet/DZD/payments',
    'differs',
    (entry, books) => plus(entry, books.final('payment', 'FAILED', entry.currency)),
    'while one payment is VERIFYING and another has FAILED after that',
  ],
  [
    'that keeps a payout which has failed',
    'wallet/MAD/payouts',
    'violating',
    (entry, books) => plus(entry, -2 * books.final('payout', 'FAILED', entry.currency)),
    'was declined',
  ],
];

it.concurrent.each(faults)('a service %s is reported', async (_title, check, verdict, change, text) => {
  const { alter } = balances('fault', check, change);
  expect(await verdictsBehind(alter(), check)).toEqual([[check, verdict, expect.stringContaining(text)]]);
});

it.concurrent('a valid service passes in each currency', async () => {
  const results = await verdictsBehind({}, 'wallet');
  expect(results.filter(([, verdict]) => verdict !== 'conforming')).toEqual([]);
  expect(results).toHaveLength(8);
});
