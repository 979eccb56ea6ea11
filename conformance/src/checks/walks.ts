/**
 * Random walks: sequences of requests chosen by a seed, judged step by step against a model of the state machines and
 * of the wallet. A walk that fails is shrunk to the shortest sequence that still fails.
 */
import fc from 'fast-check';
import { toPointer } from '../../../contract/src/pointer.ts';
import type { Check, Context } from '../core/check.ts';
import { type Finding, NotReached } from '../core/finding.ts';
import { type ShownWallet, steadyWallet, walletOnceTotalIs } from '../core/wallet.ts';
import { assumption } from '../document/basis.ts';
import type { Contract } from '../document/contract.ts';
import type { Exchange } from '../service/exchange.ts';
import { readGoalCurrency } from './levels.ts';
import { createCommands, type Model, type Real, settle, WalkFailure } from './walk-commands.ts';

const COLLECTED = { flow: 'h2h', until: 'SUCCESS' } as const;
const STEPS_MAX = 12;
const WALK = 'walk/transactions-and-wallet';
/** Shrinking repeats the walk, so it has to end. */
const SHRINK_MS_MAX = 8_000;

export function walkChecks(contract: Contract): Check[] {
  return [
    {
      id: WALK,
      title: 'Random sequences of requests follow the state machines, and the wallet follows the payments',
      clause: contract.clause(toPointer('x-state-machines', 'payment', 'transitions', 0)),
      ...{ phase: 'walks', levels: [], partOf: ['payments-h2h'], walletOf: readGoalCurrency(COLLECTED) },
      run: walk,
    },
  ];
}

async function walk(context: Context): Promise<Finding[]> {
  const { settings, driver } = context;
  if (settings.walks === 0) throw new NotReached('no walks are wanted', 'set --walks');
  const { currency: given } = context.fixtures.bodyFor('payment', COLLECTED);
  const currency = String(given);
  const payout = driver.payout({ until: 'SUCCESS' });
  // Without funds, payouts would be declined for that.
  const withPayouts =
    settings.levels.includes('payouts') &&
    payout?.['currency'] === currency &&
    (await context.fixtures.funded(currency, Number(payout['amount'])));
  // The wallet after a walk is the one before the next.
  let last: ShownWallet | undefined;
  // Shrinking an unfinished walk is pointless.
  let unfinished: unknown;
  let ended = 0;
  const walkFromLast = async (steps: Iterable<fc.AsyncCommand<Model, Real>>) => {
    if (unfinished) throw unfinished;
    const before = last ?? (await steadyWallet(context, currency));
    last = undefined;
    last = await walkOnce(context, currency, before, steps).catch((error: unknown) => {
      if (!(error instanceof WalkFailure)) unfinished = error;
      throw error;
    });
    ended += 1;
  };
  const commands = fc.commands(createCommands(context, withPayouts), { maxCommands: STEPS_MAX });
  const { details, late } = await checkToEnd(commands, walkFromLast, {
    ...{ numRuns: settings.walks, seed: settings.seed, interruptAfterTimeLimit: limitMs(settings.walks) },
    markInterruptAsFailure: false,
  });
  const { counterexample, errorInstance, counterexamplePath } = details;
  const failure = errorInstance ?? late?.error;
  if (!(failure instanceof WalkFailure)) {
    if (errorInstance) throw errorInstance;
    // The last walk may have run out of time. Its predecessors still count.
    if (ended === 0)
      throw late?.error ?? new NotReached('no walk ended in time', 'raise --walks, which gives it more time');
    return [];
  }
  const steps = String(counterexample?.[0] ?? late?.value ?? '').replace(/\s*\/\*replayPath=.*\*\//, '');
  const replay = `--seed ${settings.seed}${counterexamplePath ? ` (path ${counterexamplePath})` : ''}`;
  const { finding } = failure;
  return [{ ...finding, found: `${finding.found}, after ${steps}; again with ${replay}`, steps: failure.requests }];
}

/**
 * Checks a property. Waits for the run interrupted by the time limit, which still moves money, and returns its error as
 * `late`, since fast-check omits it.
 */
export async function checkToEnd<T>(
  values: fc.Arbitrary<T>,
  run: (value: T) => Promise<void>,
  limits: fc.Parameters<[T]>,
): Promise<{ details: fc.RunDetails<[T]>; late?: { error: unknown; value: T } }> {
  let running = async (): Promise<{ error: unknown; value: T } | undefined> => undefined;
  const property = fc.asyncProperty(values, (value) => {
    const ended = run(value);
    running = () =>
      ended.then(
        () => undefined,
        (error: unknown) => ({ error, value }),
      );
    return ended;
  });
  const details = await fc.check(property, limits);
  const late = await running();
  return { details, ...(late && !details.errorInstance && { late }) };
}

function limitMs(walks: number): number {
  return SHRINK_MS_MAX + walks * 2_000;
}

async function walkOnce(
  context: Context,
  currency: string,
  before: ShownWallet,
  steps: Iterable<fc.AsyncCommand<Model, Real>>,
): Promise<ShownWallet> {
  const model: Model = { transactions: [] };
  const { exchanges } = context.journal;
  const first = exchanges.length;
  try {
    await fc.asyncModelRun(() => ({ model, real: context }), steps);
    const moved = await settle(context, model, before.available);
    const expected = before.total + moved;
    const after = await walletOnceTotalIs(context, currency, expected);
    if (after.total === expected) return after;
    throw new WalkFailure({
      at: 'body /balances',
      expected: `available and pending together ${expected}, ${before.total} before the walk`,
      found: String(after.total),
      binds: after.total > expected,
      clause: assumption(context.contract.bundle, 'pending'),
      exchange: after.exchange,
    });
  } catch (error) {
    // Reads while it waits are not part of the walk.
    const isStep = ({ check, method }: Exchange) => check === WALK && method !== 'GET';
    if (error instanceof WalkFailure) error.requests = exchanges.slice(first).filter(isStep);
    throw error;
  }
}
