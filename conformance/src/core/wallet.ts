/** Wallets of the merchant, and transactions that can still move them. */
import { setTimeout as pause } from 'node:timers/promises';
import { readMember } from '../../../contract/src/model.ts';
import type { Contract } from '../document/contract.ts';
import { type Exchange, type Journal, readString } from '../service/exchange.ts';
import { deadlineIn, poll } from '../time/awake.ts';
import type { Context } from './check.ts';
import { formatValue, NotReached } from './finding.ts';
import type { FixtureTools, SharedFixtures, ShownBalance } from './fixtures.ts';
import { type History, listHistories } from './history.ts';
import { findAction, readCall } from './transactions.ts';

/** Amounts in minor units, with the response that shows them. */
export interface ShownWallet extends ShownBalance {
  /** available + pending, which settlement doesn't change. */
  readonly total: number;
  /** Whether it kept changing until the timeout, without the kit's doing. */
  readonly keptChanging?: boolean;
}

/** Share of the amount up to which a missing sum can be a fee. */
export const FEE_PART_MAX = 0.5;
const POLL_MS = 120;
/** Equal totals this far apart are steady. Few reads matter to a service that refuses some. */
const STEADY_MS = 240;
const STEADY_WAIT = 'steady wallet';
const TOTAL_WAIT = 'wallet total';

/** Reads the wallet until it is steady or the timeout ends. Rejects with NotReached without a balance. */
export async function steadyWallet(context: Context, currency: string, first?: ShownWallet): Promise<ShownWallet> {
  const { timeouts } = context.fixtures;
  const deadline = deadlineIn(timeouts.limitMs(STEADY_WAIT));
  let last = first ?? (await readWallet(context, currency));
  for (;;) {
    await pause(STEADY_MS);
    const next = await readWallet(context, currency);
    if (next.total === last.total) return next;
    last = next;
    if (!deadline.passed()) continue;
    timeouts.note(STEADY_WAIT, undefined);
    return { ...last, keptChanging: true };
  }
}

/** Reads the wallet until it has the expected total or the timeout ends. */
export async function walletOnceTotalIs(context: Context, currency: string, total: number): Promise<ShownWallet> {
  const { value, isFit } = await context.fixtures.timeouts.poll(
    TOTAL_WAIT,
    () => readWallet(context, currency),
    (wallet) => wallet.total === total,
    { pauseMs: POLL_MS },
  );
  // A correct total can change again.
  return isFit ? steadyWallet(context, currency, value) : value;
}

/** Rejects with NotReached without a balance. */
export async function readWallet({ fixtures }: Context, currency: string): Promise<ShownWallet> {
  const balance = await fixtures.balance(currency);
  if (!balance) throw new NotReached(`the balance has no list of balances`, 'correct what replay/getBalance reports');
  const { available, pending, exchange } = balance;
  const total = available + pending;
  if (Number.isNaN(total)) {
    const found = formatValue(readMember(exchange.body, 'balances'));
    throw new NotReached(
      `the balance in ${currency} has no amounts: ${found}`,
      'correct what replay/getBalance reports',
    );
  }
  return { ...balance, total };
}

type Tools = Pick<FixtureTools, 'contract' | 'settings' | 'send'>;

/** Waits for the currency's open transactions to end, for as long as others took. */
export async function untilTransactionsEnd(
  { contract, settings, send }: Tools,
  { parked, timeouts }: SharedFixtures,
  journal: Journal,
  currency: string,
): Promise<void> {
  const own = listHistories(journal).filter(
    ({ creation: { call }, request }) =>
      (call.key ?? settings.key) === settings.key && readString(request, 'currency') === currency,
  );
  const moving = selectMoving(contract, own, journal.exchanges).filter(({ id }) => !parked.has(id));
  await Promise.all(
    moving.map(async ({ kind, id }) => {
      const { isFit } = await poll(
        () => send(readCall(contract, { kind, id })),
        ({ body }) => {
          const status = readString(body, 'status');
          return status === undefined || contract.machines[kind].states[status]?.final === true;
        },
        { limitMs: timeouts.usualMs(`${kind} SUCCESS`), pauseMs: POLL_MS },
      );
      // Later phases don't wait again.
      if (!isFit) parked.add(id);
    }),
  );
}

/** Payouts, and confirmed or verified payments, without a final status in any response. */
function selectMoving({ machines }: Contract, own: readonly History[], exchanges: readonly Exchange[]): History[] {
  const { operation: confirm } = findAction('PAY_CONFIRMATION_NEEDED') ?? {};
  const confirmed = new Set(
    exchanges
      .filter(({ call, status }) => call.operation.id === confirm && status < 300)
      .map(({ call }) => call.path?.['transaction_id']),
  );
  return own.filter(
    ({ kind, id, responses }) =>
      (kind === 'payout' || confirmed.has(id) || responses.at(-1)?.status === 'VERIFYING') &&
      !responses.some(({ status }) => machines[kind].states[status]?.final),
  );
}
