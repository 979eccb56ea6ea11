/** The merchant's ledger, with the running balance, and its audit. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Audit, LedgerEntry, LedgerPage } from '../../../../generated/sandbox/types.ts';
import { timestamp } from '../../contract/view.ts';
import { auditStore } from '../../store/audit-books.ts';
import { type BalancedEntry, type LedgerPosition, listEntries } from '../../store/ledger-pages.ts';
import type { SandboxCall, SandboxServices } from '../operation.ts';
import { limitOf, type PageParameters, unknownCursor } from './pages.ts';

export async function listLedgerEntries(
  { store }: SandboxServices,
  { merchant, parameters }: SandboxCall<undefined, PageParameters & { currency: string }>,
): Promise<LedgerPage> {
  const page = { from: positionOf(parameters), limit: limitOf(parameters) };
  const { entries, next } = await listEntries(store.read, merchant.id, parameters.currency, page);
  return { data: entries.map(viewEntry), ...(next && { next_cursor: cursorOf(next) }) };
}

export async function auditLedger({ store }: SandboxServices, { merchant }: SandboxCall): Promise<Audit> {
  const pause = () => nextTurn();
  const { entries, transactions, found, differences } = await auditStore(store, { merchantId: merchant.id, pause });
  return { ok: found === 0, entries, transactions, findings: [...differences] };
}

/** The balance is part of the cursor, so that a page costs the same however far back it is. */
function cursorOf({ id, balance: { available, pending, reserved } }: LedgerPosition): string {
  return [id, available, pending, reserved].join('.');
}

function positionOf({ cursor }: PageParameters): LedgerPosition | undefined {
  if (cursor === undefined) return undefined;
  const [, id, ...amounts] = /^(led_[0-9A-Z]{26})\.(-?\d{1,16})\.(-?\d{1,16})\.(-?\d{1,16})$/.exec(cursor) ?? [];
  if (id === undefined) throw unknownCursor();
  const [available = 0, pending = 0, reserved = 0] = amounts.map(Number);
  return { id, balance: { available, pending, reserved } };
}

function viewEntry({ id, at, from, to, amount, reason, transactionId, balance }: BalancedEntry): LedgerEntry {
  return {
    ...{ id, at: timestamp(at), from, to, amount, reason },
    ...(transactionId !== undefined && { transaction_id: transactionId }),
    balance,
  };
}
