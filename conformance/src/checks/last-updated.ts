/** The time of the wallet's last change: it changes with the wallet. */
import { setTimeout as pause } from 'node:timers/promises';
import { readMember } from '../../../contract/src/model.ts';
import type { Context } from '../core/check.ts';
import { type Finding, formatValue, NotReached } from '../core/finding.ts';
import { listHistories } from '../core/history.ts';
import { CLOCK_MS, describeOffset, readClock, readTime } from '../core/judge.ts';
import { isSuccess } from '../core/transactions.ts';
import { specified } from '../document/contract.ts';
import { type Exchange, type Journal, readString } from '../service/exchange.ts';
import { createGoal } from './levels.ts';

export const UPDATED_AT = '/components/schemas/Balance/properties/last_updated_at';
/** A service can collect a payment a little before it is finished. */
const EARLIER_MS = 5_000;
/** Balances shown for at least this long are compared. */
const SEEN_MS = 500;
/** A late response can cause a single wrong time. */
const CHANGES = 3;
const SECOND_MS = 1_000;
/** A timer can end this much too early. */
const TIMER_MS = 10;

/** Every payment that became SUCCESS has changed the wallet (assumption `pending`). */
export async function judgeUpdated(context: Context): Promise<Finding[]> {
  const { contract, journal, send } = context;
  const latest = lastCollected(journal);
  if (latest === undefined) throw new NotReached('no payment became SUCCESS', 'correct what state/payment reports');
  const exchange = await send({ operation: contract.operation('getBalance') });
  const at = 'body /last_updated_at';
  const clause = contract.assumption('pending');
  if (updatedAt(exchange) < readTime(latest) - EARLIER_MS) {
    const expected = `${latest} or later, when the last payment was collected`;
    return [{ at, expected, found: formatValue(readMember(exchange.body, 'last_updated_at')), clause, exchange }];
  }
  const ahead = updatedAt(exchange) - readClock(exchange);
  if (ahead > CLOCK_MS) {
    const expected = `a time in UTC, at ${new Date(readClock(exchange)).toISOString()} or earlier`;
    const found = `${formatValue(readMember(exchange.body, 'last_updated_at'))}, ${describeOffset(ahead)}`;
    return [{ at, expected, found, clause: specified('2.4', UPDATED_AT), exchange }];
  }
  const always = await judgeAlwaysNow(context, exchange);
  if (always.length > 0) return always;
  const last = await findEarlierTime(context);
  if (!last) return [];
  const expected = 'a time after the balances before these were last shown; after no change was it';
  return [{ at, expected, found: formatValue(readMember(last.body, 'last_updated_at')), clause, exchange: last }];
}

/** Times in whole seconds differ after this. */
const LATER_MS = 1_100;
const SAME_READS = 2;
const READS_MAX = 5;

/** The time doesn't change while the balances stay the same. */
async function judgeAlwaysNow({ contract, send }: Context, first: Exchange): Promise<Finding[]> {
  let last = first;
  let same = 0;
  for (let read = 0; read < READS_MAX && same < SAME_READS; read += 1) {
    await pause(LATER_MS);
    const next = await send({ operation: contract.operation('getBalance') });
    const isSame = formatFigures(next) === formatFigures(last);
    if (isSame && !(updatedAt(next) > updatedAt(last))) return [];
    same = isSame ? same + 1 : 0;
    last = next;
  }
  if (same < SAME_READS) return [];
  // The source says only that it is a timestamp.
  const clause = contract.assumption('timestamps');
  const expected = `${formatValue(readMember(first.body, 'last_updated_at'))}, since nothing has changed`;
  const found = `${formatValue(readMember(last.body, 'last_updated_at'))}, and another time with each read`;
  return [{ at: 'body /last_updated_at', expected, found, clause, exchange: last }];
}

function formatFigures({ body }: Exchange): string {
  return JSON.stringify(readMember(body, 'balances'));
}

