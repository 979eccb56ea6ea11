/** Changes of money that one operator proposes and another one approves. */
import type { OperationId } from '../../http/gateway-apis.ts';
import { invalid } from '../../http/problems.ts';
import { requireMerchant } from '../lookups.ts';
import type { ManagementOperation, ManagementServices, OperatorCall } from '../operation.ts';
import { buildPage, idCursor, readLimit } from '../parameters.ts';
import { listProposals as list } from '../proposal-rows.ts';
import {
  approveProposal as approve,
  proposeCorrection as correction,
  proposeExceptionResolution as exception,
  proposeImport as importing,
  rejectProposal as reject,
  requireProposal,
  proposeResolution as resolution,
} from '../proposals.ts';
import { viewProposal } from '../views.ts';

type OperatorOperation<Id extends OperationId<'management'>> = ManagementOperation<Id, OperatorCall<Id>>;

export const proposeCorrection: OperatorOperation<'proposeCorrection'> = async (services, call) => {
  const { id: merchantId } = await requireMerchant(services.store.read, call.parameters);
  const { reference, reason, ...change } = call.body;
  const proposal = { merchantId, reference, reason, change: { type: 'correction', ...change } } as const;
  return viewProposal(await correction(services, proposal, call));
};

export const proposeImport: OperatorOperation<'proposeImport'> = async (services, call) => {
  const { id: merchantId } = await requireMerchant(services.store.read, call.parameters);
  const { reference, reason, ...body } = call.body;
  const { transaction_id: transactionId, merchant_order_id: orderId, customer_id: customerId } = body;
  const { amount, currency, payment_method_type: method, channel } = body;
  const order = { orderId, customerId, amount, currency, method, channel };
  const proposal = { merchantId, reference, reason, change: { type: 'import', transactionId, ...order } } as const;
  return viewProposal(await importing(services, proposal, call));
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
  return viewProposal(await resolution(services, kind, { change, reference, reason }, call));
}

/** A member that belongs to one outcome is required for that, and not allowed for the other. */
function requireMember(isNeeded: boolean, pointer: string, value: unknown, example: string): void {
  if (isNeeded === (value !== undefined)) return;
  const message = isNeeded ? `is required for this outcome, ${example}` : 'must be omitted for this outcome';
  throw invalid([{ pointer, message }]);
}

export const proposeExceptionResolution: OperatorOperation<'proposeExceptionResolution'> = async (services, call) =>
  viewProposal(await exception(services, call.parameters.transaction_id, call.body, call));

export const listProposals: OperatorOperation<'listProposals'> = async ({ store }, { parameters, merchantId }) => {
  const { state, transaction_id: transactionId } = parameters;
  const filter = { state, transactionId, merchantId };
  const limit = readLimit(parameters);
  const found = await list(store.read, filter, { before: idCursor(parameters, 'prp'), limit: limit + 1 });
  return buildPage(found, limit, ({ id }) => id, viewProposal);
};

export const getProposal: OperatorOperation<'getProposal'> = async ({ store }, { parameters }) =>
  viewProposal(await requireProposal(store.read, parameters.proposal_id));

export const approveProposal: OperatorOperation<'approveProposal'> = async (services, call) =>
  viewProposal(await approve(services, call.parameters.proposal_id, call));

export const rejectProposal: OperatorOperation<'rejectProposal'> = async (services, call) =>
  viewProposal(await reject(services, call.parameters.proposal_id, call));
