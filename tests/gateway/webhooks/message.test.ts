/** The headers of a webhook. tests/contract/webhook-vectors.test.ts tests their signatures. */

import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, vi } from 'vitest';
import { readBundle } from '../../../contract/src/model.ts';
import { createSigningSecret } from '../../../gateway/src/merchants/signing-secrets.ts';
import { KeyRing } from '../../../gateway/src/platform/key-ring.ts';
import { storeTime } from '../../../gateway/src/platform/merchant-time.ts';
import type { Tracer } from '../../../gateway/src/platform/tracing.ts';
import { createMessageSender } from '../../../gateway/src/webhooks/message.ts';
import type { SendResult } from '../../../gateway/src/webhooks/retries.ts';
import { readWireFormat, type Signed, signedHeaders, signingKey } from '../../../gateway/src/webhooks/signature.ts';
import type { Received } from '../../tools/endpoint.ts';
import { ManualClock } from '../../tools/manual-clock.ts';
import { START } from '../harness/fixtures.ts';
import LIVE_CARRIERS from '../harness/live.config.ts';
import { openTestSqlite, startTestGateway } from '../harness.ts';
import { addEvents, addSigningMerchant, readEvents, startClock, startTestDeliveries } from './deliveries.ts';
import { startReceiver } from './receiver.ts';

const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const EVENT: Signed = { id: 'evt_1', timestamp: 1_772_442_000, body: '{"status":"SUCCESS","note":"₹ 499.00"}' };

const bundle = readBundle();
const format = readWireFormat(bundle);

const headersOf = () => signedHeaders(format, EVENT, [signingKey(SECRET)]);

describe('the wire format', () => {
  it('has exactly the headers that the contract requires of a webhook', () => {
    const required = Object.values(bundle.components.parameters)
      .filter((parameter) => parameter.in === 'header')
      .map(({ name }) => name.toLowerCase());
    const sent = Object.keys(headersOf()).map((name) => name.toLowerCase());
    expect(sent.sort()).toEqual([...required, 'content-type'].sort());
  });

  it('has the same value in the branded header and the Standard Webhooks header', () => {
    const headers = headersOf();
    expect(format.signatures).toHaveLength(2);
    expect(new Set(format.signatures.map((name) => headers[name])).size).toBe(1);
  });

  it('follows the brand of the document', () => {
    const text = JSON.stringify(bundle).replaceAll(/X-\w+-Signature/g, 'X-Acme-Signature');
    expect(readWireFormat(JSON.parse(text)).signatures).toContain('X-Acme-Signature');
  });

  it('is refused if a webhook lacks the timestamp header', () => {
    const text = JSON.stringify(bundle).replaceAll('"webhook-timestamp"', '"webhook-time"');
    expect(() => readWireFormat(JSON.parse(text))).toThrow('needs headers for id, timestamp and signature');
  });
});

const MESSAGE = { id: 'evt_1', merchantId: 1, url: 'https://shop.example/hook', body: '{}' };

/** Sends a webhook. Returns the errors of its spans, and the sent headers. */
async function send(result: SendResult | Error) {
  const ended: (string | undefined)[] = [];
  const sent: Readonly<Record<string, string>>[] = [];
  const tracer: Pick<Tracer, 'start'> = {
    start: () => ({
      ...{ traceparent: '00-a-b-01', passedOn: '00-a-b-01', fields: { trace_id: 'a', span_id: 'b' } },
      set: () => undefined,
      end: (error) => void ended.push(error),
    }),
  };
  const sign = async () => {
    if (result instanceof Error) throw result;
    return { 'webhook-id': 'evt_1' };
  };
  const services = { time: storeTime(new ManualClock(START)), tracer: tracer as Tracer };
  const sender = createMessageSender(services, { sign } as never, async (_url, headers) => {
    sent.push(headers);
    return result as SendResult;
  });
  await sender.send(MESSAGE).catch(() => undefined);
  return { ended, sent };
}

it.each<[string, SendResult | Error, string | undefined]>([
  ['a success after 204', { status: 204 }, undefined],
  ['a failure after a redirect, which is not followed', { status: 302 }, '302'],
  ['a failure without a response', { failure: 'connection refused' }, 'connection refused'],
  ['a failure if it could not be signed', new TypeError('no keys'), 'TypeError'],
])('is %s', async (_what, result, error) => {
  const { ended, sent } = await send(result);
  expect(ended).toEqual([error]);
  expect(sent).toEqual(result instanceof Error ? [] : [{ 'webhook-id': 'evt_1', traceparent: '00-a-b-01' }]);
});

const KEYS = new KeyRing([randomBytes(32)]);
const OTHERS = new KeyRing([randomBytes(32)]);

describe('an encrypted signing secret', () => {
  const open = openTestSqlite;
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
