import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect, it, vi } from 'vitest';
import { createSigningSecret } from '../../../gateway/src/merchants/signing-secrets.ts';
import { KeyRing } from '../../../gateway/src/platform/key-ring.ts';
import type { Received } from '../../tools/endpoint.ts';
import { START } from '../harness/fixtures.ts';
import LIVE_CARRIERS from '../harness/live.config.ts';
import { describeOnEachStore, openTestSqlite, startTestGateway } from '../harness.ts';
import { addEvents, addSigningMerchant, readEvents, startClock, startTestDeliveries } from './deliveries.ts';
import { startReceiver } from './receiver.ts';

const KEYS = new KeyRing([randomBytes(32)]);
const OTHERS = new KeyRing([randomBytes(32)]);

describeOnEachStore('an encrypted signing secret', (open) => {
  it('signs webhooks', async () => {
    const store = await open();
    const { merchant, secret } = await addSigningMerchant(store, KEYS);
    const receiver = await startReceiver();
    await addEvents(store, merchant, [receiver.address]);
    await startTestDeliveries(store, startClock(), { secretKeys: KEYS }).attempted(1);
    const { body, headers } = receiver.requests[0] as Received;
    vi.useFakeTimers({ toFake: ['Date'], now: START });
    new Webhook(secret).verify(body, headers as Record<string, string>);
    vi.useRealTimers();
  });

  it('postpones webhooks and names the key if the gateway lacks it', async () => {
    const store = await open();
    const { merchant } = await addSigningMerchant(store, KEYS);
    const receiver = await startReceiver();
    await addEvents(store, merchant, [receiver.address]);
    const { worker, reported } = startTestDeliveries(store, startClock(), { secretKeys: OTHERS });
    await worker.idle();
    expect(receiver.requests).toEqual([]);
    expect((await readEvents(store))[0]).toMatchObject({
      attempts: 0,
      last_result: expect.stringMatching(new RegExp(`^not sent: key ${KEYS.ids[0]}, .* is missing$`)),
    });
    expect(reported).toEqual([]);
  });
});

it.each([
  ['without its key', OTHERS, { live: false }, `key ${KEYS.ids[0]}`],
  ['live while a secret is stored in the clear', KEYS, { live: true }, 'signing secrets stored in the clear: 1'],
])('a gateway does not start %s', async (_what, secretKeys, keyPolicy, message) => {
  const store = await openTestSqlite();
  const { merchant } = await addSigningMerchant(store, KEYS);
  if (keyPolicy.live) {
    await store.unit((db) => db.run('delete from signing_secrets'));
    await store.unit((db) => createSigningSecret(db, merchant.id, START, new KeyRing()));
  }
  await expect(startTestGateway({ store, secretKeys, keyPolicy, ...LIVE_CARRIERS })).rejects.toThrow(message);
});
