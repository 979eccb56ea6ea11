/** Changes of money by operators, as their approvals make them. */
import type { Database } from '../database/store.ts';
import { IllegalMove } from '../domain/events.ts';
import {
  type Contradiction,
  decide,
  describeContradiction,
  openExceptions,
  resolveExceptions,
} from '../domain/exceptions.ts';
import { importTransaction } from '../domain/import.ts';
import { createEntry } from '../domain/ledger.ts';
import { findMethod } from '../domain/methods.ts';
import { ID_PREFIXES, isFinal, readKind, type Step, type Transaction } from '../domain/transaction.ts';
import { invalid, ProblemError } from '../http/problems.ts';
import { lockAvailable, type Posting, postEntry, readRemainingCapacity, readWallets } from '../ledger/wallets.ts';
import { merchantById } from '../merchants/merchants.ts';
import type { OperatorName } from '../operators/operators.ts';
import { idTime } from '../platform/ids.ts';
import { retryOnConflict } from '../transactions/advance.ts';
import { commitStep } from '../transactions/commit-step.ts';
import { transactionById, transactionByOrderId } from '../transactions/rows.ts';
import type { Services } from '../transactions/services.ts';
import type { ProposalServices, Recorder } from './operation.ts';
import {
  CORRECTION_REASONS,
  type Correction,
  decideProposal,
  type ExceptionResolution,
  type Import,
  type Proposal,
  proposalById,
  type Resolution,
  toCorrection,
} from './proposal-rows.ts';

/** An operator's call: its author, and the audit record written in the same unit of work. */
export interface ReasonedCall {
  readonly operator: OperatorName;
  readonly record: Recorder;
  readonly body: { readonly reason?: string };
}

/** The proposal of this id. Throws the problem `not-found`. */
export async function requireProposal(db: Database, id: string): Promise<Proposal> {
  const found = await proposalById(db, id);
  if (found) return found;
  throw new ProblemError('not-found', `No proposal has the id ${id}. GET /management/proposals lists them.`);
}

/** Makes an approved change. Throws the problem `wrong-state` if it isn't possible any more. */
export async function commitProposal(
  services: ProposalServices,
  proposal: Proposal,
  call: ReasonedCall,
): Promise<void> {
  const { change } = proposal;
  if (change.type === 'correction') await correct(services, proposal, change, call);
  else if (change.type === 'exception') await retryOnConflict(() => commitException(services, proposal, change, call));
  else await retryOnConflict(() => commitApproved(services, proposal, change, call));
}

async function correct(
  { store, clock, ids, time }: ProposalServices,
  { id, merchantId }: Proposal,
  { direction, amount, currency }: Correction,
  { operator: by, record, body: { reason } }: ReasonedCall,
): Promise<void> {
  const { now } = time.at(merchantId);
  const entryId = ids.newId('led', now, id);
  await store.unit(async (db) => {
    // The merchant may have been deleted in the sandbox. Its wallets must not reappear.
    if (!(await merchantById(db, merchantId))) throw new ProblemError('wrong-state', 'The merchant was deleted.');
    const at = clock.now();
    if (!(await decideProposal(db, id, { state: 'approved', by, at, reason, entryId }))) throw alreadyDecided();
    await postCorrection(db, { direction, amount, currency }, { id: entryId, merchantId, now });
    await record(db, { merchantId, subject: id });
  });
}

/** Moves money from or to what is available. Throws the problem `wrong-state` if the wallet doesn't allow it. */
async function postCorrection(
  db: Database,
  { direction, amount, currency }: Omit<Correction, 'type'>,
  posting: Pick<Posting, 'id' | 'merchantId' | 'now'>,
): Promise<void> {
  if (direction === 'credit') await requireRoom(db, posting.merchantId, currency, amount);
  else await requireAvailable(db, { ...posting, currency }, amount);
  const entry = createEntry(CORRECTION_REASONS[direction], amount);
  await postEntry(db, entry, { ...posting, currency, transactionId: null });
}

