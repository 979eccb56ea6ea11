/** Isolated merchants for tests, without an account: create, reset and delete. */
import { text } from '../../database/row-mapper.ts';
import { placeholders } from '../../database/sql.ts';
import type { Database, Value } from '../../database/store.ts';
import { requestKey } from '../../http/key-holders.ts';
import { ProblemError, ProblemWithHeaders } from '../../http/problems.ts';
import { createWallet, DEMO_FUNDS, fundWallet, readWallets } from '../../ledger/wallets.ts';
import { createApiKey, demoMerchantId } from '../../merchants/api-keys.ts';
import {
  countAnonymousMerchants,
  createMerchant as create,
  disableMerchant,
  nextExpiry,
} from '../../merchants/merchants.ts';
import { createSigningSecret, expireReplacedSecrets } from '../../merchants/signing-secrets.ts';
import { isSameSecret } from '../../platform/crypto.ts';
import { parseTransaction } from '../../transactions/rows.ts';
import { deleteSearchKeys } from '../../transactions/search-keys.ts';
import { timestamp } from '../../transactions/view.ts';
import type { MerchantPolicy, SandboxOperation, SandboxServices } from '../operation.ts';

const NAME = 'Test Shop';

// Anyone who reaches the sandbox can create merchants, so their number is limited and each expires.

const DAY_MS = 24 * 60 * 60_000;

/** Throws the problem `unauthorized` without the sandbox's key, if it has one. */
function requireSandboxKey({ sandboxKey }: MerchantPolicy, key: string | undefined): void {
  if (sandboxKey === '' || isSameSecret(key ?? '', sandboxKey)) return;
  throw new ProblemError(
    'unauthorized',
    'This sandbox creates merchants only with its own key. Send `Authorization: Bearer <SANDBOX_KEY>`.',
  );
}

/** A time that never comes: the merchant counts, and stays. */
const NEVER_EXPIRES = Number.MAX_SAFE_INTEGER;

/** Returns the expiry of a merchant created now. Throws the problem `rate-limited` if there are too many. */
async function admitMerchant(
  db: Database,
  { sandboxMerchantsMax: max, sandboxMerchantDays: days }: MerchantPolicy,
  now: number,
): Promise<number> {
  if ((await countAnonymousMerchants(db)) >= max) {
    const expiry = (await nextExpiry(db)) ?? NEVER_EXPIRES;
    const next = expiry === NEVER_EXPIRES ? now + DAY_MS : expiry;
    throw new ProblemWithHeaders(
      'rate-limited',
      `This sandbox has ${max} merchants without an account, as many as SANDBOX_MERCHANTS_MAX allows. Delete one with its key (DELETE /sandbox/merchant), or retry after the number of seconds in \`Retry-After\`.`,
      { 'retry-after': String(Math.max(1, Math.ceil((next - now) / 1_000))) },
    );
  }
  return days === 0 ? NEVER_EXPIRES : now + days * DAY_MS;
}

export const createMerchant: SandboxOperation<'createMerchant'> = async (
  { store, clock, ids, bundle, merchantPolicy },
  { body, c },
) => {
  requireSandboxKey(merchantPolicy, requestKey(c));
  const now = clock.now();
  const { name = NAME, available = {} } = body;
  const currencies = bundle.components.schemas['Currency']?.enum ?? [];
  return store.unit(async (db) => {
    const expiresAt = await admitMerchant(db, merchantPolicy, now);
    const { id } = await create(db, name, now, expiresAt);
    for (const currency of currencies) {
      await createWallet(db, id, String(currency), now);
      const amount = available[String(currency)];
      if (amount === undefined) continue;
      const entry = ids.newId('led', now, 'opening', id, String(currency));
      await fundWallet(db, { id: entry, merchantId: id, currency: String(currency), now }, amount);
    }
    const { key } = await createApiKey(db, id, now, { live: false }, ids);
    const secret = await createSigningSecret(db, id, now, { ids });
    return {
      ...{ merchant_id: id, name, key, secret },
      ...(expiresAt !== NEVER_EXPIRES && { expires_at: timestamp(expiresAt) }),
    };
  });
};

