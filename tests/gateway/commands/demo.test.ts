/** The merchant of `payments-gateway sandbox`. */

import { randomBytes } from 'node:crypto';
import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { addDemoReceiver, DEMO_RECEIVER, demoMerchant } from '../../../gateway/src/commands/demo.ts';
import { sandboxMethods } from '../../../gateway/src/domain/methods.ts';
import { type HttpEnv, localConnection, RequestContext } from '../../../gateway/src/http/context.ts';
import { readContract } from '../../../gateway/src/http/contract.ts';
import { postEntry, readWallets } from '../../../gateway/src/ledger/wallets.ts';
import { randomIds } from '../../../gateway/src/platform/ids.ts';
import { NO_KEYS } from '../../../gateway/src/platform/key-ring.ts';
import { readWireFormat, signedHeaders, signingKey } from '../../../gateway/src/webhooks/signature.ts';
import { START } from '../harness/fixtures.ts';
import { openTestSqlite } from '../harness.ts';

const LARGEST_PAYOUT = Math.max(...sandboxMethods.map(({ kind, limits }) => (kind === 'payout' ? limits.max : 0)));

describe('the demo merchant', () => {
  const open = openTestSqlite;
  it('has money for payouts in each currency, and is funded once', async () => {
    const store = await open();
    const { merchantId, ...access } = await demoMerchant(store, NO_KEYS);
    const funded = await readWallets(store.read, merchantId, 0);
    const currencies = readContract().bundle.components.schemas['Currency']?.enum;
    expect(funded.map(({ currency }) => currency)).toEqual([...(currencies ?? [])].sort());
    for (const { available } of funded) expect(available).toBeGreaterThan(LARGEST_PAYOUT);
    const posting = { id: randomIds.newId('led', 0), merchantId, currency: 'INR', transactionId: null, now: 0 };
    const amount = funded.find(({ currency }) => currency === 'INR')?.available ?? 0;
    await store.unit((db) => postEntry(db, { from: 'available', to: 'bank', amount, reason: 'paid_out' }, posting));
    expect(await demoMerchant(store, NO_KEYS)).toEqual({ merchantId, ...access });
    const after = await readWallets(store.read, merchantId, 0);
    expect(after.map(({ available }) => available)).toEqual(
      funded.map(({ currency, available }) => (currency === 'INR' ? 0 : available)),
    );
  });
});

const BODY = String.raw`{"transaction_id":"pay_1","status":"SUCCESS","decline_reason":"\u001b[2J","note":"₹"}`;

/** Starts an endpoint whose clock shows START, and returns a function that posts signed webhooks to it. */
async function startReceiver() {
  const told: string[] = [];
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const contract = readContract();
  const app = new Hono<HttpEnv>();
  app.use((c, next) => {
    c.set('request', new RequestContext('req_1'));
    return next();
  });
  addDemoReceiver(app, {
    ...{ contract, secret, bodyBytesMax: 65_536 },
    tell: (line) => told.push(line),
    now: () => START,
  });
  const format = readWireFormat(contract.bundle);
  const post = async (body = BODY, signature?: string) => {
    const headers = signedHeaders(format, { id: 'evt_1', timestamp: START / 1_000, body: BODY }, [signingKey(secret)]);
    if (signature) for (const name of format.signatures) headers[name] = signature;
    // Each non-ASCII byte of a header arrives as one character.
    const received = Object.entries(headers).map(([name, value]) => [name, Buffer.from(value).toString('latin1')]);
    const init = { method: 'POST', headers: received as [string, string][], body };
    const request = new Request(`http://localhost${DEMO_RECEIVER}`, init);
    const response = await app.fetch(request, localConnection(request, ''));
    return { status: response.status, text: await response.text() };
  };
  return { post, told };
}

describe("the demo shop's endpoint", () => {
  it('accepts a genuine webhook and prints it without its escape sequences', async () => {
    const { post, told } = await startReceiver();
    expect(await post()).toEqual({ status: 204, text: '' });
    expect(told).toEqual([String.raw`webhook  SUCCESS  pay_1  \u001b[2J  (signature verified)`]);
  });

  it.each([
    ['a body that was changed', BODY.replace('SUCCESS', 'FAILED'), undefined],
    ['a signature of as many characters outside ASCII as the genuine one has', BODY, 'é'.repeat(47)],
    ['a signature of as many bytes outside ASCII as the genuine one has', BODY, `${'é'.repeat(23)}x`],
  ])('refuses %s, and prints nothing', async (_what, body, signature) => {
    const { post, told } = await startReceiver();
    expect(await post(body, signature)).toEqual({ status: 400, text: 'the signature does not match' });
    expect(told).toEqual([]);
  });
});
