/** Merchants with their wallets, ledgers and overviews, and who calls. */
import type {
  Audit,
  Caller,
  LedgerPage,
  Merchant,
  MerchantList,
  Overview,
  WalletList,
} from '../../../../generated/management/types.ts';
import type { Database } from '../../database/store.ts';
import { ProblemError } from '../../http/problems.ts';
import { readWallets } from '../../ledger/wallets.ts';
import { listMerchants as list, type MerchantListing, merchantById } from '../../merchants/merchants.ts';
import { systemTimers } from '../../platform/timers.ts';
import { countByHour, type StatusCount } from '../../transactions/merchant-transactions.ts';
import { timestamp } from '../../transactions/view.ts';
import { failingEvents } from '../../webhooks/merchant-events.ts';
import type { AdministrationServices } from '../administration-services.ts';
import { auditStore } from '../audit.ts';
import { ledgerPage } from '../ledger.ts';
import type { ManagementCall, ManagementServices } from '../operation.ts';
import { buildPage, type PageParameters, readLimit, unknownCursor } from '../pages.ts';
import { summarizeEvent } from './events.ts';

/** The parameters of an operation on one merchant. */
export interface MerchantParameters {
  readonly merchant_id: string;
}

type MerchantCall = ManagementCall<undefined, MerchantParameters>;

const DAY_MS = 24 * 60 * 60_000;
const FAILING_MAX = 10;
/** Rows per batch of an audit. Other requests wait while a batch is compared, which takes some milliseconds. */
const AUDITED_ROWS = 100;

const nextTurn = () => new Promise<void>((resolve) => systemTimers.nextTurn(resolve));

export async function getCaller(
  { store }: ManagementServices,
  { operator, merchantId }: ManagementCall<undefined, unknown>,
): Promise<Caller> {
  if (operator) return { operator: { id: operator.id, name: operator.name, role: operator.role } };
  return { merchant: viewMerchant(await requireMerchant(store.read, Number(merchantId))) };
}

export async function listMerchants(
  { store }: AdministrationServices,
  { parameters }: ManagementCall<undefined, PageParameters>,
): Promise<MerchantList> {
  const limit = readLimit(parameters);
  const { cursor = '0' } = parameters;
  if (!/^\d{1,12}$/.test(cursor)) throw unknownCursor();
  const found = await list(store.read, Number(cursor), limit + 1);
  return buildPage(found, limit, ({ id }) => String(id), viewMerchant);
}

export async function getMerchant({ store }: ManagementServices, { parameters }: MerchantCall): Promise<Merchant> {
  return viewMerchant(await requireNamedMerchant(store.read, parameters));
}

export async function listWallets(
  { store }: AdministrationServices,
  { parameters }: MerchantCall,
): Promise<WalletList> {
  const { id } = await requireNamedMerchant(store.read, parameters);
  return { data: await viewWallets(store.read, id) };
}

export async function listLedgerEntries(
  { store }: ManagementServices,
  { parameters }: ManagementCall<undefined, MerchantParameters & PageParameters & { currency: string }>,
): Promise<LedgerPage> {
  const { id } = await requireNamedMerchant(store.read, parameters);
  return ledgerPage(store.read, id, parameters);
}

export async function auditLedger({ store, audits }: ManagementServices, { parameters }: MerchantCall): Promise<Audit> {
  const { id: merchantId } = await requireNamedMerchant(store.read, parameters);
  const options = { merchantId, batchRows: AUDITED_ROWS, pause: nextTurn };
  const { entries, transactions, found, differences } = await audits.take(merchantId, () => auditStore(store, options));
  return { ok: found === 0, entries, transactions, findings: [...differences] };
}

export async function getOverview(services: ManagementServices, { parameters }: MerchantCall): Promise<Overview> {
  const { store, time } = services;
  const { id } = await requireNamedMerchant(store.read, parameters);
  const counts = await countByHour(store.read, id, time.at(id).now - DAY_MS);
  const failing = await failingEvents(store.read, id, FAILING_MAX);
  return {
    wallets: await viewWallets(store.read, id),
    statuses: sumByStatus(counts),
    hours: counts.map(({ hour, ...counted }) => ({ at: timestamp(hour), ...counted })),
    failing: failing.map((event) => summarizeEvent(services, event)),
  };
}

function sumByStatus(counts: readonly StatusCount[]): Overview['statuses'] {
  const groups = Map.groupBy(counts, ({ kind, status }) => `${kind} ${status}`);
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (!first) return [];
    const { kind, status, count } = first;
    return { kind, status, count: others.reduce((sum, other) => sum + other.count, count) };
  });
}

/** The merchant that the path names. Throws the problem `not-found`. */
export async function requireNamedMerchant(
  db: Database,
  { merchant_id: id }: MerchantParameters,
): Promise<MerchantListing> {
  return requireMerchant(db, Number(id));
}

async function requireMerchant(db: Database, id: number): Promise<MerchantListing> {
  const merchant = await merchantById(db, id);
  if (merchant) return merchant;
  throw new ProblemError('not-found', `No merchant has the number ${id}. GET /management/merchants lists them.`);
}

async function viewWallets(db: Database, merchantId: number): Promise<WalletList['data']> {
  const wallets = await readWallets(db, merchantId);
  return wallets.map(({ updatedAt, ...amounts }) => ({ ...amounts, updated_at: timestamp(updatedAt) }));
}

function viewMerchant({ id, name, createdAt, disabledAt }: MerchantListing): Merchant {
  return {
    ...{ id, name, created_at: timestamp(createdAt) },
    ...(disabledAt !== undefined && { disabled_at: timestamp(disabledAt) }),
  };
}
