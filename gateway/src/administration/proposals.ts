/** Changes of money by operators: one proposes, another one approves, and only the approval changes anything. */
import { IllegalMove } from '../domain/illegal-move.ts';
import { entryFor } from '../domain/ledger.ts';
import type { Methods } from '../domain/methods.ts';
import { applyPaymentEvent, collectPayment } from '../domain/payment.ts';
import { applyPayoutEvent } from '../domain/payout.ts';
import { isFinal, type Payment, type Step, type Transaction } from '../domain/transaction.ts';
import { type CommitServices, commitStep } from '../operations/commit-step.ts';
import type { Services } from '../operations/operation.ts';
import { untilCommitted } from '../operations/until-committed.ts';
import { merchantById } from '../store/access/merchants.ts';
import type { OperatorName } from '../store/access/operators.ts';
import {
  CORRECTION_REASONS,
  type Correction,
  decideProposal,
  type Import,
  insertProposal,
  type NewProposal,
  type Proposal,
  proposalById,
  type Resolution,
} from '../store/books/proposals.ts';
import { anyTransactionById } from '../store/books/transactions.ts';
import { lockAvailable, postEntry, roomIn, walletsOf } from '../store/books/wallets.ts';
import type { Database } from '../store/engine/store.ts';
import { invalid, ProblemError } from '../wire/problems.ts';
import type { Recorder } from './administration-services.ts';
import { importStep } from './imports.ts';

export type ProposalServices = CommitServices & Pick<Services, 'methods'>;

/** An operator's act: who makes it, and what records it in the unit of work that makes the change. */
export interface OperatorAction {
  readonly operator: OperatorName;
  readonly reason: string | undefined;
  readonly record: Recorder;
}

/** Proposes a correction of a wallet. */
export async function proposeCorrection(
  services: ProposalServices,
  proposal: NewProposal & { readonly change: Correction },
  act: OperatorAction,
): Promise<Proposal> {
  const { merchantId, change } = proposal;
  const wallets = await walletsOf(services.store.read, merchantId);
  if (!wallets.some(({ currency }) => currency === change.currency)) {
    const currencies = wallets.map(({ currency }) => currency).join(', ') || 'none';
    throw invalid([{ pointer: '/currency', message: `must be a currency that the merchant has: ${currencies}` }]);
  }
  return propose(services, proposal, act);
}

/** Proposes the outcome of a transaction whose channel gives none. */
export async function proposeResolution(
  services: ProposalServices,
  kind: Transaction['kind'],
  { change, ...evidence }: Omit<NewProposal, 'merchantId'> & { readonly change: Resolution },
  act: OperatorAction,
): Promise<Proposal> {
  const transaction = await requireTransaction(services.store.read, kind, change.transactionId);
  // An outcome that isn't possible now is a mistake, which the approval would only find later.
  resolve(services, transaction, change);
  return propose(services, { ...evidence, change, merchantId: transaction.merchantId }, act);
}

/** Proposes the import of a transaction that the database doesn't know. */
export async function proposeImport(
  services: ProposalServices,
  proposal: NewProposal & { readonly change: Import },
  act: OperatorAction,
): Promise<Proposal> {
  // A mistake is reported now instead of at the approval.
  await importStep(services, proposal.merchantId, proposal.change);
  return propose(services, proposal, act);
}

async function propose(
  { store, clock, ids }: ProposalServices,
  proposal: NewProposal,
  { operator, record }: OperatorAction,
): Promise<Proposal> {
  const id = await store.unit(async (db) => {
    const added = await insertProposal(db, proposal, operator, { now: clock.now(), ids });
    if (added !== undefined) await record(db, { merchantId: proposal.merchantId, subject: added });
    return added;
  });
  if (id !== undefined) return requireProposal(store.read, id);
  throw new ProblemError(
    'wrong-state',
    'A proposal about this transaction is open. Approve or reject it first: GET /admin/proposals?state=open.',
  );
}

/** The proposal of this id. Throws the problem `not-found`. */
export async function requireProposal(db: Database, id: string): Promise<Proposal> {
  const found = await proposalById(db, id);
  if (found) return found;
  throw new ProblemError('not-found', `No proposal has the id ${id}. GET /admin/proposals lists them.`);
}

/** Makes the proposed change. Throws the problem `wrong-state` if it isn't possible any more, and `forbidden` if the caller proposed it. */
export async function approveProposal(services: ProposalServices, id: string, act: OperatorAction): Promise<Proposal> {
  const { store } = services;
  const proposal = await requireProposal(store.read, id);
  requireOpen(proposal);
  if (proposal.proposedBy.id === act.operator.id) {
    throw new ProblemError(
      'forbidden',
      'You proposed this. Another operator with the role `approve` has to approve it.',
    );
  }
  const { change } = proposal;
  if (change.type === 'correction') await correct(services, proposal, change, act);
  else await untilCommitted(() => commitApproved(services, proposal, change, act));
  return requireProposal(store.read, id);
}

/** Closes a proposal, so that nothing comes of it. */
export async function rejectProposal(
  { store, clock }: ProposalServices,
  id: string,
  act: OperatorAction,
): Promise<Proposal> {
  const proposal = await requireProposal(store.read, id);
  const { operator: by, reason, record } = act;
  await store.unit(async (db) => {
    if (!(await decideProposal(db, id, { state: 'rejected', by, at: clock.now(), reason }))) throw alreadyDecided();
    await record(db, { merchantId: proposal.merchantId, subject: id });
  });
  return requireProposal(store.read, id);
}

