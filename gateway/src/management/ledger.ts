/** Pages of a wallet's ledger, with the running balance. */
import type { LedgerEntry, LedgerPage } from '../../../generated/management/types.ts';
import type { Database } from '../database/store.ts';
import { type BalancedEntry, type LedgerPosition, listEntries, type PostedEntry } from '../ledger/ledger-pages.ts';
import { timestamp } from '../transactions/view.ts';
import { type PageParameters, readLimit, unknownCursor } from './parameters.ts';

/** A page of the entries of a merchant's wallet, newest first. */
export async function ledgerPage(
  db: Database,
  merchantId: number,
  parameters: PageParameters & { readonly currency: string },
): Promise<LedgerPage> {
  const page = { from: parseCursor(parameters), limit: readLimit(parameters) };
  const { entries, next } = await listEntries(db, merchantId, parameters.currency, page);
  return { data: entries.map(viewEntry), ...(next && { next_cursor: formatCursor(next) }) };
}

/** The balance is part of the cursor, so that a page costs the same however far back it is. */
function formatCursor({ id, balance: { total, reserved } }: LedgerPosition): string {
  return [id, total, reserved].join('.');
}

function parseCursor({ cursor }: PageParameters): LedgerPosition | undefined {
  if (cursor === undefined) return undefined;
  const [, id, ...amounts] = /^(led_[0-9A-Z]{26})\.(-?\d{1,30})\.(-?\d{1,30})$/.exec(cursor) ?? [];
  if (id === undefined) throw unknownCursor();
  const [total = 0n, reserved = 0n] = amounts.map(BigInt);
  return { id, balance: { total, reserved } };
}

function viewEntry({ transactionId, balance, ...entry }: BalancedEntry): LedgerEntry {
  return {
    ...viewPosted(entry),
    ...(transactionId !== undefined && { transaction_id: transactionId }),
    balance: { total: String(balance.total), reserved: String(balance.reserved) },
  };
}

/** An entry without the balance after it. */
export function viewPosted({ id, at, from, to, amount, reason, availableAt }: Omit<PostedEntry, 'transactionId'>) {
  const available = availableAt !== undefined && { available_at: timestamp(availableAt) };
  return { id, at: timestamp(at), from, to, amount, reason, ...available };
}
