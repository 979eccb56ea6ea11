/** Runs the delivery without the rest of the gateway, on events in the outbox and a fake clock. */
import { vi } from 'vitest';
import { readBundle } from '../../../contract/src/model.ts';
import type { Row, Store } from '../../../gateway/src/database/store.ts';
import type { Merchant } from '../../../gateway/src/merchants/merchants.ts';
import { createSigningSecret } from '../../../gateway/src/merchants/signing-secrets.ts';
import { randomIds } from '../../../gateway/src/platform/ids.ts';
import { storeTime } from '../../../gateway/src/platform/merchant-time.ts';
import type { AttemptReport } from '../../../gateway/src/webhooks/attempt.ts';
import { type DeliveryOptions, startDeliveries } from '../../../gateway/src/webhooks/delivery-job.ts';
import { createGuard, type GuardOptions } from '../../../gateway/src/webhooks/guard.ts';
import { httpSender } from '../../../gateway/src/webhooks/http-sender.ts';
import { appendEvent } from '../../../gateway/src/webhooks/outbox.ts';
import { ManualClock } from '../../tools/manual-clock.ts';
import { addMerchant, addPayment, START } from '../harness/fixtures.ts';
import { afterwards } from '../harness.ts';
import { type Respond, startReceiver, WAITING } from './receiver.ts';

const bundle = readBundle();

/** Starts a delivery that may reach loopback, without jitter. It is stopped after the test. */
export function startTestDeliveries(
  store: Store,
  clock: ManualClock,
  { resolve, ...options }: Partial<DeliveryOptions> & Pick<GuardOptions, 'resolve'> = {},
) {
  const guard = createGuard({ allow: ['127.0.0.0/8'], ...(resolve && { resolve }) });
  const attempts: AttemptReport[] = [];
  const logged: object[] = [];
  /** Failures on this side. */
  const reported: unknown[] = [];
  const worker = startDeliveries(
    { store, clock, time: storeTime(clock), ids: { ...randomIds, fraction: () => 0.5 } },
    {
      bundle,
      openSender: httpSender(guard),
      graceMs: 0,
      log: { warn: (fields) => logged.push(fields) },
      onAttempt: (attempt) => attempts.push(attempt),
      ...options,
    },
    (error) => reported.push(error),
  );
  afterwards(() => worker.stop());
  return {
    ...{ worker, attempts, logged, reported },
    /** Resolves when this many attempts are written. */
    attempted: (count: number) => vi.waitUntil(() => attempts.length >= count, WAITING),
  };
}

/** Creates a clock at the time of the fixtures. */
export function startClock(): ManualClock {
  return new ManualClock(START);
}

/** Adds a merchant with a signing secret. */
export async function addSigningMerchant(store: Store): Promise<{ merchant: Merchant; secret: string }> {
  const merchant = await addMerchant(store);
  return { merchant, secret: await store.unit((db) => createSigningSecret(db, merchant.id, START)) };
}

export type Shop = Awaited<ReturnType<typeof openShop>>;

/** Creates a merchant with a signing secret and an endpoint, in a new store. */
export async function openShop(open: () => Promise<Store>, respond?: Respond) {
  const store = await open();
  return { store, clock: startClock(), ...(await addSigningMerchant(store)), receiver: await startReceiver(respond) };
}

/** Adds due events of a new payment to the outbox. */
export async function addEvents(
  store: Store,
  merchant: Merchant,
  urls: readonly string[],
  { body = '{"status":"SUCCESS"}', now = START } = {},
): Promise<void> {
  const payment = await addPayment(store, merchant);
  await store.unit(async (db) => {
    for (const callbackUrl of urls) {
      const transaction = { ...payment, callbackUrl };
      await appendEvent(db, { id: randomIds.newId('evt', now), transaction, body, now });
    }
  });
}

/** Returns all events, oldest first. */
export function readEvents(store: Store): Promise<Row[]> {
  return store.read.all('select * from events order by created_at, id');
}
