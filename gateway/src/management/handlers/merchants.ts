/** Merchants with their wallets, ledgers and overviews, and the caller. */
import type { Merchant, Overview, SigningSecret, WalletList } from '../../../../generated/management/types.ts';
import type { Database } from '../../database/store.ts';
import { invalid, ProblemError } from '../../http/problems.ts';
import { type LedgerPosition, listEntries } from '../../ledger/ledger-pages.ts';
import { createWallet, readWallets } from '../../ledger/wallets.ts';
import {
  revokeApiKey as endApiKey,
  createApiKey as insertApiKey,
  listApiKeys as readApiKeys,
} from '../../merchants/api-keys.ts';
import {
  createMerchant as create,
  disableMerchant as disableKeys,
  enableMerchant as enableKeys,
  listMerchants as list,
  type MerchantListing,
} from '../../merchants/merchants.ts';
import {
  createSigningSecret,
  deleteExpiredSecrets,
  readSigningSecrets,
  revokeSigningSecret as revoke,
} from '../../merchants/signing-secrets.ts';
import { systemTimers } from '../../platform/timers.ts';
import { eraseCustomer as erase } from '../../transactions/erasure.ts';
import { countByHour, type StatusCount } from '../../transactions/merchant-transactions.ts';
import { timestamp } from '../../transactions/view.ts';
import { failingEvents } from '../../webhooks/merchant-events.ts';
import { auditStore } from '../audit.ts';
import { requireMerchant } from '../lookups.ts';
import type { AdministrationServices, DatabaseOperation, ManagementCall, ManagementOperation } from '../operation.ts';
import { buildPage, idCursor, milliseconds, type PageParameters, readLimit, unknownCursor } from '../parameters.ts';
import { summarizeEvent, viewPosted } from '../views.ts';

const DAY_MS = 24 * 60 * 60_000;
const FAILING_MAX = 10;
/** Rows per batch of an audit. Other requests wait while a batch is compared, which takes some milliseconds. */
const AUDITED_ROWS = 100;

const nextTurn = () => new Promise<void>((resolve) => systemTimers.nextTurn(resolve));

export const getCaller: DatabaseOperation<'getCaller'> = async ({ store }, { operator, merchantId }) => {
  if (operator) return { operator: { id: operator.id, name: operator.name, role: operator.role } };
  return { merchant: viewMerchant(await requireMerchant(store.read, { merchant_id: Number(merchantId) })) };
};

export const listMerchants: DatabaseOperation<'listMerchants'> = async ({ store }, { parameters }) => {
  const limit = readLimit(parameters);
  const { cursor = '0' } = parameters;
  if (!/^\d{1,12}$/.test(cursor)) throw unknownCursor();
  const found = await list(store.read, Number(cursor), limit + 1);
  return buildPage(found, limit, ({ id }) => String(id), viewMerchant);
};

export const getMerchant: DatabaseOperation<'getMerchant'> = async ({ store }, { parameters }) =>
  viewMerchant(await requireMerchant(store.read, parameters));

export const listWallets: DatabaseOperation<'listWallets'> = async (services, { parameters }) => {
  const { id } = await requireMerchant(services.store.read, parameters);
  return { data: await viewWallets(services, id) };
};

export const listLedgerEntries: DatabaseOperation<'listLedgerEntries'> = async ({ store }, { parameters }) => {
  const { id } = await requireMerchant(store.read, parameters);
  const page = { from: parseLedgerCursor(parameters), limit: readLimit(parameters) };
  const { entries, next } = await listEntries(store.read, id, parameters.currency, page);
  return {
    data: entries.map(({ transactionId, balance, ...entry }) => ({
      ...viewPosted(entry),
      ...(transactionId !== undefined && { transaction_id: transactionId }),
      balance: { total: String(balance.total), reserved: String(balance.reserved) },
    })),
    // The balance is part of the cursor, so that a page costs the same however far back it is.
    ...(next && { next_cursor: [next.id, next.balance.total, next.balance.reserved].join('.') }),
  };
};

function parseLedgerCursor({ cursor }: PageParameters): LedgerPosition | undefined {
  if (cursor === undefined) return undefined;
  const [, id, ...amounts] = /^(led_[0-9A-Z]{26})\.(-?\d{1,30})\.(-?\d{1,30})$/.exec(cursor) ?? [];
  if (id === undefined) throw unknownCursor();
  const [total = 0n, reserved = 0n] = amounts.map(BigInt);
  return { id, balance: { total, reserved } };
}

export const auditLedger: ManagementOperation<'auditLedger'> = async ({ store, audits }, { parameters }) => {
  const { id: merchantId } = await requireMerchant(store.read, parameters);
  const options = { merchantId, batchRows: AUDITED_ROWS, pause: nextTurn };
  const { entries, transactions, found, differences } = await audits.run(merchantId, () => auditStore(store, options));
  return { ok: found === 0, entries, transactions, findings: [...differences] };
};

