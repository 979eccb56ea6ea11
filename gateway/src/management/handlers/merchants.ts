/** Merchants with their wallets and ledgers. */
import type { LedgerPage, Merchant, MerchantList, WalletList } from '../../../../generated/management/types.ts';
import type { Database } from '../../database/store.ts';
import { ProblemError } from '../../http/problems.ts';
import { readWallets } from '../../ledger/wallets.ts';
import { listMerchants as list, type MerchantListing, merchantById } from '../../merchants/merchants.ts';
import { timestamp } from '../../transactions/view.ts';
import { ledgerPage } from '../ledger.ts';
import type { ManagementCall, ManagementServices } from '../operation.ts';
import { limitOf, type PageParameters, pageOf, unknownCursor } from '../pages.ts';

/** The parameters of an operation on one merchant. */
export interface MerchantParameters {
  readonly merchant_id: string;
}

export async function listMerchants(
  { store }: ManagementServices,
  { parameters }: ManagementCall<undefined, PageParameters>,
): Promise<MerchantList> {
  const limit = limitOf(parameters);
  const { cursor = '0' } = parameters;
  if (!/^\d{1,12}$/.test(cursor)) throw unknownCursor();
  const found = await list(store.read, Number(cursor), limit + 1);
  return pageOf(found, limit, ({ id }) => String(id), viewMerchant);
}

export async function getMerchant(
  { store }: ManagementServices,
  { parameters }: ManagementCall<undefined, MerchantParameters>,
): Promise<Merchant> {
  return viewMerchant(await requireNamedMerchant(store.read, parameters));
}

export async function listWallets(
  { store }: ManagementServices,
  { parameters }: ManagementCall<undefined, MerchantParameters>,
): Promise<WalletList> {
  const { id } = await requireNamedMerchant(store.read, parameters);
  const wallets = await readWallets(store.read, id);
  return { data: wallets.map(({ updatedAt, ...amounts }) => ({ ...amounts, updated_at: timestamp(updatedAt) })) };
}

export async function listLedgerEntries(
  { store }: ManagementServices,
  { parameters }: ManagementCall<undefined, MerchantParameters & PageParameters & { currency: string }>,
): Promise<LedgerPage> {
  const { id } = await requireNamedMerchant(store.read, parameters);
  return ledgerPage(store.read, id, parameters);
}

/** The merchant that the path names. Throws the problem `not-found`. */
export async function requireNamedMerchant(
  db: Database,
  { merchant_id: id }: MerchantParameters,
): Promise<MerchantListing> {
  const merchant = await merchantById(db, Number(id));
  if (!merchant)
    throw new ProblemError('not-found', `No merchant has the number ${id}. GET /management/merchants lists them.`);
  return merchant;
}

function viewMerchant({ id, name, createdAt, disabledAt }: MerchantListing): Merchant {
  return {
    ...{ id, name, created_at: timestamp(createdAt) },
    ...(disabledAt !== undefined && { disabled_at: timestamp(disabledAt) }),
  };
}
