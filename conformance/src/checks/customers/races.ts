/** Concurrent requests: two clarifies, two confirms, a lookup during the creation, and another merchant's balance. */
import { setTimeout as pause } from 'node:timers/promises';
import { type JsonObject, readMember } from '../../../../contract/src/model.ts';
import type { TransactionKind } from '../../../../contract/src/reference-model.ts';
import type { Check, Context } from '../../core/check.ts';
import { andThen, type Finding, NotReached } from '../../core/finding.ts';
import { foundStatus } from '../../core/judge.ts';
import type { Settings } from '../../core/settings.ts';
import {
  actionBody,
  actions,
  isSuccess,
  judgeEcho,
  KINDS,
  lastSeen,
  OPERATION_NAMES,
  readStatus,
} from '../../core/transactions.ts';
import { steadyWallet } from '../../core/wallet.ts';
import { type Contract, specified } from '../../document/contract.ts';
import type { Goal, PaymentGoal } from '../../drivers/driver.ts';
import { driverRemedy } from '../../drivers/gateway.ts';
import { type Exchange, readString, type ServiceCall } from '../../service/exchange.ts';
import { secondKey } from '../access.ts';
import { claimedFlow, KIND_LEVELS, readGoalCurrency, waitingGoal } from '../levels.ts';
import { judgeGain, judgeTotal, judgeTwice } from '../money.ts';
import { findByOrder } from './round-trip.ts';

const CLICKED = { flow: 'redirect', until: 'SUCCESS' } as const;
const COLLECTED = { flow: 'h2h', until: 'SUCCESS' } as const;
const AT_ONCE = 5;
/** Lookups one after the other, at most. */
const LOOKUPS_MAX = 20;
const CREDIT_MS_MIN = 500;

export function raceChecks(contract: Contract, settings: Settings): Check[] {
  const transitions = contract.assumption('transitions');
  const payments = { levels: [], partOf: KIND_LEVELS.payment } as const;
  return [
    ...actions().map(
      ([status, { operation }]): Check => ({
        ...{ id: `race/${operation}`, clause: transitions, phase: 'money', operation },
        ...{ levels: [], partOf: ['payments-h2h'] },
        walletOf: readGoalCurrency(actingGoal(operation)),
        covers: [['races', operation]],
        title: `Of ${AT_ONCE} concurrent requests of ${operation}, one succeeds and collects money once`,
        run: (context) => judgeTwice(() => judgeRace(() => judgeActions(context, status, operation))),
      }),
    ),
    {
      ...{ id: 'race/pay', operation: 'createPayment', phase: 'money', levels: [], partOf: ['payments-redirect'] },
      title: 'A customer who pays twice on the payment page pays once',
      covers: [['repeats', 'payment on the page']],
      walletOf: readGoalCurrency(CLICKED),
      clause: contract.assumption('pending'),
      run: (context) => judgeTwice(() => judgeSecondClick(context)),
    },
    ...KINDS.map((kind): Check => {
      const { create: operation } = OPERATION_NAMES[kind];
      const goal = kind === 'payment' ? COLLECTED : { until: 'SUCCESS' };
      return {
        ...{ id: `race/${kind}s`, operation, phase: 'money', levels: [] },
        partOf: kind === 'payment' ? ['payments-h2h'] : ['payouts'],
        title: `${AT_ONCE} ${kind}s at the same time move the wallet by all of their amounts`,
        covers: [['races', `${kind}s of one wallet`]],
        walletOf: readGoalCurrency(goal),
        clause: contract.assumption('pending'),
        run: (context) => judgeTwice(() => judgeTogether(context, kind, goal)),
      };
    }),
    {
      ...{ ...payments, id: 'race/findPayment', operation: 'findPayment', phase: 'parallel' },
      title: 'A lookup during the creation returns 404 or the whole payment',
      covers: [['races', 'findPayment during createPayment']],
      clause: specified('4.4', contract.operation('findPayment').pointer),
      run: (context) => judgeRace(() => judgeLookups(context)),
    },
    {
      ...{ ...payments, id: 'isolation/getBalance', operation: 'getBalance', phase: 'money' },
      title: "A merchant's balance is its own, and another merchant's payment doesn't change it",
      covers: [['identities', 'getBalance of another merchant']],
      walletOf: readGoalCurrency({ flow: claimedFlow(settings), until: 'SUCCESS' }),
      clause: specified('1', contract.operation('getBalance').pointer),
      run: judgeBalances,
    },
  ];
}

