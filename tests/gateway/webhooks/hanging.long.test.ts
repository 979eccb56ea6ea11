/** Addresses that accept connections and never respond don't delay others. */
import { beforeAll, expect, it } from 'vitest';
import type { Store } from '../../../gateway/src/database/store.ts';
import type { Merchant } from '../../../gateway/src/merchants/merchants.ts';
import type { AttemptReport } from '../../../gateway/src/webhooks/attempt.ts';
import { recordHanging } from '../../../gateway/src/webhooks/hanging-addresses.ts';
import { ManualClock } from '../../tools/manual-clock.ts';
import { START } from '../harness/fixtures.ts';
import { describeOnEachStore } from '../harness.ts';
import { addEvents, addSigningMerchant, startTestDeliveries } from './deliveries.ts';
import { hang, type Receiver, startReceiver } from './receiver.ts';

const MANY = 10_000;
/** Concurrent attempts of a merchant at unknown addresses, and at hanging ones. */
const CAPACITY = 64;
/** A later response is late, and its attempt releases its capacity. */
const PROMPT_MS = 3_000;
/** The pause between searches. */
const POLL_MS = 500;

/** A clock that reports when the delivery is idle. */
class WatchedClock extends ManualClock {
  #resting = Promise.withResolvers<void>();
  override until(time: number, signal: AbortSignal): Promise<void> {
    if (time - this.now() <= POLL_MS) {
      this.#resting.resolve();
      this.#resting = Promise.withResolvers();
    }
    return super.until(time, signal);
  }
  /** Resolves at the next rest. */
  rests(): Promise<void> {
    return this.#resting.promise;
  }
}

/** All names resolve to loopback, so that one receiver has any number of addresses. */
const resolve = async () => ['127.0.0.1'];

/** Attempts that ended without a response. */
function ended(attempts: readonly AttemptReport[]): AttemptReport[] {
  return attempts.filter(({ outcome }) => outcome !== 'delivered');
}

function hangingUrls({ port }: Receiver, count = MANY): string[] {
  return Array.from({ length: count }, (_item, index) => `http://hanging-${index}.test:${port}/hook`);
}

/** Milliseconds by which the clock has to be advanced until the receiver gets a request. */
async function delayUntilReceived(clock: WatchedClock, receiver: Receiver): Promise<number> {
  const began = clock.now();
  let received = false;
  const arrival = receiver.received(1).then(() => {
    received = true;
  });
  for (;;) {
    await Promise.race([clock.rests(), arrival]);
    if (received) return clock.now() - began;
    clock.advance(clock.now() === began ? PROMPT_MS : POLL_MS);
  }
}

describeOnEachStore('while 10,000 addresses of a merchant hang', (open) => {
  let store: Store;
  let merchant: Merchant;
  let other: Merchant;
  let hanging: Receiver;

  beforeAll(async () => {
    store = await open();
    ({ merchant } = await addSigningMerchant(store));
    ({ merchant: other } = await addSigningMerchant(store));
    hanging = await startReceiver(hang);
    await addEvents(store, merchant, hangingUrls(hanging), { now: START - 1_000 });
  }, 120_000);

  /** Starts a delivery, and waits until it uses the merchant's capacity. */
  async function startHanging() {
    const clock = new WatchedClock(START);
    const before = hanging.requests.length;
    const { worker, attempts } = startTestDeliveries(store, clock, { resolve });
    await hanging.received(before + CAPACITY);
    return { clock, worker, attempts, live: await startReceiver() };
  }

  it('sends the first webhook to an address of another merchant at once', async () => {
    const { clock, worker, attempts, live } = await startHanging();
    await addEvents(store, other, [live.address]);
    worker.wake();
    await live.received(1);
    expect(clock.now()).toBe(START);
    expect(ended(attempts)).toEqual([]);
  });

  it('sends the first webhook to a new address of the same merchant within 3.5 s', async () => {
    const { clock, worker, live } = await startHanging();
    await addEvents(store, merchant, [live.address]);
    worker.wake();
    expect(await delayUntilReceived(clock, live)).toBeLessThanOrEqual(PROMPT_MS + POLL_MS);
  });

  it('sends the first webhook to a new address at once if the database knows which addresses hang', async () => {
    const addresses = hangingUrls(hanging).map((url) => ({
      merchantId: merchant.id,
      address: new URL(url).origin,
      hangs: true,
    }));
    await store.unit((db) => recordHanging(db, addresses, START));
    const { clock, worker, live } = await startHanging();
    await addEvents(store, merchant, [live.address]);
    worker.wake();
    expect(await delayUntilReceived(clock, live)).toBe(0);
  });
});

describeOnEachStore('an address that hangs', (open) => {
  it('hangs for the next process too, until it responds', async () => {
    const store = await open();
    const clock = new WatchedClock(START);
    const { merchant } = await addSigningMerchant(store);
    const receiver = await startReceiver(hang);
    await addEvents(store, merchant, [receiver.address]);
    const hanging = () => store.read.all('select merchant_id, address, hung_at from hanging_addresses');
    const first = startTestDeliveries(store, clock);
    await receiver.received(1);
    clock.advance(3_000);
    await clock.rests();
    await first.worker.stop();
    expect(await hanging()).toEqual([{ merchant_id: merchant.id, address: receiver.address, hung_at: START + 3_000 }]);
    receiver.respondWith((response) => response.writeHead(204).end());
    await startTestDeliveries(store, clock).attempted(1);
    expect(await hanging()).toEqual([]);
  });
});