export const getOverview: ManagementOperation<'getOverview'> = async (services, { parameters }) => {
  const { store, time } = services;
  const { id } = await requireMerchant(store.read, parameters);
  const counts = await countByHour(store.read, id, time.at(id).now - DAY_MS);
  const failing = await failingEvents(store.read, id, FAILING_MAX);
  return {
    wallets: await viewWallets(services, id),
    statuses: sumByStatus(counts),
    hours: counts.map(({ hour, ...counted }) => ({ at: timestamp(hour), ...counted })),
    failing: failing.map((event) => summarizeEvent(services, event)),
  };
};

function sumByStatus(counts: readonly StatusCount[]): Overview['statuses'] {
  const groups = Map.groupBy(counts, ({ kind, status }) => `${kind} ${status}`);
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (!first) return [];
    const { kind, status, count } = first;
    return { kind, status, count: others.reduce((sum, other) => sum + other.count, count) };
  });
}

/** Creates a merchant with everything that it needs to send requests. */
export const createMerchant: DatabaseOperation<'createMerchant'> = async (
  { store, clock, ids, live },
  { body, record },
) => {
  const now = clock.now();
  return store.unit(async (db) => {
    const { id } = await create(db, body.name, now);
    const api_key = await insertApiKey(db, id, now, { live }, ids);
    const signing_secret = await createSigningSecret(db, id, now, { ids });
    for (const currency of body.currencies) await createWallet(db, id, currency, now);
    await record(db, { merchantId: id });
    return { merchant: viewMerchant(await requireMerchant(db, { merchant_id: id })), api_key, signing_secret };
  });
};

export const disableMerchant: DatabaseOperation<'disableMerchant'> = (services, call) => {
  const disable = (db: Database, id: number) => disableKeys(db, id, services.clock.now());
  return changeMerchant(services, call, disable, (id) => `Merchant ${id} is already disabled.`);
};

export const enableMerchant: DatabaseOperation<'enableMerchant'> = (services, call) =>
  changeMerchant(services, call, enableKeys, (id) => `Merchant ${id} is not disabled.`);

async function changeMerchant(
  { store }: AdministrationServices,
  { parameters, record }: ManagementCall<'disableMerchant' | 'enableMerchant'>,
  change: (db: Database, id: number) => Promise<boolean>,
  refusal: (id: number) => string,
): Promise<Merchant> {
  const { id } = await requireMerchant(store.read, parameters);
  return store.unit(async (db) => {
    if (!(await change(db, id))) throw new ProblemError('wrong-state', refusal(id));
    await record(db, { merchantId: id });
    return viewMerchant(await requireMerchant(db, parameters));
  });
}

// API keys of a merchant. A key is shown once, to the operator who creates it.

const KEYS_MAX = 200;

export const listApiKeys: DatabaseOperation<'listApiKeys'> = async ({ store }, { parameters }) => {
  const { id: merchantId } = await requireMerchant(store.read, parameters);
  return viewApiKeys(store.read, merchantId);
};

async function viewApiKeys(db: Database, merchantId: number) {
  const keys = (await readApiKeys(db, merchantId)).slice(-KEYS_MAX);
  return {
    data: keys.map(({ id, hint, createdAt, revokedAt }) => ({
      ...{ id, hint, created_at: timestamp(createdAt) },
      ...(revokedAt !== undefined && { revoked_at: timestamp(revokedAt) }),
    })),
  };
}

export const createApiKey: DatabaseOperation<'createApiKey'> = async (
  { store, clock, ids, live },
  { parameters, record },
) => {
  const { id: merchantId } = await requireMerchant(store.read, parameters);
  return store.unit(async (db) => {
    const created = await insertApiKey(db, merchantId, clock.now(), { live }, ids);
    await record(db, { merchantId, subject: created.id });
    return created;
  });
};

export const revokeApiKey: DatabaseOperation<'revokeApiKey'> = async ({ store, clock }, { parameters, record }) => {
  const { id: merchantId } = await requireMerchant(store.read, parameters);
  const { key_id: keyId } = parameters;
  await store.unit(async (db) => {
    if (!(await endApiKey(db, merchantId, keyId, clock.now()))) {
      throw new ProblemError('not-found', `Merchant ${merchantId} has no valid API key ${keyId}.`);
    }
    await record(db, { merchantId, subject: keyId });
  });
  return viewApiKeys(store.read, merchantId);
};

