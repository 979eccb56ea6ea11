/**
 * An executable model of payments, payouts and wallets: allowed status transitions, webhooks, and money movements. It
 * is derived from the document alone. Property tests, the simulation, the ledger audit and the conformance kit's random
 * walks all compare implementations with it.
 */
import { type Bundle, type StateMachine, webhooks } from './model.ts';

export type TransactionKind = 'payment' | 'payout';

/**
 * Queries of a document's state machines. A status that they don't have is never allowed, final or notified. Of the
 * published document they include moves that only readers accept; of its sender's form they are exact.
 */
export interface Machines {
  /** Whether there is a transition between the statuses. `null` stands for the creation. */
  allows(kind: TransactionKind, from: string | null, to: string): boolean;
  /** Whether two transitions lead from one status to the other. */
  allowsOver(kind: TransactionKind, from: string | null, to: string): boolean;
  /** Whether a reader can see one status after the other: they are equal, or transitions lead there. */
  follows(kind: TransactionKind, from: string, to: string): boolean;
  /** Whether the status is final (source 3). */
  isFinal(kind: TransactionKind, status: string): boolean;
  /** Whether a webhook reports the status (source 6). */
  isNotified(kind: TransactionKind, status: string): boolean;
}

/** Reads the machines of a document, once. */
export function readMachines(bundle: Bundle): Machines {
  const moves = new Set<string>();
  const paths = new Set<string>();
  const finals = new Set<string>();
  const machines = bundle['x-state-machines'];
  for (const [kind, machine] of Object.entries(machines)) {
    for (const { from, to } of machine.transitions) moves.add(`${kind} ${from} ${to}`);
    for (const [from, { final }] of Object.entries(machine.states)) {
      if (final) finals.add(`${kind} ${from}`);
      for (const to of reachable(machine, from)) paths.add(`${kind} ${from} ${to}`);
    }
  }
  const notified = new Set(notifiedStatuses(bundle));
  const allows: Machines['allows'] = (kind, from, to) => moves.has(`${kind} ${from} ${to}`);
  return {
    allows,
    allowsOver: (kind, from, to) =>
      Object.keys(machines[kind]?.states ?? {}).some((over) => allows(kind, from, over) && allows(kind, over, to)),
    follows: (kind, from, to) => paths.has(`${kind} ${from} ${to}`),
    isFinal: (kind, status) => finals.has(`${kind} ${status}`),
    isNotified: (kind, status) => notified.has(`${kind} ${status}`),
  };
}

/** The status and all statuses reachable from it. */
export function reachable({ transitions }: StateMachine, from: string): Set<string> {
  const found = new Set([from]);
  // Iterating over a set visits elements added during the iteration.
  for (const status of found) {
    for (const move of transitions) if (move.from === status) found.add(move.to);
  }
  return found;
}

/** The statuses that the examples of the webhooks report, as `kind status`. */
function notifiedStatuses(bundle: Bundle): string[] {
  return webhooks(bundle).flatMap(({ id, request }) =>
    (request?.examples ?? []).map(({ value }) => {
      const { status } = value as { status: string };
      return `${id.startsWith('payment') ? 'payment' : 'payout'} ${status}`;
    }),
  );
}

/** The accounts of a wallet in one currency, in minor units. The balance shows all but `reserved` (source 2.4). */
export interface Balance {
  readonly available: number;
  readonly pending: number;
  readonly reserved: number;
}

export const EMPTY: Balance = { available: 0, pending: 0, reserved: 0 };

/** A movement of money between two accounts. `channel` and `bank` are external. */
export interface Movement {
  readonly from: keyof Balance | 'channel' | 'bank';
  readonly to: keyof Balance | 'channel' | 'bank';
  /** In minor units. */
  readonly amount: number;
}

/** The fields of a transaction that determine its money movements. */
export interface Progress {
  readonly kind: TransactionKind;
  readonly status: string;
  /** In minor units: the paid amount of a payment, or the amount of a payout. */
  readonly amount: number;
  /** A payment's money is available. */
  readonly settled?: boolean;
  /** Whether the wallet covered the payout when it was created. Defaults to true. */
  readonly held?: boolean;
}

/**
 * Returns all movements caused by a transaction so far, in order. Later states only append. A payment is collected in
 * the paid amount and settled later (source 2.4, assumption `pending`). A payout reserves its amount at creation
 * (source 4.6), then pays it out or releases it.
 */
export function listMovements({ kind, status, amount, settled = false, held = true }: Progress): Movement[] {
  if (kind === 'payment') {
    return [
      ...(status === 'SUCCESS' ? [{ from: 'channel', to: 'pending', amount } as const] : []),
      ...(status === 'SUCCESS' && settled ? [{ from: 'pending', to: 'available', amount } as const] : []),
    ];
  }
  return [
    ...(held ? [{ from: 'available', to: 'reserved', amount } as const] : []),
    ...(held && status === 'SUCCESS' ? [{ from: 'reserved', to: 'bank', amount } as const] : []),
    ...(held && status === 'FAILED' ? [{ from: 'reserved', to: 'available', amount } as const] : []),
  ];
}

/**
 * The correction of the merchant's wallet if the channel has moved another amount than the books have, negative for a debit:
 * a payment's money is the merchant's, and a payout's has left. It doesn't change the transaction, which is final (source 3).
 */
export function owedCorrection(
  kind: TransactionKind,
  { claimed, booked }: { readonly claimed: number; readonly booked: number },
): number {
  return kind === 'payment' ? claimed - booked : booked - claimed;
}

export function balanceAfter(balance: Balance, movements: readonly Movement[]): Balance {
  const after = { ...balance };
  for (const { from, to, amount } of movements) {
    if (from in after) after[from as keyof Balance] -= amount;
    if (to in after) after[to as keyof Balance] += amount;
  }
  return after;
}

/** No account of a wallet is ever below zero (source 8: a payout needs the balance). */
export function isOverdrawn({ available, pending, reserved }: Balance): boolean {
  return Math.min(available, pending, reserved) < 0;
}
