/** The demo merchant of a gateway on a laptop: the same at every start, so that its key can be printed again. */

import type { Hono } from 'hono';
import { printable } from '../../../contract/src/printable.ts';
import { requestExamples, responseExamples } from '../../../generated/examples.ts';
import { bindOperations } from '../core.ts';
import { readSharedClock } from '../database/shared-clock.ts';
import type { Store } from '../database/store.ts';
import { readBytes } from '../http/body.ts';
import type { HttpEnv } from '../http/context.ts';
import { readContract, type WireContract } from '../http/contract.ts';
import { respond } from '../http/responses.ts';
import { createWallet, DEMO_FUNDS, postEntry } from '../ledger/wallets.ts';
import { DEMO_KEY, demoMerchantId, insertDemoKey } from '../merchants/api-keys.ts';
import { createConsoleLink } from '../merchants/console-access.ts';
import { createMerchant, merchantById } from '../merchants/merchants.ts';
import { createSigningSecret, validSecrets } from '../merchants/signing-secrets.ts';
import { type Ids, randomIds } from '../platform/ids.ts';
import { transactionByOrderId } from '../transactions/rows.ts';
import type { Services } from '../transactions/services.ts';
import { findForgery, readReceived, readWireFormat } from '../webhooks/signature.ts';

const NAME = 'Demo Shop';

export interface Demo {
  readonly merchantId: number;
  readonly key: string;
  readonly secret: string;
}

/** Finds or creates the demo merchant. Its key is accepted only by a gateway with the policy `demo`. */
export async function demoMerchant(store: Store, ids: Ids = randomIds): Promise<Demo> {
  const now = (await readSharedClock(store)).now();
  return store.unit(async (db) => {
    const merchantId = (await demoMerchantId(db)) ?? (await createMerchant(db, NAME, now)).id;
    await insertDemoKey(db, merchantId, now);
    for (const currency of readContract().bundle.components.schemas['Currency']?.enum ?? []) {
      const id = ids.newId('led', now, 'demo', merchantId, String(currency));
      const posting = { id, merchantId, currency: String(currency), transactionId: null, now };
      // Once: what is paid out afterwards is gone.
      if (await createWallet(db, merchantId, posting.currency, now)) {
        await postEntry(db, { from: 'bank', to: 'available', amount: DEMO_FUNDS, reason: 'funded' }, posting);
      }
    }
    const [newest] = await validSecrets(db, merchantId, now);
    const secret = newest?.secret ?? (await createSigningSecret(db, merchantId, now, { ids }));
    return { merchantId, key: DEMO_KEY, secret };
  });
}

/** A link that opens the console of the demo merchant once; undefined if its key was revoked. */
export async function demoConsoleLink(store: Store, address: string): Promise<string | undefined> {
  const clock = await readSharedClock(store);
  const link = await store.unit((db) => createConsoleLink(db, { key: DEMO_KEY }, clock.now()));
  return link && `${address}/console/login/${link.token}`;
}

/** Creates them for the merchant, each with its example's id. Skips order ids in use. */
export async function createExampleTransactions(services: Services, merchantId: number): Promise<void> {
  const { store, ids } = services;
  const merchant = await merchantById(store.read, merchantId);
  if (!merchant) throw new Error(`merchant ${merchantId} was deleted`);
  for (const { kind, operation, body, id } of listCreations()) {
    if (await transactionByOrderId(store.read, merchantId, kind, body.merchant_order_id)) continue;
    const newId: Services['ids']['newId'] = (prefix, ...rest) =>
      id.startsWith(`${prefix}_`) ? id : ids.newId(prefix, ...rest);
    const handlers = bindOperations({ ...services, ids: { ...ids, newId } });
    await handlers[operation]?.({ merchant, parameters: {}, body });
  }
}

/** The creation examples, with the id of the transaction in their responses. */
function listCreations() {
  const payments = Object.entries(responseExamples.createPayment[200]).map(([name, { transaction_id: id }]) => {
    const { body } = requestExamples.createPayment[name as keyof typeof requestExamples.createPayment];
    return { kind: 'payment', operation: 'createPayment', body, id } as const;
  });
  const payouts = Object.entries(responseExamples.createPayout[201]).map(([name, { transaction_id: id }]) => {
    const { body } = requestExamples.createPayout[name as keyof typeof requestExamples.createPayout];
    return { kind: 'payout', operation: 'createPayout', body, id } as const;
  });
  return [...payments, ...payouts];
}

// The demo shop's webhook endpoint, so that a first payment shows its webhooks without another program. Like every
// receiver, it verifies the raw body before using it.

export const DEMO_RECEIVER = '/demo/webhooks';

interface DemoReceiver {
  readonly contract: WireContract;
  readonly secret: string;
  readonly bodyBytesMax: number;
  /** Gets a line for each webhook. */
  readonly tell: (line: string) => void;
  /** The merchant's time in milliseconds since 1970. */
  readonly now: () => number;
}

export function addDemoReceiver(app: Hono<HttpEnv>, { contract, secret, bodyBytesMax, tell, now }: DemoReceiver): void {
  const format = readWireFormat(contract.bundle);
  app.post(DEMO_RECEIVER, async (c) => {
    const body = new TextDecoder().decode(await readBytes(c, bodyBytesMax));
    const forgery = await findForgery(readReceived(format, c.req.header.bind(c.req), body), secret, now());
    if (forgery !== undefined) return respond(c, 400, forgery, { 'content-type': 'text/plain; charset=utf-8' });
    const { transaction_id: id, status, decline_reason: reason } = JSON.parse(body) as Record<string, string>;
    tell(printable(`webhook  ${[status, id, reason].filter(Boolean).join('  ')}  (signature verified)`));
    return respond(c, 204, null);
  });
}
