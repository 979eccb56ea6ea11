/** Writes a step of the domain: the transaction, its ledger entries and its webhook, in one unit of work. */

import { view } from '../contract/view.ts';
import type { Step, Transaction } from '../domain/transaction.ts';
import { changeUsage } from './customer-usage.ts';
import { appendEvent } from './outbox.ts';
import type { Database } from './store.ts';
import { insertTransaction, updateTransaction } from './transactions.ts';
import { postEntry } from './wallets.ts';

/** Another writer changed the transaction first. The unit of work is undone; whoever still wants something reads anew. */
export class Overtaken extends Error {}

/** Records a creation. Returns false, with nothing written, when the order id is taken. */
export async function recordCreation(db: Database, step: Step): Promise<boolean> {
  if (!(await insertTransaction(db, step.transaction))) return false;
  await recordEffects(db, step, step.transaction.createdAt);
  return true;
}

/**
 * Records a change. Throws Overtaken when the transaction is no longer at the version before it, or the claim of
 * its worker, where that is given, has become another's.
 */
export async function recordChange(db: Database, step: Step, now: number, claimedUntil?: number): Promise<void> {
  if (!(await updateTransaction(db, step.transaction, claimedUntil))) throw new Overtaken();
  await recordEffects(db, step, now);
}

async function recordEffects(db: Database, { transaction, entries, notify, usage }: Step, now: number): Promise<void> {
  if (usage) await changeUsage(db, transaction, usage);
  for (const entry of entries) await postEntry(db, entry, posting(transaction, now));
  if (notify) await appendEvent(db, transaction, JSON.stringify(view(transaction)), now);
}

function posting({ id, merchantId, currency }: Transaction, now: number) {
  return { merchantId, currency, transactionId: id, now };
}
