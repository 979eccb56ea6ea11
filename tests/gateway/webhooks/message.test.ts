/** The headers of a webhook. tests/contract/webhook-vectors.test.ts tests their signatures. */

import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readBundle } from '../../../contract/src/model.ts';
import { withKeys } from '../../../gateway/src/database/store.ts';
import { KeyRing } from '../../../gateway/src/platform/key-ring.ts';
import { readWireFormat, type Signed, signedHeaders, signingKey } from '../../../gateway/src/webhooks/signature.ts';
import { openTestSqlite } from '../harness.ts';
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
});

const KEYS = new KeyRing([randomBytes(32)]);
const OTHERS = new KeyRing([randomBytes(32)]);

describe('an encrypted signing secret', () => {
  const open = openTestSqlite;
  it('postpones webhooks and names the key if the gateway lacks it', async () => {
    const store = await open();
    const { merchant } = await addSigningMerchant(withKeys(store, KEYS));
    const receiver = await startReceiver();
    await addEvents(store, merchant, [receiver.address]);
    const { worker, reported } = startTestDeliveries(withKeys(store, OTHERS), startClock());
    await worker.idle();
    expect(receiver.requests).toEqual([]);
    expect((await readEvents(store))[0]).toMatchObject({
      attempts: 0,
      last_result: expect.stringMatching(new RegExp(`^not sent: key ${KEYS.ids[0]}, .* is missing$`)),
    });
    expect(reported).toEqual([]);
  });
});
