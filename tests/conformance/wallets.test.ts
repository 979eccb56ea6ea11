/** The money checks are reached with any balance, and leave unpaid money in the wallets. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Fixtures, type FixtureTools, sharedFixtures } from '../../conformance/src/core/fixtures.ts';
import type { Settings } from '../../conformance/src/core/settings.ts';
import type { Driver } from '../../conformance/src/drivers/driver.ts';
import { gatewayDriver } from '../../conformance/src/drivers/gateway.ts';
import { verifyService } from '../../conformance/src/run/verify.ts';
import { NoHttpResponse, type ServiceCall } from '../../conformance/src/service/exchange.ts';
import type { Channel } from '../../gateway/src/channels/channel.ts';
import type { Store } from '../../gateway/src/database/store.ts';
import { sandboxMethods } from '../../gateway/src/domain/methods.ts';
import { type RunningGateway, startGateway } from '../../gateway/src/index.ts';
import type { Balance } from '../../generated/types.ts';
import { everyChannel, SIMULATOR } from '../gateway/harness/channels.ts';
import { contract } from './report/synthetic.ts';
import { toObject } from './self/alteration.ts';
import { startProxy } from './self/proxy.ts';
import { openSqliteFile, startReference } from './self/reference.ts';

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
    const { results } = await verifyService({
      baseUrl: gateway.url,
      key,
      only: ['money'],
      skip: ['money/last-updated'],
    });
    const others = results.filter(({ verdict }) => verdict !== 'conforming');
    expect(others.map(({ id, reason, findings }) => ({ id, reason, findings }))).toEqual([]);
  }
  expect(await inUnused(key)).toBe(available[UNUSED] ?? 0);
});

/** Channels that verify a payment so long after its creation. */
function slowChannels(verifiedMs: number): readonly Channel[] {
  return everyChannel({
    async verify(payment, now) {
      const readyAt = payment.createdAt + verifiedMs;
      return now < readyAt ? { askAgainAt: readyAt } : SIMULATOR.verify(payment, now);
    },
  });
}

it.concurrent('with payments that checks confirm and do not follow, compares a wallet once they have ended', async () => {
  const service = await startReference(openSqliteFile, { channels: slowChannels(2 * PAID_MS) });
  const { url: baseUrl, key } = await service.merchants();
  const only = ['text/confirmPayment', 'repeat/payment/at-once'];
  const { results } = await verifyService({ baseUrl, key, driver: 'gateway', only });
  await service.close();
  expect(results.filter(({ verdict }) => verdict !== 'conforming')).toEqual([]);
});

it.concurrent('with payments that take long, and settle after the time limit, has no violation', async () => {
  const methods = sandboxMethods.map((method) => ({ ...method, settlementMs: TIMEOUT_MS + PAID_MS }));
  const service = await startReference(openSqliteFile, { channels: slowChannels(PAID_MS), methods });
  const { url: baseUrl, key } = await service.merchants();
  const { results } = await verifyService({ baseUrl, key, only: ['money'], timeoutMs: TIMEOUT_MS });
  await service.close();
  expect(results.filter(({ findings }) => findings.length > 0)).toEqual([]);
});

it.concurrent('with a wallet that never stays the same, say so in the finding', async () => {
  const { key, secret } = await gateway.addMerchant({ available: filled(100_000) });
  let reads = 0;
  const proxy = await startProxy(
    { url: gateway.url, key, secondKey: key, secret, store: {} as Store },
    {
      response({ body }, { operation }) {
        if (operation !== 'getBalance') return;
        reads += 1;
        for (const entry of (body as unknown as { balances: { available: number }[] }).balances)
          entry.available += reads;
      },
    },
  );
  const only = ['money/payout/returned'];
  const { results } = await verifyService({ baseUrl: proxy.url, key, only, timeoutMs: TIMEOUT_MS });
  await proxy.close();
  const findings = results.flatMap((result) => result.findings.map(({ expected }) => expected));
  expect(findings).toEqual([
    expect.stringContaining('it kept changing before, so use a merchant that nothing else uses'),
  ]);
});

it.concurrent('with money that comes in after the wallet was read, has no violation', async () => {
  const { key, secret, wallets } = await gateway.addMerchant();
  let funded = 0;
  const proxy = await startProxy(
    { url: gateway.url, key, secondKey: key, secret, store: {} as Store },
    {
      async request({ operation, body }) {
        const { currency, amount } = toObject(body);
        if (operation !== 'createPayout' || currency !== UNUSED || funded === 2) return;
        funded += 1;
        await wallets.fund(UNUSED, 2 * Number(amount));
      },
    },
  );
  const only = ['money/payout/insufficient'];
  const { results } = await verifyService({ baseUrl: proxy.url, key, driver: 'gateway', only });
  await proxy.close();
  expect(results.map(({ verdict, findings }) => ({ verdict, findings }))).toEqual([
    { verdict: 'conforming', findings: [] },
  ]);
  expect(funded).toBe(2);
});

it.concurrent('with money that settles too late, has no violation', async () => {
  const { key, clock } = await gateway.addMerchant();
  await clock.freeze();
  const { results } = await verifyService({ baseUrl: gateway.url, key, only: ['money'], timeoutMs: 2_000 });
  expect(results.filter(({ findings }) => findings.length > 0)).toEqual([]);
  expect(results.filter(({ verdict }) => verdict === 'not reached').map(({ id }) => id)).toEqual([
    'money/payout/withdrawn',
    'money/settlement',
  ]);
});

it('a payout beyond the balance is declined by the service, not moved by the driver', async () => {
  const { key } = await gateway.addMerchant();
  const moved: string[] = [];
  const driver: Driver = {
    ...gatewayDriver,
    move: async (kind, _id, { until }) => void moved.push(`${kind} ${until}`),
  };
  const { results } = await verifyService({ baseUrl: gateway.url, key, driver, only: ['money/payout/insufficient'] });
  expect(results.map(({ verdict }) => verdict)).toEqual(['conforming']);
  expect(moved).not.toContain('payout FAILED');
});

it('a missing wallet is not emptied, so that no check waits for it', async () => {
  const drained: string[] = [];
  const drainWallet = async (currency: string) => {
    drained.push(currency);
    return async () => undefined;
  };
  const settings = { timeoutMs: TIMEOUT_MS } as Settings;
  const send = async (call: ServiceCall) => Promise.reject(new NoHttpResponse('no response in time', call, true));
  const tools = { contract, settings, driver: { ...gatewayDriver, drainWallet }, send } as unknown as FixtureTools;
  await expect(new Fixtures(tools, sharedFixtures(settings)).drain('INR')).rejects.toThrow('no response in time');
  expect(drained).toEqual([]);
});
