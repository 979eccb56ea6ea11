/** The merchant's wallet in one currency, observed while nothing else moves it. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Exchange } from '../service/exchange.ts';
import { deadlineIn } from '../time/awake.ts';
import type { Context } from './check.ts';
import { NotReached } from './finding.ts';

export interface Wallet {
  readonly available: number;
  /** available and pending: settlement moves money from one to the other, and changes nothing here. */
  readonly total: number;
  /** Whether it changed until the time was up, though the kit moved nothing. */
  readonly keptChanging?: boolean;
  readonly exchange: Exchange;
}

const POLL_MS = 120;
/** Polls in a row that have to be equal. */
const STEADY = 2;

/** The wallet once it stays the same, or when the time is up. Rejects with NotReached if the balance lists none. */
export async function steadyWallet(context: Context, currency: string): Promise<Wallet> {
  const deadline = deadlineIn(context.settings.timeoutMs);
  let last = await readWallet(context, currency);
  for (let same = 0; same < STEADY; ) {
    await pause(POLL_MS);
    const next = await readWallet(context, currency);
    same = next.total === last.total ? same + 1 : 0;
    last = next;
    if (deadline.passed()) return { ...last, keptChanging: same === 0 };
  }
  return last;
}

/** The wallet once its total is the expected one, or its state when the time is up. */
export async function walletOnceTotalIs(context: Context, currency: string, total: number): Promise<Wallet> {
  const deadline = deadlineIn(context.settings.timeoutMs);
  for (;;) {
    const wallet = await readWallet(context, currency);
    // A total that is right at once can still become wrong.
    if (wallet.total === total) return steadyWallet(context, currency);
    if (deadline.passed()) return wallet;
    await pause(POLL_MS);
  }
}

async function readWallet({ fixtures }: Context, currency: string): Promise<Wallet> {
  const balance = await fixtures.balance(currency);
  if (!balance) throw new NotReached(`the balance has no list of balances`, 'correct what replay/getBalance reports');
  const { available, pending, exchange } = balance;
  return { available, total: available + pending, exchange };
}
