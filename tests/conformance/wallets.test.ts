/** The money checks are reached with any balance, and leave unpaid money in the wallets. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Fixtures, type FixtureTools, sharedFixtures } from '../../conformance/src/core/fixtures.ts';
import type { ConformanceOptions, Settings } from '../../conformance/src/core/settings.ts';
import type { Driver } from '../../conformance/src/drivers/driver.ts';
import { gatewayDriver } from '../../conformance/src/drivers/gateway.ts';
import { verifyService } from '../../conformance/src/run/verify.ts';
import { NoHttpResponse, type ServiceCall } from '../../conformance/src/service/exchange.ts';
import type { Store } from '../../gateway/src/database/store.ts';
import { sandboxMethods } from '../../gateway/src/domain/methods.ts';
import { type RunningGateway, startGateway } from '../../gateway/src/index.ts';
import type { Balance } from '../../generated/types.ts';
import { everyChannel, SIMULATOR } from '../gateway/harness/channels.ts';
import { contract } from './report/synthetic.ts';
import { type Alteration, toObject } from './self/alteration.ts';
import { startProxy } from './self/proxy.ts';
import { openSqliteFile, type ReferenceOptions, startReference } from './self/reference.ts';

type Options = Partial<ConformanceOptions>;
type Merchant = Awaited<ReturnType<RunningGateway['addMerchant']>>;

const FULL = Number.MAX_SAFE_INTEGER;
const CURRENCIES = ['DZD', 'EGP', 'INR', 'MAD'];
/** The kit waits for this long, and a slow payment takes this long. */
const TIMEOUT_MS = 3_000;
const PAID_MS = 1_000;
/** A wallet without payouts. */
const UNUSED = 'DZD';

const filled = (amount: number) => Object.fromEntries(CURRENCIES.map((currency) => [currency, amount]));

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

async function inUnused(key: string): Promise<number | undefined> {
  const response = await fetch(`${gateway.url}/merchant/balance`, { headers: { authorization: `Bearer ${key}` } });
  const { balances } = (await response.json()) as Balance;
  return balances.find(({ currency }) => currency === UNUSED)?.available;
}

it.concurrent.each([
  ['nothing, twice', {}, 2],
  ['less than a payout', filled(1_499), 1],
  ['more than the largest payout', filled(100_000_000), 1],
  ['all that wallets can hold, twice', filled(FULL), 2],
])('with %s', async (_name, available: Record<string, number>, runs) => {
  const { key } = await gateway.addMerchant({ available });
  for (let run = 0; run < runs; run += 1) {
    const skip = ['money/last-updated'];
    const { results } = await verifyService({ baseUrl: gateway.url, key, only: ['money'], skip });
    expect(results.filter(({ verdict }) => verdict !== 'conforming')).toEqual([]);
  }
  expect(await inUnused(key)).toBe(available[UNUSED] ?? 0);
});

/** Verifies a gateway whose channels verify a payment so long after its creation. */
async function verifySlow(verifiedMs: number, options: Options, service: ReferenceOptions = {}) {
  const channels = everyChannel({
    async verify(payment, now) {
      const readyAt = payment.createdAt + verifiedMs;
      return now < readyAt ? { askAgainAt: readyAt } : SIMULATOR.verify(payment, now);
    },
  });
  const { merchants, close } = await startReference(openSqliteFile, { channels, ...service });
  const { url: baseUrl, key } = await merchants();
  const { results } = await verifyService({ baseUrl, key, driver: 'gateway', ...options });
  await close();
  return results;
}

it.concurrent('with payments that checks confirm and do not follow, compares a wallet once they have ended', async () => {
  const results = await verifySlow(2 * PAID_MS, { only: ['text/confirmPayment', 'repeat/payment/at-once'] });
  expect(results.filter(({ verdict }) => verdict !== 'conforming')).toEqual([]);
});

it.concurrent('with payments that take long, and settle after the time limit, has no violation', async () => {
  const methods = sandboxMethods.map((method) => ({ ...method, settlementMs: TIMEOUT_MS + PAID_MS }));
  const results = await verifySlow(PAID_MS, { only: ['money'], timeoutMs: TIMEOUT_MS }, { methods });
  expect(results.filter(({ findings }) => findings.length > 0)).toEqual([]);
});

/** Verifies the gateway behind a proxy that alters messages. */
async function verifyAltered({ key, secret }: Merchant, alteration: Alteration, options: Options) {
  const reference = { url: gateway.url, key, secondKey: key, secret, store: {} as Store };
  const proxy = await startProxy(reference, alteration);
  const { results } = await verifyService({ baseUrl: proxy.url, key, driver: 'gateway', ...options });
  await proxy.close();
  return results;
}

it.concurrent('with a wallet that never stays the same, says so in the finding', async () => {
  let reads = 0;
  const response: Alteration['response'] = ({ body }, { operation }) => {
    if (operation !== 'getBalance') return;
    reads += 1;
    for (const entry of (body as unknown as { balances: { available: number }[] }).balances) entry.available += reads;
  };
  const options = { only: ['money/payout/returned'], timeoutMs: TIMEOUT_MS };
  const merchant = await gateway.addMerchant({ available: filled(100_000) });
  const results = await verifyAltered(merchant, { response }, options);
  expect(results.flatMap(({ findings }) => findings.map(({ expected }) => expected))).toEqual([
    expect.stringContaining('it kept changing before, so use a merchant that nothing else uses'),
  ]);
});

it.concurrent('with money that comes in after the wallet was read, has no violation', async () => {
  const merchant = await gateway.addMerchant();
  let funded = 0;
  const request: Alteration['request'] = async ({ operation, body }) => {
    const { currency, amount } = toObject(body);
    if (operation !== 'createPayout' || currency !== UNUSED || funded === 2) return;
    funded += 1;
    await merchant.wallets.fund(UNUSED, 2 * Number(amount));
  };
  const results = await verifyAltered(merchant, { request }, { only: ['money/payout/insufficient'] });
  expect(results).toMatchObject([{ verdict: 'conforming', findings: [] }]);
  expect(funded).toBe(2);
});

it('a payout beyond the balance is declined by the service, not moved by the driver', async () => {
  const { key } = await gateway.addMerchant();
  const move = vi.fn<NonNullable<Driver['move']>>();
  const only = ['money/payout/insufficient'];
  const { results } = await verifyService({ baseUrl: gateway.url, key, driver: { ...gatewayDriver, move }, only });
  expect(results).toMatchObject([{ verdict: 'conforming' }]);
  expect(move.mock.calls.map(([kind, _id, { until }]) => `${kind} ${until}`)).not.toContain('payout FAILED');
});

it('a missing wallet is not emptied, so that no check waits for it', async () => {
  const drainWallet = vi.fn();
  const settings = { timeoutMs: TIMEOUT_MS } as Settings;
  const send = async (call: ServiceCall) => Promise.reject(new NoHttpResponse('no response in time', call, true));
  const tools = { contract, settings, driver: { ...gatewayDriver, drainWallet }, send } as unknown as FixtureTools;
  await expect(new Fixtures(tools, sharedFixtures(settings)).drain('INR')).rejects.toThrow('no response in time');
  expect(drainWallet).not.toHaveBeenCalled();
});
