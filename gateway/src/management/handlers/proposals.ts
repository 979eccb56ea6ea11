/** Changes of money that one operator proposes and another one approves. */
import type {
  DecisionRequest,
  ProposalList,
  Proposal as ProposalView,
  ProposedCorrection,
  ProposedExceptionResolution,
  ProposedImport,
  ProposedPaymentOutcome,
  ProposedPayoutOutcome,
} from '../../../../generated/management/types.ts';
import { invalid } from '../../http/problems.ts';
import { type MerchantParameters, requireNamedMerchant } from '../lookups.ts';
import type { ManagementServices, OperatorCall } from '../operation.ts';
import { buildPage, idCursor, type PageParameters, readLimit } from '../parameters.ts';
import { listProposals as list, type ProposalState } from '../proposal-rows.ts';
import {
  approveProposal as approve,
  proposeCorrection as correction,
  proposeExceptionResolution as exception,
  proposeImport as importing,
  type OperatorAction,
  rejectProposal as reject,
  requireProposal,
  proposeResolution as resolution,
} from '../proposals.ts';
import { viewProposal } from '../views.ts';

interface ListParameters extends PageParameters {
  readonly state?: ProposalState;
  readonly transaction_id?: string;
}

type OneParameters = { readonly proposal_id: string };
type TransactionParameters = { readonly transaction_id: string };

export async function proposeCorrection(
  services: ManagementServices,
  call: OperatorCall<ProposedCorrection, MerchantParameters>,
): Promise<ProposalView> {
  const { id: merchantId } = await requireNamedMerchant(services.store.read, call.parameters);
  const { reference, reason, ...change } = call.body;
  const proposal = { merchantId, reference, reason, change: { type: 'correction', ...change } } as const;
  return viewProposal(await correction(services, proposal, toOperatorAction(call)));
}

export async function proposeImport(
  services: ManagementServices,
  call: OperatorCall<ProposedImport, MerchantParameters>,
): Promise<ProposalView> {
  const { id: merchantId } = await requireNamedMerchant(services.store.read, call.parameters);
  const { reference, reason, ...body } = call.body;
  const { transaction_id: transactionId, merchant_order_id: orderId, customer_id: customerId } = body;
  const { amount, currency, payment_method_type: method, channel } = body;
  const order = { orderId, customerId, amount, currency, method, channel };
  const proposal = { merchantId, reference, reason, change: { type: 'import', transactionId, ...order } } as const;
  return viewProposal(await importing(services, proposal, toOperatorAction(call)));
}

export async function proposePaymentOutcome(
  services: ManagementServices,
  call: OperatorCall<ProposedPaymentOutcome, TransactionParameters>,
): Promise<ProposalView> {
  const { outcome, amount_paid: amountPaid } = call.body;
  requireMember(outcome === 'succeeded', '/amount_paid', amountPaid, 'of what was collected');
  return proposeOutcome('payment', services, call, amountPaid);
}

export async function proposePayoutOutcome(
  services: ManagementServices,
  call: OperatorCall<ProposedPayoutOutcome, TransactionParameters>,
): Promise<ProposalView> {
  return proposeOutcome('payout', services, call);
}

async function proposeOutcome(
  kind: 'payment' | 'payout',
  services: ManagementServices,
  call: OperatorCall<ProposedPayoutOutcome, TransactionParameters>,
  amountPaid?: number,
): Promise<ProposalView> {
  const { outcome, decline_reason: declineReason, reference, reason } = call.body;
  requireMember(outcome === 'declined', '/decline_reason', declineReason, 'such as BANK_REJECTED');
  const { transaction_id: transactionId } = call.parameters;
  const change = { type: 'resolution', transactionId, outcome, amountPaid, declineReason } as const;
  return viewProposal(await resolution(services, kind, { change, reference, reason }, toOperatorAction(call)));
}

/** A member that belongs to one outcome is required for that, and not allowed for the other. */
function requireMember(isNeeded: boolean, pointer: string, value: unknown, example: string): void {
  if (isNeeded === (value !== undefined)) return;
  const message = isNeeded ? `is required for this outcome, ${example}` : 'must be omitted for this outcome';
  throw invalid([{ pointer, message }]);
}

export async function proposeExceptionResolution(
  services: ManagementServices,
  call: OperatorCall<ProposedExceptionResolution, TransactionParameters>,
): Promise<ProposalView> {
  return viewProposal(await exception(services, call.parameters.transaction_id, call.body, toOperatorAction(call)));
}

export async function listProposals(
  { store }: ManagementServices,
  { parameters, merchantId }: OperatorCall<undefined, ListParameters>,
): Promise<ProposalList> {
  const { state, transaction_id: transactionId } = parameters;
  const filter = { state, transactionId, merchantId };
  const limit = readLimit(parameters);
  const found = await list(store.read, filter, { before: idCursor(parameters, 'prp'), limit: limit + 1 });
  return buildPage(found, limit, ({ id }) => id, viewProposal);
}

export async function getProposal(
  { store }: ManagementServices,
  { parameters }: OperatorCall<undefined, OneParameters>,
): Promise<ProposalView> {
  return viewProposal(await requireProposal(store.read, parameters.proposal_id));
}

export async function approveProposal(
  services: ManagementServices,
  call: OperatorCall<DecisionRequest, OneParameters>,
): Promise<ProposalView> {
  return viewProposal(await approve(services, call.parameters.proposal_id, toOperatorAction(call)));
}

export async function rejectProposal(
  services: ManagementServices,
  call: OperatorCall<DecisionRequest, OneParameters>,
): Promise<ProposalView> {
  return viewProposal(await reject(services, call.parameters.proposal_id, toOperatorAction(call)));
}

function toOperatorAction({
  operator,
  body,
  record,
}: OperatorCall<{ readonly reason?: string }, unknown>): OperatorAction {
  return { operator, reason: body.reason, record };
}
