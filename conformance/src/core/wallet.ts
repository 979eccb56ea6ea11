/** The merchant's wallet in one currency, observed while nothing else moves it. */
import { setTimeout as pause } from 'node:timers/promises';
import { memberOf } from '../service/exchange.ts';
import { deadlineIn } from '../time/awake.ts';
import type { Context } from './check.ts';
import { formatValue, NotReached } from './finding.ts';
import type { ShownBalance } from './fixtures.ts';

/** Amounts in minor units, with the response that shows them. */
export interface ShownWallet extends ShownBalance {
  /** available and pending: settlement moves money from one to the other, and changes nothing here. */
  readonly total: number;
  /** Whether it changed until the time was up, though the kit moved nothing. */
  readonly keptChanging?: boolean;
}

/** Over this share of the amount, what left the wallet does not count as a fee. */
export const FEE_PART_MAX = 0.5;
const POLL_MS = 120;
/** Polls in a row that have to be equal. */
const STEADY = 2;
const STEADY_WAIT = 'steady wallet';
const TOTAL_WAIT = 'wallet total';

/** The wallet once it stays the same, or when the time is up. Rejects with NotReached if the balance lists none. */
export async function steadyWallet(context: Context, currency: string): Promise<ShownWallet> {
  const { patience } = context.fixtures;
  const deadline = deadlineIn(patience.limitMs(STEADY_WAIT));
  let last = await readWallet(context, currency);
  for (let same = 0; same < STEADY; ) {
    await pause(POLL_MS);
    const next = await readWallet(context, currency);
    same = next.total === last.total ? same + 1 : 0;
    last = next;
    if (!deadline.passed()) continue;
    patience.note(STEADY_WAIT, undefined);
    return { ...last, keptChanging: same === 0 };
  }
  return last;
}

/** The wallet once its total is the expected one, or its state when the time is up. */
export async function walletOnceTotalIs(context: Context, currency: string, total: number): Promise<ShownWallet> {
  const { patience } = context.fixtures;
  const deadline = deadlineIn(patience.limitMs(TOTAL_WAIT));
  const startedAt = performance.now();
  for (;;) {
    const wallet = await readWallet(context, currency);
    if (wallet.total === total) {
      patience.note(TOTAL_WAIT, performance.now() - startedAt);
      // A total that is right at once can still become wrong.
      return steadyWallet(context, currency);
    }
    if (deadline.passed()) {
      patience.note(TOTAL_WAIT, undefined);
      return wallet;
    }
    await pause(POLL_MS);
  }
}

/** Rejects with NotReached if the balance lists none. */
export async function readWallet({ fixtures }: Context, currency: string): Promise<ShownWallet> {
  const balance = await fixtures.balance(currency);
  if (!balance) throw new NotReached(`the balance has no list of balances`, 'correct what replay/getBalance reports');
  const { available, pending, exchange } = balance;
  const total = available + pending;
  if (Number.isNaN(total)) {
    const found = formatValue(memberOf(exchange.body, 'balances'));
    throw new NotReached(
      `the balance in ${currency} has no amounts: ${found}`,
      'correct what replay/getBalance reports',
    );
  }
  return { ...balance, total };
}