function actingGoal(id: string): PaymentGoal {
  return { flow: 'h2h', until: 'SUCCESS', asks: id === 'clarifyPayment' };
}

async function judgeActions(context: Context, status: string, id: string): Promise<RaceResult> {
  const { contract, driver, fixtures, sendTogether } = context;
  const goal = actingGoal(id);
  const given = fixtures.bodyFor(goal);
  await fixtures.makeRoom(String(given['currency']), Number(given['amount']));
  const before = await steadyWallet(context, String(given['currency']));
  const tracked = await fixtures.create('payment', given);
  await fixtures.drive(tracked, { ...goal, until: status });
  const operation = contract.operation(id);
  const path = { transaction_id: tracked.id };
  const call: ServiceCall = { operation, path, body: actionBody(driver, tracked) ?? {} };
  const exchanges = await sendTogether(Array.from({ length: AT_ONCE }, () => call));
  const clause = contract.assumption('transitions');
  // Other checks judge with which 2xx it succeeds.
  const taken = exchanges.filter(({ status: found }) => found < 300);
  // A service can ask for more data in the same status, which the other requests don't have.
  const asksAgain = taken.some(({ body }) => readString(body, 'status') === status);
  const refusals = asksAgain ? [409, 400] : [409];
  const refused = exchanges.find((exchange) => !taken.includes(exchange) && !refusals.includes(exchange.status));
  const isOne = taken.length === 1 || (taken.length > 1 && asksAgain);
  const odd = taken[1] ?? exchanges[0];
  const found = `${taken.length} of ${AT_ONCE} were carried out`;
  const findings: Finding[] = [
    ...(isOne ? [] : [{ at: 'status', expected: '409 but for one', found, clause, exchange: odd }]),
    ...(refused ? [{ at: 'status', expected: '409', found: foundStatus(refused), clause, exchange: refused }] : []),
  ];
  const all = await andThen(findings, async () => {
    await fixtures.drive(tracked, goal);
    return judgeGain(context, before, tracked);
  });
  return { findings: all, met: haveMet(exchanges) };
}

/** A wallet that is read and written without a lock loses one of two movements. */
async function judgeTogether(context: Context, kind: TransactionKind, goal: Goal): Promise<Finding[]> {
  const { contract, fixtures } = context;
  const body = fixtures.bodyFor(goal);
  const [currency, amount] = [String(body['currency']), Number(body['amount'])];
  if (kind === 'payout') await fixtures.funded(currency, amount);
  else await fixtures.makeRoom(currency, amount);
  const before = await steadyWallet(context, currency);
  const made = await Promise.all(Array.from({ length: AT_ONCE }, () => fixtures.create(kind, body)));
  await Promise.all(made.map((tracked) => fixtures.drive(tracked, goal)));
  const moved = made.reduce(
    (total, tracked) => total + (kind === 'payment' ? Number(readMember(lastSeen(tracked), 'amount_paid')) : -amount),
    0,
  );
  const expected = before.total + moved;
  const clause =
    kind === 'payment' ? contract.assumption('pending') : specified('4.6', contract.operation('createPayout').pointer);
  return judgeTotal(context, currency, { before, expected, amount: Math.abs(moved), clause });
}

async function judgeSecondClick(context: Context): Promise<Finding[]> {
  const { access, driver, fixtures } = context;
  const given = fixtures.bodyFor(CLICKED);
  await fixtures.makeRoom(String(given['currency']), Number(given['amount']));
  const before = await steadyWallet(context, String(given['currency']));
  const startedAt = performance.now();
  const tracked = await fixtures.create('payment', given);
  const page = readString(tracked.creation.body, 'redirect_url');
  if (page === undefined) {
    throw new NotReached('the payment has no redirect_url', 'correct what state/payment/redirect/page reports');
  }
  if (!driver.pay) throw new NotReached('the driver has no `pay`', driverRemedy(driver, 'add `pay` to the driver'));
  await fixtures.drive(tracked, CLICKED);
  const tookMs = performance.now() - startedAt;
  // A page that refuses is right.
  await driver.pay(page, access).catch(() => undefined);
  // A second payment would be credited after as long as the first.
  await pause(fixtures.timeouts.unseenMs(CREDIT_MS_MIN, tookMs));
  return judgeGain(context, before, tracked);
}