/** Deletes everything but the merchant, its keys and its secrets. The demo merchant gets its money again. */
export const resetMerchant: SandboxOperation<'resetMerchant'> = async (services, { merchant }) => {
  const { sandboxState, clock, ids, wake, deliveries, requests, store } = services;
  const { id: merchantId, name, createdAt } = merchant;
  await deletePieces(services, merchantId);
  requests.forget(merchantId);
  const run = ids.count();
  const isDemo = merchantId === (await demoMerchantId(store.read));
  await sandboxState.change(merchantId, async (_settings, db) => {
    const now = clock.now();
    await deleteRest(db, merchantId);
    // A clock that was ahead would make some valid again.
    await expireReplacedSecrets(db, merchantId, now);
    for (const { currency } of isDemo ? await readWallets(db, merchantId, now) : []) {
      const id = ids.newId('led', now, 'reset', merchantId, currency, run);
      await fundWallet(db, { id, merchantId, currency, now }, DEMO_FUNDS);
    }
    return {};
  });
  deliveries.forgetKeys(merchantId);
  wake();
  return { id: merchantId, name, created_at: timestamp(createdAt) };
};

export const deleteMerchant: SandboxOperation<'deleteMerchant'> = async (services, { merchant }) => {
  if (merchant.id === (await demoMerchantId(services.store.read))) {
    throw new ProblemError(
      'wrong-state',
      "The demo merchant can't be deleted. Reset it: POST /sandbox/merchant/reset.",
    );
  }
  await removeMerchant(services, merchant.id);
};

/** Deletes a merchant with all that belongs to it. Its keys are refused from the beginning on. */
export async function removeMerchant(services: SandboxServices, merchantId: number): Promise<void> {
  const { store, sandboxState, clock, deliveries, requests, followers, forgetMerchant } = services;
  await store.unit((db) => disableMerchant(db, merchantId, clock.now()));
  forgetMerchant(merchantId);
  followers.endMerchant(merchantId);
  await deletePieces(services, merchantId);
  requests.forget(merchantId);
  await sandboxState.delete(merchantId, async (db) => {
    await deleteRest(db, merchantId);
    await deleteMerchantRow(db, merchantId, clock.now());
  });
  deliveries.forgetKeys(merchantId);
}

async function deletePieces({ store }: SandboxServices, merchantId: number): Promise<void> {
  while (await store.unit((db) => deleteBatch(db, merchantId)));
}

// Deletes a sandbox merchant's data in small units of work, transaction by transaction. The last unit empties the
// wallets along with any new rows, so that the ledger stays balanced.

/** Transactions deleted per unit of work, with all their rows. */
const BATCH_SIZE = 64;

/** Rows of a merchant that belong to no transaction, in an order in which they can be deleted. */
const OF_MERCHANT = ['stopped_urls', 'hanging_addresses', 'customer_usage', 'sandbox_requests', 'proposals'];
const ACCESS = ['api_keys', 'signing_secrets'];

/** Deletes some transactions of the merchant with their events and ledger entries. Returns false when none was left. */
async function deleteBatch(db: Database, merchantId: number): Promise<boolean> {
  const rows = await db.all(
    `select id, details, state, amount_paid from transactions
     where merchant_id = ? order by kind, order_id limit ${BATCH_SIZE} for update`,
    merchantId,
  );
  if (rows.length === 0) return false;
  for (const row of rows) await deleteSearchKeys(db, parseTransaction(row, db.keys));
  const ids: Value[] = rows.map(text('id'));
  while (ids.length < BATCH_SIZE) ids.push(null);
  const within = `in (${placeholders(ids)})`;
  await db.run(
    `delete from stopped_urls where event_id in (select id from events where transaction_id ${within})`,
    ...ids,
  );
  await db.run(`delete from events where transaction_id ${within}`, ...ids);
  await db.run(`delete from ledger_entries where transaction_id ${within}`, ...ids);
  await db.run(`delete from transactions where id ${within}`, ...ids);
  return true;
}

/** Deletes the remaining rows, and empties the wallets. */
async function deleteRest(db: Database, merchantId: number): Promise<void> {
  while (await deleteBatch(db, merchantId));
  // A step that posts an entry locks its wallet first.
  await db.all('select currency from wallets where merchant_id = ? order by currency for update', merchantId);
  while (await deleteBatch(db, merchantId));
  await db.run('delete from ledger_entries where transaction_id is null and merchant_id = ?', merchantId);
  await db.run(
    'update wallets set available = 0, pending = 0, reserved = 0, settled_until = 0 where merchant_id = ?',
    merchantId,
  );
  for (const table of OF_MERCHANT) await db.run(`delete from ${table} where merchant_id = ?`, merchantId);
}

/** Deletes the merchant after its data. Its row stays, so that its number is never reused. */
async function deleteMerchantRow(db: Database, merchantId: number, now: number): Promise<void> {
  for (const table of [...ACCESS, 'wallets']) await db.run(`delete from ${table} where merchant_id = ?`, merchantId);
  await db.run("update merchants set name = '', deleted_at = ? where id = ?", now, merchantId);
}