/** Deletes a customer's personal data from the merchant's final transactions. */
export const eraseCustomer: DatabaseOperation<'eraseCustomer'> = async (services, { parameters, body, record }) => {
  const { id: merchantId } = await requireMerchant(services.store.read, parameters);
  const { customer_id: customerId } = body;
  const { next, ...counts } = await erase(
    services,
    { merchantId, customerId },
    {
      after: idCursor(parameters, 'out', 'pay'),
      record: (db) => record(db, { merchantId, subject: customerId }),
    },
  );
  return { ...counts, ...(next !== undefined && { next_cursor: next }) };
};

async function viewWallets(
  { store, time }: Pick<AdministrationServices, 'store' | 'time'>,
  merchantId: number,
): Promise<WalletList['data']> {
  const wallets = await readWallets(store.read, merchantId, time.at(merchantId).now);
  return wallets.map(({ updatedAt, settledUntil: _, ...amounts }) => ({
    ...amounts,
    updated_at: timestamp(updatedAt),
  }));
}

function viewMerchant({ id, name, createdAt, disabledAt }: MerchantListing): Merchant {
  return {
    ...{ id, name, created_at: timestamp(createdAt) },
    ...(disabledAt !== undefined && { disabled_at: timestamp(disabledAt) }),
  };
}

// Signing secrets of a merchant. A secret is shown once, to the operator who makes it.

const OVERLAP = '1d';
const OVERLAP_MS_MAX = 30 * 24 * 60 * 60_000;
/** Number of expired secrets kept per merchant, for operators and for the sandbox's fault `rotated_secret`. */
const EXPIRED_KEPT = 5;

export const listSigningSecrets: DatabaseOperation<'listSigningSecrets'> = async (services, call) => {
  const { id } = await requireMerchant(services.store.read, call.parameters);
  return viewSecrets(services, id, call);
};

/** Which key has encrypted a secret is only for operators. */
async function viewSecrets(
  { store, time }: AdministrationServices,
  merchantId: number,
  { operator }: Pick<ManagementCall<'listSigningSecrets'>, 'operator'>,
): Promise<{ data: SigningSecret[] }> {
  const { now } = time.at(merchantId);
  const secrets = await readSigningSecrets(store.read, merchantId);
  return {
    data: secrets.map(({ id, createdAt, expiresAt, keyId }) => ({
      ...{ id, created_at: timestamp(createdAt) },
      ...(expiresAt !== undefined && { expires_at: timestamp(expiresAt) }),
      valid: expiresAt === undefined || expiresAt > now,
      ...(operator && keyId !== undefined && { encrypted_with: keyId }),
    })),
  };
}

/** Adds a secret. The one before it stays valid for the overlap, so that receivers can change over. */
export const rotateSigningSecret: DatabaseOperation<'rotateSigningSecret'> = async (
  { store, time, ids, deliveries },
  { parameters, body, record },
) => {
  const { id: merchantId } = await requireMerchant(store.read, parameters);
  const overlapMs = milliseconds(body.overlap ?? OVERLAP);
  if (overlapMs > OVERLAP_MS_MAX) throw invalid([{ pointer: '/overlap', message: 'must be at most 30d' }]);
  const { now } = time.at(merchantId);
  const made = await store.unit(async (db) => {
    const secret = await createSigningSecret(db, merchantId, now, { ids, overlapMs });
    await deleteExpiredSecrets(db, merchantId, now, EXPIRED_KEPT);
    const [previous, newest] = (await readSigningSecrets(db, merchantId)).slice(-2);
    const id = (newest ?? previous)?.id ?? '';
    await record(db, { merchantId, subject: id });
    const expiresAt = newest && previous?.expiresAt;
    return { id, secret, ...(expiresAt !== undefined && { previous_expires_at: timestamp(expiresAt) }) };
  });
  deliveries.forgetKeys(merchantId);
  return made;
};

/** Ends a secret, within a second. */
export const revokeSigningSecret: DatabaseOperation<'revokeSigningSecret'> = async (services, call) => {
  const { store, time, deliveries } = services;
  const { parameters, body, record } = call;
  const { secret_id: secretId } = parameters;
  const { id: merchantId } = await requireMerchant(store.read, parameters);
  const { now } = time.at(merchantId);
  const refused = await store.unit(async (db) => {
    const rejected = await revoke(db, merchantId, secretId, { now, force: body.force === true });
    if (!rejected) await record(db, { merchantId, subject: secretId });
    return rejected;
  });
  deliveries.forgetKeys(merchantId);
  if (refused?.reason === 'unknown') {
    throw new ProblemError('not-found', `Merchant ${merchantId} has no valid signing secret ${secretId}.`);
  }
  if (refused) {
    const consequence = "and webhooks can't be sent without one";
    throw new ProblemError(
      'wrong-state',
      `${secretId} is the only valid signing secret of merchant ${merchantId}, ${consequence}. Rotate it first, or force the revocation with "force": true (--force).`,
    );
  }
  return viewSecrets(services, merchantId, call);
};
