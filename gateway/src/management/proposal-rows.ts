/**
 * Changes of money that one operator proposes and another one approves. An approval is written in the unit of work that makes
 * the change, so that there is never one without the other.
 */

import { integer, json, optional, rowMapper, text } from '../database/row-mapper.ts';
import { whereAll } from '../database/sql.ts';
import type { Database } from '../database/store.ts';
import { type Contradiction, calculateCorrection } from '../domain/exceptions.ts';
import type { ImportedOrder } from '../domain/import.ts';
import type { LedgerEntry } from '../domain/ledger.ts';
import type { Exception, Transaction } from '../domain/transaction.ts';
import type { OperatorName } from '../operators/operators.ts';
import type { Ids } from '../platform/ids.ts';

export interface Correction {
  readonly type: 'correction';
  readonly direction: 'credit' | 'debit';
  /** In minor units. */
  readonly amount: number;
  readonly currency: Transaction['currency'];
}

/** The outcome of a transaction whose channel gives none. */
export interface Resolution {
  readonly type: 'resolution';
  readonly transactionId: string;
  readonly outcome: 'succeeded' | 'declined';
  /** The collected amount of a successful payment, in minor units. */
  readonly amountPaid?: number | undefined;
  readonly declineReason?: string | undefined;
}

/** The end of the exceptions of a transaction, whose channel contradicts how it has ended. */
export interface ExceptionResolution {
  readonly type: 'exception';
  readonly transactionId: string;
  /** Whether the difference is booked in the merchant's wallet, or nothing moves here. */
  readonly resolution: NonNullable<Exception['resolved']>;
  /** Amounts in minor units: of the channel's last result, and of the books. */
  readonly claimed: number;
  readonly booked: number;
  readonly currency: Transaction['currency'];
}

/** A transaction that the database doesn't know. */
export interface Import extends ImportedOrder {
  readonly type: 'import';
  readonly transactionId: string;
}

export type MoneyChange = Correction | Resolution | ExceptionResolution | Import;

export interface NewProposal {
  readonly merchantId: number;
  readonly change: MoneyChange;
  /** Evidence, such as the line of a provider's statement. */
  readonly reference: string;
  readonly reason: string;
}

export type ProposalState = 'open' | 'approved' | 'rejected';

export interface Decision {
  readonly by: OperatorName;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly reason: string | undefined;
}

export interface Proposal extends NewProposal {
  readonly id: string;
  readonly state: ProposalState;
  readonly proposedBy: OperatorName;
  /** Milliseconds since 1970. */
  readonly proposedAt: number;
  readonly decision: Decision | undefined;
  /** The entry of an approved correction, or of a booked exception. */
  readonly entryId: string | undefined;
}

/** The reasons of the entries that corrections make. */
export const CORRECTION_REASONS = {
  credit: 'credited',
  debit: 'debited',
} as const satisfies Record<Correction['direction'], LedgerEntry['reason']>;

/** The correction of a wallet that makes up for a contradiction. */
export function toCorrection(
  kind: Transaction['kind'],
  { currency, ...contradiction }: Contradiction & Pick<ExceptionResolution, 'currency'>,
): Omit<Correction, 'type'> {
  const difference = calculateCorrection(kind, contradiction);
  return { direction: difference < 0 ? 'debit' : 'credit', amount: Math.abs(difference), currency };
}

/** Adds a proposal and returns its id. Returns undefined if an open one is about the same transaction. */
export async function insertProposal(
  db: Database,
  { merchantId, change, reference, reason }: NewProposal,
  operator: OperatorName,
  { now, ids }: { readonly now: number; readonly ids: Ids },
): Promise<string | undefined> {
  const id = ids.newId('prp', now, operator.id, ids.count());
  const { type, ...stored } = change;
  const transactionId = change.type === 'correction' ? null : change.transactionId;
  const added = await db.run(
    `insert into proposals
       (id, merchant_id, transaction_id, type, change, reference, reason, proposed_by, proposed_at, state)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, 'open') on conflict do nothing`,
    ...[id, merchantId, transactionId, type, JSON.stringify(stored), reference, reason, operator.id, now],
  );
  return added === 1 ? id : undefined;
}

/** Decides an open proposal. Returns false, with no changes, if it was decided already. */
export async function decideProposal(
  db: Database,
  id: string,
  { state, by, at, reason, entryId }: Decision & { readonly state: 'approved' | 'rejected'; readonly entryId?: string },
): Promise<boolean> {
  const decided = await db.run(
    `update proposals set state = ?, decided_by = ?, decided_at = ?, decision_reason = ?, entry_id = ?
     where id = ? and state = 'open'`,
    ...[state, by.id, at, reason ?? null, entryId ?? null, id],
  );
  return decided === 1;
}

const SELECTED = `select p.*, o.name as proposer, d.name as decider from proposals p
  join operators o on o.id = p.proposed_by left join operators d on d.id = p.decided_by`;

export async function proposalById(db: Database, id: string): Promise<Proposal | undefined> {
  const row = await db.get(`${SELECTED} where p.id = ?`, id);
  return row && toProposal(row);
}

export interface ProposalFilter {
  readonly state?: ProposalState | undefined;
  readonly merchantId?: number | undefined;
  readonly transactionId?: string | undefined;
}

/** The proposals that fit, newest first. */
export async function listProposals(
  db: Database,
  { state, merchantId, transactionId }: ProposalFilter,
  { before, limit }: { readonly before?: string | undefined; readonly limit: number },
): Promise<Proposal[]> {
  const { where, values } = whereAll({
    ...{ 'p.state = ?': state, 'p.merchant_id = ?': merchantId },
    ...{ 'p.transaction_id = ?': transactionId, 'p.id < ?': before },
  });
  const rows = await db.all(`${SELECTED} where ${where} order by p.id desc limit ?`, ...values, limit);
  return rows.map(toProposal);
}

const toDecision = rowMapper({
  by: rowMapper({ id: text('decided_by'), name: text('decider') }),
  at: integer('decided_at'),
  reason: optional('decision_reason', String),
});

const toProposal = rowMapper<Proposal>({
  id: text('id'),
  merchantId: integer('merchant_id'),
  change: (row) => ({ type: text('type')(row), ...json<object>('change')(row) }) as MoneyChange,
  reference: text('reference'),
  reason: text('reason'),
  state: text('state'),
  proposedBy: rowMapper({ id: text('proposed_by'), name: text('proposer') }),
  proposedAt: integer('proposed_at'),
  decision: optional('decided_by', (_, row) => toDecision(row)),
  entryId: optional('entry_id', String),
});