/** Commits the step of a proposal. Returns undefined if another writer was faster, and the transaction has to be read again. */
async function commitApproved(
  services: ProposalServices,
  { id, merchantId }: Proposal,
  change: Resolution | Import,
  { operator: by, record, body: { reason } }: ReasonedCall,
) {
  const { clock } = services;
  const step = await proposedStep(services, merchantId, change);
  return commitStep<Transaction>(services, step, {
    alone: true,
    decide: async (db) => {
      if (!(await decideProposal(db, id, { state: 'approved', by, at: clock.now(), reason }))) throw alreadyDecided();
      await requireMoney(db, step, services.time.at(merchantId).now);
      return step;
    },
    record: (db) => record(db, { merchantId, subject: id }),
  });
}

async function proposedStep(
  services: ProposalServices,
  merchantId: number,
  change: Resolution | Import,
): Promise<Step<Transaction>> {
  if (change.type === 'import') return importStep(services, merchantId, change);
  const { transactionId: id } = change;
  return resolveTransaction(services, await requireTransaction(services.store.read, id), change);
}

/** Throws the problem with entries that the wallet has no room or no money for. */
async function requireMoney(db: Database, { transaction, entries }: Step<Transaction>, now: number): Promise<void> {
  const { merchantId, currency } = transaction;
  for (const { reason, amount } of entries) {
    if (reason === 'collected') await requireRoom(db, merchantId, currency, amount);
    if (reason === 'reserved') await requireAvailable(db, { merchantId, currency, now }, amount);
  }
}

/** Commits the end of exceptions. Returns undefined when it has to be read again. */
async function commitException(
  services: ProposalServices,
  { id, merchantId }: Proposal,
  change: ExceptionResolution,
  { operator: by, record, body: { reason } }: ReasonedCall,
) {
  const { store, clock, ids, time } = services;
  const transaction = await requireTransaction(store.read, change.transactionId);
  const found = requireException(transaction);
  if (found.claimed !== change.claimed || found.booked !== change.booked)
    throw new ProblemError(
      'wrong-state',
      'The channel has said something else since. Reject the proposal, and propose again.',
    );
  const { now } = time.at(merchantId);
  const entryId = change.resolution === 'booked' ? ids.newId('led', now, id) : undefined;
  const step = resolveExceptions(transaction, change.resolution);
  return commitStep<Transaction>(services, step, {
    alone: true,
    decide: async (db) => {
      const decision = { by, at: clock.now(), reason, ...(entryId !== undefined && { entryId }) };
      if (!(await decideProposal(db, id, { state: 'approved', ...decision }))) throw alreadyDecided();
      const correction = toCorrection(transaction.kind, change);
      if (entryId !== undefined) await postCorrection(db, correction, { id: entryId, merchantId, now });
      return step;
    },
    record: (db) => record(db, { merchantId, subject: id }),
  });
}

export function requireException(transaction: Transaction): Contradiction {
  if (openExceptions(transaction).length > 0) return describeContradiction(transaction);
  throw new ProblemError('wrong-state', `${transaction.id} has no open exception.`);
}

const BY = 'operator';

/** The step that ends a transaction as proposed. Throws the problem `wrong-state` if that isn't possible now. */
export function resolveTransaction(
  services: ProposalServices,
  transaction: Transaction,
  change: Resolution,
): Step<Transaction> {
  const { now } = services.time.at(transaction.merchantId);
  try {
    const { outcome, amountPaid = 0, declineReason: reason = '' } = change;
    const event = outcome === 'succeeded' ? { type: outcome, amountPaid } : { type: outcome, reason };
    return decide(services.methods, transaction, event, now, BY);
  } catch (error) {
    if (!(error instanceof IllegalMove)) throw error;
    throw new ProblemError('wrong-state', refusal(transaction, change.outcome));
  }
}

