/** Events of transactions, and the statuses that follow by the contract's state machines. */
import { moves, notifiedStatuses } from '../../../generated/moves.ts';
import type { PayData } from '../../../generated/types.ts';
import type { Flow, Items, PaymentStatus, PayoutStatus } from './transaction.ts';

export type PaymentEvent =
  | { readonly type: 'clarification_needed'; readonly items: readonly string[] }
  | { readonly type: 'confirmation_needed'; readonly payData: Required<PayData>; readonly confirm: readonly string[] }
  | {
      readonly type: 'clarified';
      readonly items: Items;
      readonly payData: Required<PayData>;
      readonly confirm: readonly string[];
    }
  | { readonly type: 'confirmed'; readonly items: Items }
  | { readonly type: 'paid'; readonly items: Items }
  | { readonly type: 'found_paid' }
  | { readonly type: 'succeeded'; readonly amountPaid: number }
  | { readonly type: 'declined'; readonly reason: string };

/** The outcome of a payment's cancellation. */
export type CancelEvent = { readonly type: 'cancelled' } | { readonly type: 'found_paid' };

export type PayoutEvent = { readonly type: 'succeeded' } | { readonly type: 'declined'; readonly reason: string };

type Move = (typeof moves)['payment' | 'payout'][number];

/** The contract's moves that an event stands for: by whom, and to which status. */
interface Cause {
  readonly by: readonly Move['by'][];
  readonly to: Move['to'];
}

const isOf =
  ({ by, to }: Cause) =>
  (move: Move): boolean =>
    by.includes(move.by) && move.to === to;

const PAYMENT_CAUSES: Readonly<Record<PaymentEvent['type'], Cause & { readonly to: PaymentStatus }>> = {
  clarification_needed: { by: ['service'], to: 'EXTRA_DATA_NEEDED' },
  confirmation_needed: { by: ['service'], to: 'PAY_CONFIRMATION_NEEDED' },
  clarified: { by: ['clarifyPayment'], to: 'PAY_CONFIRMATION_NEEDED' },
  confirmed: { by: ['confirmPayment'], to: 'VERIFYING' },
  paid: { by: ['customer'], to: 'VERIFYING' },
  // The channel reports that a payment was paid without a confirmation to the gateway.
  found_paid: { by: ['customer', 'confirmPayment'], to: 'VERIFYING' },
  succeeded: { by: ['service'], to: 'SUCCESS' },
  declined: { by: ['service'], to: 'FAILED' },
};

const PAYOUT_CAUSES: Readonly<Record<PayoutEvent['type'], Cause & { readonly to: PayoutStatus }>> = {
  succeeded: { by: ['service'], to: 'SUCCESS' },
  declined: { by: ['service'], to: 'FAILED' },
};

/** The transitions of each event. An event that isn't listed for a status isn't allowed in it. */
export const PAYMENT_MOVES = groupMoves(PAYMENT_CAUSES, moves.payment);
export const PAYOUT_MOVES = groupMoves(PAYOUT_CAUSES, moves.payout);

function groupMoves<E extends string, S extends string>(
  causes: Readonly<Record<E, Cause & { readonly to: S }>>,
  rows: readonly (Move & { readonly from: S })[],
): Readonly<Record<E, Readonly<Partial<Record<S, S>>>>> {
  const leads = Object.entries<Cause>(causes).map(([event, cause]) => [
    event,
    Object.fromEntries(rows.filter(isOf(cause)).map(({ from, to }) => [from, to])),
  ]);
  return Object.fromEntries(leads);
}

/** Events of a single flow, since only that flow has the statuses. */
export const PAYMENT_FLOWS: Readonly<Partial<Record<PaymentEvent['type'], Flow>>> = {
  ...Object.fromEntries(
    Object.entries(PAYMENT_CAUSES).flatMap(([event, cause]) => {
      const flows = new Set(moves.payment.filter(isOf(cause)).flatMap((row): readonly Flow[] => row.flows));
      return flows.size === 1 ? [[event, ...flows]] : [];
    }),
  ),
  // In the redirect flow, the customer acts on the page, and can pay only there.
  paid: 'redirect',
};

/** Statuses with a webhook in the contract. */
export const NOTIFIED: ReadonlySet<string> = new Set(notifiedStatuses);

/** Thrown without an effect for an event that the transaction's status does not allow. */
export class IllegalMove extends Error {
  readonly status: string;
  readonly event: string;
  constructor(status: string, event: string) {
    super(`a transaction in ${status} cannot take the event ${event}`);
    this.name = 'IllegalMove';
    this.status = status;
    this.event = event;
  }
}