/** Moves the money of a correction. */
async function correct(
  { store, clock, ids, time }: ProposalServices,
  { id, merchantId }: Proposal,
  { direction, amount, currency }: Correction,
  { operator: by, reason, record }: OperatorAction,
): Promise<void> {
  const { now } = time.at(merchantId);
  const entryId = ids.newId('led', now, id);
  await store.unit(async (db) => {
    // Of a merchant that was deleted meanwhile, as in a sandbox, no wallet may come back.
    if (!(await merchantById(db, merchantId))) throw new ProblemError('wrong-state', 'The merchant was deleted.');
    const at = clock.now();
    if (!(await decideProposal(db, id, { state: 'approved', by, at, reason, entryId }))) throw alreadyDecided();
    if (direction === 'credit') await requireRoom(db, merchantId, currency, amount);
    else await requireAvailable(db, merchantId, currency, amount);
    const posting = { id: entryId, merchantId, currency, transactionId: null, now };
    await postEntry(db, entryFor(CORRECTION_REASONS[direction], amount), posting);
    await record(db, { merchantId, subject: id });
  });
}

/** Commits the step of a proposal. Returns undefined if another writer was faster, and the transaction has to be read again. */
async function commitApproved(
  services: ProposalServices,
  { id, merchantId }: Proposal,
  change: Resolution | Import,
  { operator: by, reason, record }: OperatorAction,
) {
  const { clock } = services;
  const step = await proposedStep(services, merchantId, change);
  return commitStep<Transaction>(services, step, {
    alone: true,
    decide: async (db) => {
      if (!(await decideProposal(db, id, { state: 'approved', by, at: clock.now(), reason }))) throw alreadyDecided();
      await requireMoney(db, step);
      await record(db, { merchantId, subject: id });
      return step;
    },
  });
}

async function proposedStep(
  services: ProposalServices,
  merchantId: number,
  change: Resolution | Import,
): Promise<Step<Transaction>> {
  if (change.type === 'import') return importStep(services, merchantId, change);
  const kind = change.transactionId.startsWith('pay_') ? 'payment' : 'payout';
  return resolve(services, await requireTransaction(services.store.read, kind, change.transactionId), change);
}

/** Throws the problem with entries that the wallet has no room or no money for. */
async function requireMoney(db: Database, { transaction, entries }: Step<Transaction>): Promise<void> {
  const { merchantId, currency } = transaction;
  for (const { reason, amount } of entries) {
    if (reason === 'collected') await requireRoom(db, merchantId, currency, amount);
    if (reason === 'reserved') await requireAvailable(db, merchantId, currency, amount);
  }
}

const BY = 'operator';

/** The step that ends a transaction as proposed. Throws the problem `wrong-state` if that isn't possible now. */
function resolve(services: ProposalServices, transaction: Transaction, change: Resolution): Step<Transaction> {
  const { now } = services.time.at(transaction.merchantId);
  try {
    return transaction.kind === 'payment'
      ? resolvePayment(services.methods, transaction, change, now)
      : applyPayoutEvent(transaction, change.outcome === 'succeeded' ? PAID_OUT : declined(change), now, BY);
  } catch (error) {
    if (!(error instanceof IllegalMove)) throw error;
    throw new ProblemError('wrong-state', refusal(transaction, change.outcome));
  }
}

function resolvePayment(methods: Methods, payment: Payment, change: Resolution, now: number): Step<Payment> {
  return change.outcome === 'declined'
    ? applyPaymentEvent(methods, payment, declined(change), now, BY)
    : collectPayment(methods, payment, change.amountPaid ?? 0, now, BY);
}

const PAID_OUT = { type: 'succeeded' } as const;

function declined({ declineReason = '' }: Resolution) {
  return { type: 'declined', reason: declineReason } as const;
}

function refusal({ id, kind, status }: Transaction, outcome: Resolution['outcome']): string {
  if (isFinal(status)) return `${id} is already ${status}. Propose a correction of the wallet instead.`;
  if (kind === 'payment') return `${id} is ${status}, so nothing can have been paid. Resolve it as declined.`;
  return `${id} holds no money, so it can't have ${outcome}. Resolve it as declined.`;
}

/** Throws the problem with money that the wallet can't take in. */
async function requireRoom(db: Database, merchantId: number, currency: string, amount: number): Promise<void> {
  const room = await roomIn(db, merchantId, currency);
  if (amount <= room) return;
  throw new ProblemError('wrong-state', `The wallet can hold ${room} ${currency} more, not ${amount}.`);
}

async function requireAvailable(db: Database, merchantId: number, currency: string, amount: number): Promise<void> {
  const available = (await lockAvailable(db, merchantId, currency)) ?? 0;
  if (amount <= available) return;
  throw new ProblemError('wrong-state', `Only ${available} ${currency} is available, not ${amount}.`);
}

async function requireTransaction(db: Database, kind: Transaction['kind'], id: string): Promise<Transaction> {
  const found = await anyTransactionById(db, kind, id);
  if (!found) throw new ProblemError('not-found', `No ${kind} has the id ${id}.`);
  return found;
}

function requireOpen({ state }: Proposal): void {
  if (state !== 'open') throw alreadyDecided();
}

function alreadyDecided(): ProblemError {
  return new ProblemError('wrong-state', 'The proposal has already been decided. Nothing has changed.');
}
