/** Changes of money by operators: one proposes, and another one approves. */
import type { Proposal as ProposalView } from '../../../../generated/management/types.ts';
import type { OperationId } from '../../http/gateway-apis.ts';
import { invalid, ProblemError } from '../../http/problems.ts';
import { readWallets } from '../../ledger/wallets.ts';
import { requireMerchant } from '../lookups.ts';
import type { ManagementOperation, ManagementServices, OperatorCall } from '../operation.ts';
import { buildPage, idCursor, readLimit } from '../parameters.ts';
import { decideProposal, insertProposal, listProposals as list, type NewProposal } from '../proposal-rows.ts';
import {
  alreadyDecided,
  commitProposal,
  importStep,
  type ReasonedCall,
  requireException,
  requireProposal,
  requireTransaction,
  resolveTransaction,
} from '../proposals.ts';
import { viewProposal } from '../views.ts';

type OperatorOperation<Id extends OperationId<'management'>> = ManagementOperation<Id, OperatorCall<Id>>;

export const proposeCorrection: OperatorOperation<'proposeCorrection'> = async (services, call) => {
  const { store, time } = services;
  const { id: merchantId } = await requireMerchant(store.read, call.parameters);
  const { reference, reason, ...change } = call.body;
  const wallets = await readWallets(store.read, merchantId, time.at(merchantId).now);
  if (!wallets.some(({ currency }) => currency === change.currency)) {
    const currencies = wallets.map(({ currency }) => currency).join(', ') || 'none';
    throw invalid([{ pointer: '/currency', message: `must be a currency that the merchant has: ${currencies}` }]);
  }
  return propose(services, { merchantId, reference, reason, change: { type: 'correction', ...change } }, call);
};

export const proposeImport: OperatorOperation<'proposeImport'> = async (services, call) => {
  const { id: merchantId } = await requireMerchant(services.store.read, call.parameters);
  const { reference, reason, ...body } = call.body;
  const { transaction_id: transactionId, merchant_order_id: orderId, customer_id: customerId } = body;
  const { amount, currency, payment_method_type: method, channel } = body;
  const order = { orderId, customerId, amount, currency, method, channel };
  const change = { type: 'import', transactionId, ...order } as const;
  // A mistake is reported now instead of at the approval.
  await importStep(services, merchantId, change);
  return propose(services, { merchantId, reference, reason, change }, call);
};

export const proposePaymentOutcome: OperatorOperation<'proposePaymentOutcome'> = async (services, call) => {
  const { outcome, amount_paid: amountPaid } = call.body;
  requireMember(outcome === 'succeeded', '/amount_paid', amountPaid, 'of what was collected');
  return proposeOutcome('payment', services, call, amountPaid);
};

export const proposePayoutOutcome: OperatorOperation<'proposePayoutOutcome'> = (services, call) =>
  proposeOutcome('payout', services, call);

async function proposeOutcome(
  kind: 'payment' | 'payout',
  services: ManagementServices,
  call: OperatorCall<'proposePaymentOutcome' | 'proposePayoutOutcome'>,
  amountPaid?: number,
) {
  const { outcome, decline_reason: declineReason, reference, reason } = call.body;
  requireMember(outcome === 'declined', '/decline_reason', declineReason, 'such as BANK_REJECTED');
  const { transaction_id: transactionId } = call.parameters;
  const change = { type: 'resolution', transactionId, outcome, amountPaid, declineReason } as const;
  const transaction = await requireTransaction(services.store.read, transactionId, kind);
  // An outcome that isn't possible now is a mistake, which the approval would only find later.
  resolveTransaction(services, transaction, change);
  return propose(services, { merchantId: transaction.merchantId, reference, reason, change }, call);
}

/** A member that belongs to one outcome is required for that, and not allowed for the other. */
function requireMember(isNeeded: boolean, pointer: string, value: unknown, example: string): void {
  if (isNeeded === (value !== undefined)) return;
  const message = isNeeded ? `is required for this outcome, ${example}` : 'must be omitted for this outcome';
  throw invalid([{ pointer, message }]);
}

export const proposeExceptionResolution: OperatorOperation<'proposeExceptionResolution'> = async (services, call) => {
  const { transaction_id: transactionId } = call.parameters;
  const { resolution, reference, reason } = call.body;
  const transaction = await requireTransaction(services.store.read, transactionId);
  const { merchantId, currency } = transaction;
  const { claimed, booked } = requireException(transaction);
  if (resolution === 'booked' && claimed === booked)
    throw new ProblemError(
      'wrong-state',
      `The books have what the channel says now: ${claimed} ${currency}. Resolve it as outside.`,
    );
  const change = { type: 'exception', transactionId, resolution, claimed, booked, currency } as const;
  return propose(services, { merchantId, reference, reason, change }, call);
};

async function propose(
  { store, clock, ids }: ManagementServices,
  proposal: NewProposal,
  { operator, record }: ReasonedCall,
): Promise<ProposalView> {
  const id = await store.unit(async (db) => {
    const added = await insertProposal(db, proposal, operator, { now: clock.now(), ids });
    if (added !== undefined) await record(db, { merchantId: proposal.merchantId, subject: added });
    return added;
  });
  if (id !== undefined) return viewProposal(await requireProposal(store.read, id));
  throw new ProblemError(
    'wrong-state',
    'A proposal about this transaction is open. Approve or reject it first: GET /management/proposals?state=open.',
  );
}

export const listProposals: OperatorOperation<'listProposals'> = async ({ store }, { parameters, merchantId }) => {
  const { state, transaction_id: transactionId } = parameters;
  const filter = { state, transactionId, merchantId };
  const limit = readLimit(parameters);
  const found = await list(store.read, filter, { before: idCursor(parameters, 'prp'), limit: limit + 1 });
  return buildPage(found, limit, ({ id }) => id, viewProposal);
};

export const getProposal: OperatorOperation<'getProposal'> = async ({ store }, { parameters }) =>
  viewProposal(await requireProposal(store.read, parameters.proposal_id));

export const approveProposal: OperatorOperation<'approveProposal'> = async (services, call) => {
  const { read } = services.store;
  const proposal = await requireProposal(read, call.parameters.proposal_id);
  if (proposal.state !== 'open') throw alreadyDecided();
  if (proposal.proposedBy.id === call.operator.id) {
    throw new ProblemError(
      'forbidden',
      'You proposed this. Another operator with the role `approve` has to approve it.',
    );
  }
  await commitProposal(services, proposal, call);
  return viewProposal(await requireProposal(read, proposal.id));
};

/** Closes a proposal without effect. */
export const rejectProposal: OperatorOperation<'rejectProposal'> = async (
  { store, clock },
  { parameters, operator: by, record, body: { reason } },
) => {
  const { id, merchantId } = await requireProposal(store.read, parameters.proposal_id);
  await store.unit(async (db) => {
    if (!(await decideProposal(db, id, { state: 'rejected', by, at: clock.now(), reason }))) throw alreadyDecided();
    await record(db, { merchantId, subject: id });
  });
  return viewProposal(await requireProposal(store.read, id));
};
