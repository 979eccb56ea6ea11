/** Work due at once stays with the process that wrote it, and survives the death of that process. */
import { expect, it } from 'vitest';
import { type Store, StoreUnavailable } from '../../../gateway/src/database/store.ts';
import { sandboxMethods } from '../../../gateway/src/domain/methods.ts';
import { CALL_LEASE_MS } from '../../../gateway/src/domain/schedule.ts';
import type { Merchant } from '../../../gateway/src/merchants/merchants.ts';
import { createPayment } from '../../../gateway/src/payments/payments.ts';
import { randomIds } from '../../../gateway/src/platform/ids.ts';
import { storeTime } from '../../../gateway/src/platform/merchant-time.ts';
import type { WorkerPermit } from '../../../gateway/src/platform/worker.ts';
import { CLAIM_MS, type Services } from '../../../gateway/src/transactions/services.ts';
import { DELIVERY_CLAIM_MS } from '../../../gateway/src/webhooks/outbox.ts';
import { watching } from '../../tools/counting.ts';
import { ManualClock } from '../../tools/manual-clock.ts';
import { paymentRequest, START } from '../harness/fixtures.ts';
import {
  afterwards,
  createTestChannels,
  describeOnEachStore,
  everyChannel,
  SIMULATOR,
  startTestGateway,
} from '../harness.ts';
import { startReceiver } from '../webhooks/receiver.ts';

/** Statements that query or claim due work. */
const SEARCH = /min\(next_attempt_at\)|skip locked|with recursive/;
const CALLBACKS = { callbackAllow: ['127.0.0.0/8'] };

/** A request that lacks data, so that the first step of its payment has a webhook. */
function incomplete(callbackUrl?: string) {
  const { name: _, phone: __, ...customer } = paymentRequest().customer;
  return { ...paymentRequest(), ...(callbackUrl && { callback_url: callbackUrl }), customer };
}

/** A process that reserves capacity for each step and counts it, but never begins to work. */
function idleProcess(store: Store, clock: ManualClock) {
  const permits = { reserved: 0, started: 0, released: 0 };
  const reserve = (): WorkerPermit<unknown> => {
    permits.reserved += 1;
    return {
      start: () => {
        permits.started += 1;
      },
      release: () => {
        permits.released += 1;
      },
    };
  };
  const nothing = () => undefined;
  const services: Services = {
    ...{
      store,
      clock,
      time: storeTime(clock),
      ids: randomIds,
      methods: sandboxMethods,
      channels: createTestChannels(),
    },
    checkoutUrl: String,
    report: nothing,
    workers: {
      reserveTransaction: reserve,
      reserveDelivery: reserve,
      expectTransaction: nothing,
      expectDelivery: nothing,
    },
  };
  return {
    permits,
    create: (merchant: Merchant, body: object) => createPayment(services, { merchant, body } as never),
  };
}

describeOnEachStore('due work', (open, database) => {
  it('is done by the process that wrote it, without a search or a claim', async () => {
    const statements: string[] = [];
    const store = watching(await open(), (sql) => statements.push(sql));
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

  it('moves to another process when the lease of a dead process ends', async () => {
    const store = await open();
    const clock = new ManualClock(START);
    const receiver = await startReceiver();
    const { gateway, merchant, call } = await startTestGateway({ store, clock, ...CALLBACKS });
    const dying = idleProcess(store, clock);
    const { transaction_id: due } = await dying.create(merchant, paymentRequest());
    await dying.create(merchant, incomplete(receiver.address));
    expect(dying.permits).toEqual({ reserved: 2, started: 2, released: 0 });
    const status = async () => (await call('GET', `/payments/${due}`)).body.status;

    clock.advance(DELIVERY_CLAIM_MS - 1);
    await gateway.idle();
    expect(receiver.requests).toEqual([]);
    clock.advance(1);
    await receiver.received(1);
    await gateway.idle();

    clock.advance(CALL_LEASE_MS - DELIVERY_CLAIM_MS - 1);
    await gateway.idle();
    expect(await status()).toBe('CREATED');
    clock.advance(1);
    await gateway.idle();
    expect(await status()).toBe('PAY_CONFIRMATION_NEEDED');
  });

  it("includes the channel call in the creation's write", async () => {
    const store = await open();
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
    const address = await database();
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

  it('releases its capacity if it is rejected or cannot be written', async () => {
    const store = await open();
    const { merchant } = await startTestGateway({ store });
    const clock = new ManualClock(START);
    const rejected = idleProcess(store, clock);
    const requests = [paymentRequest(), incomplete()];
    for (const request of requests) await rejected.create(merchant, request);
    for (const request of requests) await rejected.create(merchant, request);
    expect(rejected.permits).toEqual({ reserved: 4, started: 2, released: 2 });

    const unit: Store['unit'] = async () => {
      throw new StoreUnavailable('the disk fails');
    };
    const failing = idleProcess({ ...store, unit }, clock);
    await expect(failing.create(merchant, paymentRequest())).rejects.toThrow(StoreUnavailable);
    await expect(failing.create(merchant, incomplete())).rejects.toThrow(StoreUnavailable);
    expect(failing.permits).toEqual({ reserved: 2, started: 0, released: 2 });
  });
});

describeOnEachStore('a full worker', (open) => {
  it('leaves due work in the database, and claims it once it has room', async () => {
    const store = await open();
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