async function judgeLookups(context: Context): Promise<RaceResult> {
  const { contract, fixtures, orderId, settings } = context;
  const order = orderId();
  const operation = contract.operation('findPayment');
  const clause = specified('4.4', operation.pointer);
  const body = fixtures.bodyFor(waitingGoal(settings));
  const found: Exchange[] = [];
  let isCreated = false;
  const lookUp = async () => {
    for (let count = 0; count < LOOKUPS_MAX && !isCreated; count += 1) {
      found.push(await findByOrder(context, order));
    }
  };
  const lookups = Array.from({ length: AT_ONCE }, lookUp);
  const creating = fixtures.create('payment', body, { order, unpaid: true }).finally(() => {
    isCreated = true;
  });
  const [tracked] = await Promise.all([creating, ...lookups]);
  const findings = found
    // Other checks judge with which status it refuses.
    .filter(({ status }) => status < 400 || status >= 500)
    .flatMap((exchange): Finding[] => {
      if (!isSuccess(operation, exchange)) {
        return [{ at: 'status', expected: '200 or 404', found: foundStatus(exchange), clause, exchange }];
      }
      const id = readString(exchange.body, 'transaction_id');
      const other = { at: 'body /transaction_id', expected: tracked.id, found: String(id), clause, exchange };
      return [...(id === tracked.id ? [] : [other]), ...judgeEcho(contract, 'payment', tracked.call.body, exchange)];
    });
  return { findings, met: found.some((lookup) => haveMet([lookup, tracked.creation])) };
}

async function judgeBalances(context: Context): Promise<Finding[]> {
  const { contract, fixtures, send, settings } = context;
  const key = secondKey(context);
  const operation = contract.operation('getBalance');
  const clause = specified('1', operation.pointer);
  const [own, before] = await Promise.all([send({ operation }), send({ operation, key })]);
  if (!isSuccess(operation, before)) {
    throw new NotReached(`getBalance returned ${foundStatus(before)} to the second key`, 'correct --second-key');
  }
  const merchant = readMember(own.body, 'merchant_id');
  if (merchant === readMember(before.body, 'merchant_id')) {
    const expected = "another merchant's than with the first key";
    return [{ at: 'body /merchant_id', expected, found: String(merchant), clause, exchange: before }];
  }
  const tracked = await fixtures.reachNew({ flow: claimedFlow(settings), until: 'SUCCESS' });
  const { currency, amount } = tracked.call.body as JsonObject;
  const wallet = await steadyWallet(context, String(currency));
  const after = await send({ operation, key });
  const [expected, found] = [before, after].map(({ body }) => JSON.stringify(readMember(body, 'balances')));
  if (expected === found) return [];
  const reason = `another merchant was paid ${amount} ${currency} (${readStatus(tracked)}, now ${wallet.total})`;
  const text = `${expected}, since ${reason}`;
  return [{ at: 'body /balances', expected: text, found: String(found), clause, exchange: after }];
}

export interface RaceResult {
  readonly findings: Finding[];
  /** Whether requests were in flight at the same time. */
  readonly met: boolean;
}

const ATTEMPTS_MAX = 3;

/** The findings of the first race. Throws NotReached if the requests never meet. */
export async function judgeRace(run: () => Promise<RaceResult>): Promise<Finding[]> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const { findings, met } = await run();
    if (met || findings.length > 0) return findings;
  }
  throw new NotReached(
    'the requests were never in flight at the same time',
    'run the kit on a machine that does less, or raise the rate limit of the service',
  );
}

/** Whether two of the requests were in flight at the same time. */
export function haveMet(exchanges: readonly Exchange[]): boolean {
  return exchanges.some((one, index) =>
    exchanges.slice(index + 1).some((other) => one.startedAt < other.endedAt && other.startedAt < one.endedAt),
  );
}
