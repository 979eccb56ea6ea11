/** Transactions, ledger entries, events, differences and proposals as the document describes them. */
import type {
  Attempt,
  DeliveredEvent,
  Difference as DifferenceView,
  EventSummary,
  Proposal as ProposalView,
  TransactionSummary,
} from '../../../generated/management/types.ts';
import { readKind, type Transaction } from '../domain/transaction.ts';
import type { PostedEntry } from '../ledger/ledger-pages.ts';
import type { Difference } from '../transactions/statements.ts';
import { timestamp } from '../transactions/view.ts';
import { type AttemptRecord, type LoggedAttempt, readAttempts } from '../webhooks/attempt-log.ts';
import type { StoredEvent } from '../webhooks/merchant-events.ts';
import type { ManagementServices } from './operation.ts';
import { type Decision, type MoneyChange, type Proposal, toCorrection } from './proposal-rows.ts';

/** A transaction as lists and streams show it. */
export function summarizeTransaction(transaction: Transaction): TransactionSummary {
  const { id, orderId, kind, status, amount, currency, method, customer, createdAt, declineReason } = transaction;
  const amountPaid = transaction.kind === 'payment' ? transaction.amountPaid : undefined;
  return {
    transaction_id: id,
    merchant_id: transaction.merchantId,
    merchant_order_id: orderId,
    kind,
    status,
    amount,
    ...(amountPaid !== undefined && { amount_paid: amountPaid }),
    currency,
    payment_method_type: method,
    customer_id: customer.id,
    created_at: timestamp(createdAt),
    ...(declineReason !== undefined && { decline_reason: declineReason }),
  };
}

/** An entry without the balance after it. */
export function viewPosted({ id, at, from, to, amount, reason, availableAt }: Omit<PostedEntry, 'transactionId'>) {
  const available = availableAt !== undefined && { available_at: timestamp(availableAt) };
  return { id, at: timestamp(at), from, to, amount, reason, ...available };
}

export type EventServices = Pick<ManagementServices, 'store'> & Pick<Partial<ManagementServices>, 'sandbox'>;

/** An event with its attempts. Only a sandbox keeps their headers and bodies. */
export async function withDeliveries(services: EventServices, event: StoredEvent): Promise<DeliveredEvent> {
  const attempts = services.sandbox ? await readAttempts(services.store.read, event.id) : event.log;
  const deliveries = attempts.map((attempt, index) => viewAttempt(attempt, index + 1));
  return { ...summarizeEvent(services, event), deliveries };
}

/** An event in a list, with the time of its next attempt by the merchant's clock. */
export function summarizeEvent({ sandbox }: Pick<ManagementServices, 'sandbox'>, event: StoredEvent): EventSummary {
  const { nextAt, merchantId } = event;
  const next = sandbox && nextAt !== undefined ? sandbox.toMerchantTime(merchantId, nextAt) : nextAt;
  return viewEvent(event, next);
}

/** An event in a list, with the time of its next attempt. */
export function viewEvent(event: StoredEvent, next: number | undefined): EventSummary {
  const { id, merchantId, transactionId, url, body, createdAt, attempts, state, lastResult } = event;
  return {
    id,
    merchant_id: merchantId,
    transaction_id: transactionId,
    kind: readKind(transactionId),
    status: (JSON.parse(body) as { status: string }).status,
    url,
    created_at: timestamp(createdAt),
    state,
    attempts,
    ...(next !== undefined && { next_attempt_at: timestamp(next) }),
    ...(lastResult !== undefined && { last_result: lastResult }),
  };
}

/** An attempt. Only a sandbox keeps its headers and the response's body. */
export function viewAttempt(attempt: LoggedAttempt & Partial<AttemptRecord>, number: number): Attempt {
  const { at, durationMs, status, error, requestHeaders, responseBody, fault } = attempt;
  return {
    number,
    at: timestamp(at),
    duration_ms: durationMs,
    ...(status !== undefined && { status }),
    ...(error !== undefined && { error }),
    ...(requestHeaders && { request_headers: requestHeaders }),
    ...(responseBody !== undefined && { response_body: responseBody }),
    ...(fault !== undefined && { fault }),
  };
}

export function viewDifference(found: Difference): DifferenceView {
  const { id, channel, transactionId, merchantId, method, kind, difference, state, foundAt, closedAt } = found;
  return {
    ...{ id, channel, transaction_id: transactionId, kind, difference, state, found_at: timestamp(foundAt) },
    ...(merchantId !== undefined && { merchant_id: merchantId }),
    ...(method !== undefined && { payment_method_type: method }),
    ...(closedAt !== undefined && { closed_at: timestamp(closedAt) }),
    ...(found.acceptedBy !== undefined && { accepted_by: found.acceptedBy }),
    ...(found.reason !== undefined && { reason: found.reason }),
  };
}

export function viewProposal(proposal: Proposal): ProposalView {
  const { id, state, merchantId, change, reference, reason, proposedBy, proposedAt, decision, entryId } = proposal;
  return {
    ...{ id, state, type: change.type, merchant_id: merchantId },
    ...viewChange(change),
    ...{ reference, reason, proposed_by: proposedBy, proposed_at: timestamp(proposedAt) },
    ...(decision && { decision: viewDecision(decision) }),
    ...(entryId !== undefined && { ledger_entry_id: entryId }),
  };
}

function viewChange(change: MoneyChange): Partial<ProposalView> {
  switch (change.type) {
    case 'correction':
      return { direction: change.direction, amount: change.amount, currency: change.currency };
    case 'resolution':
      return {
        ...{ transaction_id: change.transactionId, outcome: change.outcome },
        ...(change.amountPaid !== undefined && { amount_paid: change.amountPaid }),
        ...(change.declineReason !== undefined && { decline_reason: change.declineReason }),
      };
    case 'exception': {
      const { transactionId, resolution, claimed, booked, currency } = change;
      return {
        ...{ transaction_id: transactionId, resolution, claimed_amount: claimed, booked_amount: booked, currency },
        ...(resolution === 'booked' && toCorrection(readKind(transactionId), change)),
      };
    }
    case 'import':
      return {
        ...{ transaction_id: change.transactionId, merchant_order_id: change.orderId, amount: change.amount },
        ...{ currency: change.currency, payment_method_type: change.method, channel: change.channel },
        customer_id: change.customerId,
      };
  }
}

function viewDecision({ by, at, reason }: Decision): NonNullable<ProposalView['decision']> {
  return { by, at: timestamp(at), ...(reason !== undefined && { reason }) };
}
