/** The ledger: movements of money, each with its reason. Double entry, so that the sum of all accounts stays zero. */

/** Ledger accounts. `channel` and `bank` are external; the others are the merchant's wallet. */
export type Account = 'channel' | 'bank' | 'pending' | 'available' | 'reserved';

export type Reason =
  | 'collected'
  // Derived: a collected amount becomes available without an entry.
  | 'settled'
  | 'reserved'
  | 'paid_out'
  | 'released'
  | 'funded'
  | 'drained'
  | 'credited'
  | 'debited';

export interface LedgerEntry {
  readonly from: Account;
  readonly to: Account;
  readonly amount: number;
  readonly reason: Reason;
  /** The merchant's time from which a pending amount counts as available. */
  readonly availableAt?: number | undefined;
}

/** The accounts of each reason. No two reasons of transactions share both. */
const ACCOUNTS: Readonly<Record<Reason, readonly [from: Account, to: Account]>> = {
  collected: ['channel', 'pending'],
  settled: ['pending', 'available'],
  reserved: ['available', 'reserved'],
  paid_out: ['reserved', 'bank'],
  released: ['reserved', 'available'],
  funded: ['bank', 'available'],
  drained: ['available', 'bank'],
  // Corrections, proposed by an operator and approved by another.
  credited: ['bank', 'available'],
  debited: ['available', 'bank'],
};

export const REASONS = Object.keys(ACCOUNTS) as readonly Reason[];

/** The entry that moves an amount for a reason. */
export function createEntry(reason: Reason, amount: number): LedgerEntry {
  const [from, to] = ACCOUNTS[reason];
  return { from, to, amount, reason };
}

/** The entry of a transaction's movement, whose accounts imply the reason. */
export function createMovementEntry({ from, to, amount }: Omit<LedgerEntry, 'reason'>): LedgerEntry {
  const reason = REASONS.find((one) => ACCOUNTS[one][0] === from && ACCOUNTS[one][1] === to);
  if (!reason) throw new Error(`no money moves from ${from} to ${to}`);
  return createEntry(reason, amount);
}