function refusal({ id, kind, status }: Transaction, outcome: Resolution['outcome']): string {
  if (isFinal(status))
    return `${id} is already ${status}. Resolve its exception, or propose a correction of the wallet.`;
  if (kind === 'payment') return `${id} is ${status}, so nothing can have been paid. Resolve it as declined.`;
  return `${id} holds no money, so it can't have ${outcome}. Resolve it as declined.`;
}

/** Throws the problem with money that the wallet can't take in. */
async function requireRoom(db: Database, merchantId: number, currency: string, amount: number): Promise<void> {
  const room = await readRemainingCapacity(db, merchantId, currency);
  if (amount <= room) return;
  throw new ProblemError('wrong-state', `The wallet can hold ${room} ${currency} more, not ${amount}.`);
}

async function requireAvailable(
  db: Database,
  wallet: Pick<Posting, 'merchantId' | 'currency' | 'now'>,
  amount: number,
): Promise<void> {
  const available = (await lockAvailable(db, wallet, amount)) ?? 0;
  if (amount <= available) return;
  throw new ProblemError('wrong-state', `Only ${available} ${wallet.currency} is available, not ${amount}.`);
}

export async function requireTransaction(db: Database, id: string, kind = readKind(id)): Promise<Transaction> {
  const found = await transactionById(db, id, { kind });
  if (!found) throw new ProblemError('not-found', `No ${kind} has the id ${id}.`);
  return found;
}

export function alreadyDecided(): ProblemError {
  return new ProblemError('wrong-state', 'The proposal has already been decided. Nothing has changed.');
}

// Imports of transactions that a channel has carried out and the database doesn't know, as after the restore of a backup.

type ImportServices = Pick<Services, 'store' | 'methods' | 'time'>;

/** Returns the step that creates the transaction. Throws the problem if it can't be imported. */
export async function importStep(
  { store, methods, time }: ImportServices,
  merchantId: number,
  { transactionId: id, ...order }: Import,
): Promise<Step<Transaction>> {
  const createdAt = idTime(id);
  const kind = readKind(id);
  if (createdAt === undefined || !id.startsWith(ID_PREFIXES[kind])) {
    throw violation(
      '/transaction_id',
      'must be the id of a payment or payout, as the statement has it, such as out_01KJ…',
    );
  }
  const method = findMethod(methods, kind, order.method);
  if (!method) throw violation('/payment_method_type', `must be a method of ${kind}s`);
  const channels = Object.values(method.channels);
  if (!channels.includes(order.channel)) throw violation('/channel', `must be one of ${channels.join(', ')}`);
  const { now } = time.at(merchantId);
  const wallets = (await readWallets(store.read, merchantId, now)).map(({ currency }) => currency);
  const currencies = method.currencies.filter((currency) => wallets.includes(currency));
  if (!currencies.includes(order.currency)) {
    const known = currencies.join(', ') || 'none';
    throw violation('/currency', `must be a currency of the method that the merchant has: ${known}`);
  }
  await requireUnknown(store.read, { kind, id, merchantId, orderId: order.orderId });
  return importTransaction(kind, { methods, id, merchantId, order, createdAt }, now);
}

async function requireUnknown(
  db: Database,
  { kind, id, merchantId, orderId }: Pick<Transaction, 'kind' | 'id' | 'merchantId' | 'orderId'>,
): Promise<void> {
  const known = await transactionById(db, id);
  if (known) throw new ProblemError('wrong-state', `${id} is known: it is ${known.status}.`);
  const other = await transactionByOrderId(db, merchantId, kind, orderId);
  if (!other) return;
  throw new ProblemError(
    'wrong-state',
    `The merchant's order ${orderId} has the ${kind} ${other.id}, which is ${other.status}. If the merchant repeated the order after the restore, and that ${kind} still waits, end it instead, with the line of ${id} as the reference: payments-gateway ${kind} resolve ${other.id} --outcome succeeded.`,
  );
}

function violation(pointer: string, message: string): ProblemError {
  return invalid([{ pointer, message }]);
}
