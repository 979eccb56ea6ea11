/** The money of merchants, counted again from what happened. */
import { demand } from './broken-rule.ts';

export interface Balance {
  available: number;
  pending: number;
  reserved: number;
}

/** A movement as the ledger has it: `from to amount`. */
export type Movement = string;

export function movement(from: string, to: string, amount: number): Movement {
  return `${from} ${to} ${amount}`;
}

export class Wallets {
  readonly #balances = new Map<string, Balance>();

  /** The balance of a wallet; undefined where the merchant has none. */
  of(merchantId: number, currency: string): Readonly<Balance> | undefined {
    return this.#balances.get(`${merchantId} ${currency}`);
  }

  /** Moves money. No account of a wallet may go below zero. */
  move(merchantId: number, currency: string, from: string, to: string, amount: number): void {
    const key = `${merchantId} ${currency}`;
    const balance = this.#balances.get(key) ?? { available: 0, pending: 0, reserved: 0 };
    this.#balances.set(key, balance);
    if (from in balance) balance[from as keyof Balance] -= amount;
    if (to in balance) balance[to as keyof Balance] += amount;
    const least = Math.min(balance.available, balance.pending, balance.reserved);
    demand(least >= 0, 'a wallet is below zero', () => `${key} after ${from} to ${to}: ${JSON.stringify(balance)}`);
  }

  entries(): [string, Balance][] {
    return [...this.#balances];
  }
}