/** The latest `finalized_at` of a successful payment. */
function lastCollected(journal: Journal): string | undefined {
  const own = listHistories(journal).filter(
    ({ kind, creation }) => kind === 'payment' && creation.call.key === undefined,
  );
  const collected = own.flatMap(({ responses }) =>
    responses.filter(({ status }) => status === 'SUCCESS').map(({ body }) => String(readMember(body, 'finalized_at'))),
  );
  return collected.toSorted((one, other) => readTime(one) - readTime(other)).at(-1);
}

/** A balance, from the first read that shows it to the last, and the read after that if it shows other figures. */
interface ShownBalances {
  readonly figures: string;
  readonly updatedAt: number;
  readonly since: number;
  until: number;
  next?: Exchange;
}

/**
 * The last balance with the time of an earlier change, shown by responses with the old figures after that time.
 * Undefined if any balance has a time that fits: then the others can have been late. Moves money until it can tell.
 */
async function findEarlierTime(context: Context): Promise<Exchange | undefined> {
  const { journal } = context;
  for (let moves = 0; ; moves += 1) {
    const reads = listReads(journal);
    const ahead = clockAhead(journal);
    // A time in whole seconds can belong to a change up to a second later.
    const unit = reads.some((one) => updatedAt(one) % SECOND_MS !== 0) ? 0 : SECOND_MS;
    const shownMs = SEEN_MS + 2 * unit;
    const changes = groupBalances(reads).filter(({ since, until, next }) => next && until - since >= shownMs);
    const isEarlier = ({ since, until, next }: ShownBalances) =>
      next && updatedAt(next) + unit < (since + until) / 2 + ahead;
    if (!changes.every(isEarlier)) return undefined;
    if (changes.length >= CHANGES) return changes.at(-1)?.next;
    if (moves === CHANGES || !(await moveMoney(context, shownMs))) return undefined;
  }
}

/** Changes balances that have been shown for this long. Returns false if the service or its driver can't. */
async function moveMoney({ contract, fixtures, settings, send }: Context, shownMs: number): Promise<boolean> {
  const kind = settings.levels.includes('payouts') ? 'payout' : 'payment';
  const goal = createGoal(kind, settings, 'SUCCESS');
  const readBalance = () => send({ operation: contract.operation('getBalance') });
  try {
    const body = fixtures.bodyFor(goal);
    const [currency, amount] = [String(body['currency']), Number(body['amount'])];
    if (kind === 'payment') await fixtures.makeRoom(currency, amount);
    else if (!(await fixtures.funded(currency, amount))) return false;
    await readBalance();
    await pause(shownMs + TIMER_MS);
    await readBalance();
    const tracked = await fixtures.create(kind, body);
    // A payout changes the balance when it is created, and a payment when it ends.
    await readBalance();
    await fixtures.drive(tracked, goal);
    await readBalance();
    return true;
  } catch (error) {
    if (error instanceof NotReached) return false;
    throw error;
  }
}

function listReads(journal: Journal): Exchange[] {
  return journal.exchanges
    .filter((one) => one.call.operation.id === 'getBalance' && !one.call.invalid && one.call.key === undefined)
    .filter((one) => isSuccess(one.call.operation, one))
    .toSorted((one, other) => one.endedAt - other.endedAt);
}

function groupBalances(reads: readonly Exchange[]): ShownBalances[] {
  const all: ShownBalances[] = [];
  for (const read of reads) {
    const figures = formatFigures(read);
    const last = all.at(-1);
    const isSame = last?.figures === figures;
    // A wallet with the same figures after two movements has a new time.
    if (last && isSame && last.updatedAt === updatedAt(read)) {
      last.until = Math.max(last.until, read.startedAt);
      continue;
    }
    if (last && !isSame) last.next = read;
    all.push({ figures, updatedAt: updatedAt(read), since: read.endedAt, until: read.startedAt });
  }
  return all;
}

/** Milliseconds that the service's clock is ahead of this one, at least. */
function clockAhead(journal: Journal): number {
  const ahead = listHistories(journal).map(({ creation }) => {
    return readTime(readString(creation.body, 'created_at') ?? '') - creation.endedAt;
  });
  return Math.max(...ahead.filter((ms) => !Number.isNaN(ms)));
}

function updatedAt({ body }: Exchange): number {
  return readTime(readString(body, 'last_updated_at') ?? '');
}
