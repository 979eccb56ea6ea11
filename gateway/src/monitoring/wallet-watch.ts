/**
 * Detects wallets that change without a ledger entry, for instance by manual SQL. It trusts the state at its start;
 * `payments-gateway audit` finds earlier errors.
 */

import type { Database } from '../database/store.ts';
import { type Amounts, walletMovements } from '../ledger/wallet-movements.ts';

/** Longer than any unit of work, since an entry has the start time of its unit. */
const SETTLED_MS = 60_000;
/** After a longer pause, it restarts, since it would have to read too many entries. */
const PAUSE_MS_MAX = 10 * 60_000;

const NONE: Amounts = [0n, 0n, 0n];

export class WalletWatch {
  #from: number | undefined;
  /** The balances by the entries before `#from`. */
  #bases = new Map<string, Amounts>();

  /** Returns the number of wallets whose balance their entries don't explain. */
  async differing(db: Database, now: number): Promise<number> {
    const to = now - SETTLED_MS;
    const begins = this.#from === undefined || to < this.#from || to - this.#from > PAUSE_MS_MAX;
    const wallets = await walletMovements(db, begins ? to : (this.#from ?? to), to);
    const bases = new Map<string, Amounts>();
    let differing = 0;
    for (const { wallet, balance, between, since } of wallets) {
      const base = begins ? minus(balance, since) : plus(this.#bases.get(wallet) ?? NONE, between);
      bases.set(wallet, base);
      if (minus(balance, plus(base, since)).some((amount) => amount !== 0n)) differing += 1;
    }
    this.#from = to;
    this.#bases = bases;
    return differing;
  }
}

function plus(a: Amounts, b: Amounts): Amounts {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
}

function minus(a: Amounts, b: Amounts): Amounts {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}
