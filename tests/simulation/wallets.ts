/** Recomputes merchants' balances from observed events. */
import { type Balance, balanceAfter, EMPTY, isOverdrawn, type Movement } from '../../contract/src/reference-model.ts';
import { demand } from './broken-rule.ts';

export class Wallets {
  readonly #balances = new Map<string, Balance>();

  /** The balance of a wallet, or undefined if the merchant has none. */
  of(merchantId: number, currency: string): Balance | undefined {
    return this.#balances.get(`${merchantId} ${currency}`);
  }

  /** Moves money. No account of a wallet may go below zero. */
  move(merchantId: number, currency: string, movement: Movement): void {
    const key = `${merchantId} ${currency}`;
    const balance = balanceAfter(this.#balances.get(key) ?? EMPTY, [movement]);
    this.#balances.set(key, balance);
    const wrong = () => `${key} after ${JSON.stringify(movement)}: ${JSON.stringify(balance)}`;
    demand(!isOverdrawn(balance), 'a wallet is below zero', wrong);
  }
}
