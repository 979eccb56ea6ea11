/** Work due at once stays with the process that wrote it. */
import { describe, expect, it } from 'vitest';
import type { Store } from '../../../gateway/src/database/store.ts';
import { sandboxMethods } from '../../../gateway/src/domain/methods.ts';
import { CALL_LEASE_MS } from '../../../gateway/src/domain/schedule.ts';
import type { Merchant } from '../../../gateway/src/merchants/merchants.ts';
import { createPayment } from '../../../gateway/src/payments/payments.ts';
import { randomIds } from '../../../gateway/src/platform/ids.ts';
import { storeTime } from '../../../gateway/src/platform/merchant-time.ts';
import type { WorkerPermit } from '../../../gateway/src/platform/worker.ts';
import { CLAIM_MS, type Services } from '../../../gateway/src/transactions/services.ts';
import { ManualClock } from '../../tools/manual-clock.ts';
import { watching } from '../../tools/watching.ts';
import { paymentRequest, START } from '../harness/fixtures.ts';
import {
  afterwards,
  createTestChannels,
  everyChannel,
  openTestSqlite,
  SIMULATOR,
  sqliteDatabase,
  startTestGateway,
} from '../harness.ts';
import { startReceiver } from '../webhooks/receiver.ts';

/** Statements that query or claim due work. */
const SEARCH = /min\(next_attempt_at\)|skip locked|with recursive/;
const CALLBACKS = { callbackAllow: ['127.0.0.0/8'] };

/** A process that reserves capacity for each step, and never begins to work. */
function idleProcess(store: Store, clock: ManualClock) {
  const ignore = () => undefined;
  const reserve = (): WorkerPermit<unknown> => ({ start: ignore, release: ignore });
  const services: Services = {
    ...{ store, clock, time: storeTime(clock), ids: randomIds, methods: sandboxMethods },
    ...{ channels: createTestChannels(), checkoutUrl: String, report: ignore },
    workers: {
      ...{ reserveTransaction: reserve, reserveDelivery: reserve },
      ...{ expectTransaction: ignore, expectDelivery: ignore },
    },
  };
  return {
    create: (merchant: Merchant, body: object) => createPayment(services, { merchant, body } as never),
  };
}

describe('due work', () => {
  it('is done by the process that wrote it, without a search or a claim', async () => {
    const statements: string[] = [];
    const store = watching(await openTestSqlite(), (sql) => statements.push(sql));
    const receiver = await startReceiver();
    let written = 0;
    const onAttempt = () => {
      written += 1;
    };
    const { call, gateway } = await startTestGateway({ store, ...CALLBACKS, webhooks: { onAttempt } });
    const pay = async () =>
      expect((await call('POST', '/payments', paymentRequest({ callback_url: receiver.address }))).status).toBe(200);
    await pay();
    await receiver.received(1);
    await gateway.idle();
    // A new address is not dispatched to.
    expect(statements.filter((sql) => SEARCH.test(sql))).not.toEqual([]);

    statements.length = 0;
    await pay();
    await expect.poll(() => written).toBe(2);
    expect(receiver.requests.map(({ body }) => JSON.parse(body).status)).toEqual(
      Array(2).fill('PAY_CONFIRMATION_NEEDED'),
    );
    expect(statements.filter((sql) => SEARCH.test(sql))).toEqual([]);
  });

  it("includes the channel call in the creation's write", async () => {
    const store = await openTestSqlite();
    const writing = idleProcess(store, new ManualClock(START));
    const { merchant } = await startTestGateway({ store });
    const written = async (body: object) => {
      const { transaction_id: id } = await writing.create(merchant, body);
      const row = await store.read.get('select version, state, next_attempt_at from transactions where id = ?', id);
      const { usageAmount, attempts } = JSON.parse(String(row?.['state']));
      return { version: row?.['version'], usageAmount, attempts, due: Number(row?.['next_attempt_at']) - START };
    };
    const request = paymentRequest();
    const called = { version: 1, usageAmount: request.amount, attempts: 0, due: CALL_LEASE_MS };
    expect(await written(request)).toEqual(called);
    // A payment that breaks a rule is declined by the step that follows.
    expect(await written(paymentRequest({ amount: 1 }))).toEqual({ version: 1, due: CLAIM_MS });
  });

  it('is finished before its gateway has closed', async () => {
    const address = await sqliteDatabase();
    const [called, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const channels = everyChannel({
      async initiate(...call) {
        called.resolve();
        await gate.promise;
        return SIMULATOR.initiate(...call);
      },
    });
    const { call, gateway } = await startTestGateway({ store: address.connect(), channels, channelMsMax: 60_000 });
    await call('POST', '/payments', paymentRequest());
    await called.promise;
    let closed = false;
    const closing = gateway.close().then(() => {
      closed = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(closed).toBe(false);
    gate.resolve();
    await closing;
    const rows = await address.connect().read.all('select status from transactions');
    expect(rows).toEqual([{ status: 'PAY_CONFIRMATION_NEEDED' }]);
  });
});

describe('a full worker', () => {
  it('leaves due work in the database, and claims it once it has room', async () => {
    const store = await openTestSqlite();
    const gate = Promise.withResolvers<void>();
    const channels = everyChannel({
      async initiate(...call) {
        await gate.promise;
        return SIMULATOR.initiate(...call);
      },
    });
    const { call, gateway } = await startTestGateway({ store, channels, channelMsMax: 60_000 });
    afterwards(async () => gate.resolve());
    await gateway.idle();
    const pay = async () => (await call('POST', '/payments', paymentRequest())).status;
    expect(await Promise.all(Array.from({ length: 260 }, pay))).toEqual(Array(260).fill(200));
    const count = async (condition: string) =>
      (await store.read.get(`select count(*) as n from transactions where ${condition}`))?.['n'];
    // Work beyond the worker's capacity has no lease.
    expect(await count(`next_attempt_at <= ${START}`)).toBe(4);
    gate.resolve();
    await expect.poll(() => count("status = 'PAY_CONFIRMATION_NEEDED'")).toBe(260);
  });
});
