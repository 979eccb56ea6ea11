/** Transactions for the checks: created, moved to a status, and read in each status. */
import { setTimeout as pause } from 'node:timers/promises';
import { type JsonObject, readMember } from '../../../contract/src/model.ts';
import type { TransactionKind } from '../../../contract/src/reference-model.ts';
import { type Contract, specified } from '../document/contract.ts';
import {
  type Driver,
  type Goal,
  goalBody,
  goalKind,
  type PaymentGoal,
  type PayoutGoal,
  type ServiceAccess,
} from '../drivers/driver.ts';
import { driverRemedy } from '../drivers/gateway.ts';
import type { Receiver } from '../receiver/receiver.ts';
import { type Exchange, type ReplyToStatus, readString, type ServiceCall } from '../service/exchange.ts';
import { deadlineIn } from '../time/awake.ts';
import { NotReached } from './finding.ts';
import { foundStatus } from './judge.ts';
import { LearnedTimeouts } from './learned-timeouts.ts';
import type { Settings } from './settings.ts';
import {
  actionBody,
  askedItems,
  type CreationOptions,
  CreationRefused,
  creationBody,
  findAction,
  InsufficientFunds,
  isSuccess,
  lastSeen,
  OPERATION_NAMES,
  readCall,
  readStatus,
  type TrackedTransaction,
  toRequestedKey,
} from './transactions.ts';

export interface FixtureTools {
  readonly contract: Contract;
  readonly settings: Settings;
  readonly driver: Driver;
  readonly access: ServiceAccess;
  readonly receiver: Receiver;
  send(call: ServiceCall): Promise<Exchange>;
  orderId(): string;
}

const POLL_MS_MIN = 10;
const POLL_MS_MAX = 400;
const POLL_GROWTH = 1.6;
const ATTEMPTS_MAX = 2;
/** Times that a payment can ask for data. */
const ASKED_MAX = 5;
/** A wallet with funds for fewer than PAYOUTS_LEFT payouts is filled for this many. */
const PAYOUTS_FUNDED = 60;
const PAYOUTS_LEFT = 25;
/** A wallet without room for this many payments pays out their amount. */
const PAYMENTS_LEFT = 25;
const NO_FUNDS = 'INSUFFICIENT_BALANCE';
const toFundsKey = (currency: string): string => `funds ${currency}`;
/** Waits for a payment's amount to become available. */
export const SETTLED = 'available';
export const UNSETTLED = 'let the sandbox settle at once, or raise --timeout';
const UNFUNDED = 'let the sandbox settle at once, and use a merchant that nothing else pays out from';

export interface ShownBalance {
  readonly available: number;
  readonly pending: number;
  readonly exchange: Exchange;
}

export class Fixtures {
  readonly #tools: FixtureTools;
  readonly #run: SharedFixtures;
  readonly timeouts: LearnedTimeouts;

  constructor(tools: FixtureTools, run: SharedFixtures) {
    this.#tools = tools;
    this.#run = run;
    this.timeouts = run.timeouts;
  }

  /** A transaction that has reached the goal, shared by the checks. They may read it and must not move it. */
  reach(goal: Goal): Promise<TrackedTransaction> {
    return this.#shared(goalKey(goal), () => this.reachNew(goal));
  }

  /** A transaction of the check's own. Rejects with NotReached if it doesn't get there. */
  reachNew(goal: Goal, refusal?: ReplyToStatus): Promise<TrackedTransaction> {
    return this.#unlessHopeless(goalKey(goal), async () => {
      const body = this.bodyFor(goal);
      if (goalKind(goal) === 'payout') return this.#payOutFunding(goal, body);
      return this.#createAndDrive(goal, body, refusal && { refusal });
    });
  }

  /** Gives up on a goal after a few failed attempts, since each attempt can take as long as the run may wait. */
  async #unlessHopeless(key: string, make: () => Promise<TrackedTransaction>): Promise<TrackedTransaction> {
    const failures = this.#run.failures.get(key) ?? [];
    const [first] = failures;
    if (first && failures.length >= ATTEMPTS_MAX) throw first;
    try {
      return await make();
    } catch (error) {
      if (error instanceof NotReached) this.#run.failures.set(key, [...(this.#run.failures.get(key) ?? []), error]);
      throw error;
    }
  }

  async #payOutFunding(goal: Goal, body: JsonObject): Promise<TrackedTransaction> {
    const [currency, amount] = [String(body['currency']), Number(body['amount'])];
    await this.funded(currency, amount);
    try {
      return await this.#createAndDrive(goal, body);
    } catch (error) {
      // The balance can show more than there is.
      if (!(error instanceof InsufficientFunds)) throw error;
      await this.#fill(currency, amount);
      return this.#payOutFunded(goal, body, amount * PAYOUTS_LEFT);
    }
  }

  /** Pays out from a wallet that shows many times the amount, before and after: then no decline is for lack of money. */
  async #payOutFunded(goal: Goal, body: JsonObject, plenty: number): Promise<TrackedTransaction> {
    const currency = String(body['currency']);
    const before = await this.balance(currency);
    return this.#createAndDrive(goal, body).catch(async (error: unknown) => {
      if (!(error instanceof InsufficientFunds)) throw error;
      const after = await this.balance(currency);
      const least = Math.min(before?.available ?? 0, after?.available ?? 0);
      if (least < plenty) throw error;
      const { exchange, message, remedy } = error;
      const clause = specified('8', this.#tools.contract.operation(OPERATION_NAMES.payout.create).pointer);
      const expected = `a payout of ${body['amount']}, since ${least} ${currency} are available before and after it`;
      const finding = { at: 'body /status', expected, found: `FAILED with ${NO_FUNDS}`, clause };
      throw new InsufficientFunds(message, remedy, exchange, [{ ...finding, exchange }]);
    });
  }

  async #createAndDrive(goal: Goal, body: JsonObject, creating?: CreationOptions): Promise<TrackedTransaction> {
    const tracked = await this.create(goalKind(goal), body, creating);
    await this.drive(tracked, goal);
    return tracked;
  }

  /**
   * Fills the wallet with payments unless it has funds for several payouts of this size. Returns false if it can't, and
   * the payouts then report the reason.
   */
  async funded(currency: string, amount: number): Promise<boolean> {
    if (((await this.balance(currency))?.available ?? 0) >= amount * PAYOUTS_LEFT) return true;
    return this.#fill(currency, amount);
  }

  async #fill(currency: string, amount: number): Promise<boolean> {
    const key = toFundsKey(currency);
    const fund = () => this.#fund(currency, amount * PAYOUTS_FUNDED);
    const filled = this.#shared(key, () => this.#unlessHopeless(key, fund));
    try {
      await filled;
      return true;
    } catch (error) {
      if (!(error instanceof NotReached)) throw error;
      return false;
    } finally {
      this.#run.made.delete(key);
    }
  }

  /** Pays out of a wallet that is too full for payments of this size. If it can't, the payments then report the reason. */
  async makeRoom(currency: string, amount: number): Promise<void> {
    const { driver, settings } = this.#tools;
    const room = amount * PAYMENTS_LEFT;
    const { available = 0, pending = 0 } = (await this.balance(currency)) ?? {};
    if (available + pending <= Number.MAX_SAFE_INTEGER - room || !settings.levels.includes('payouts')) return;
    const goal: PayoutGoal = { until: 'SUCCESS', currency };
    const body = driver.payout(goal);
    if (body?.['currency'] !== currency) return;
    await this.#createAndDrive(goal, { ...body, amount: room }).catch((error: unknown) => {
      if (!(error instanceof NotReached)) throw error;
    });
  }

  /** The balance in a currency; undefined if the service lists none at all. */
  async balance(currency: string): Promise<ShownBalance | undefined> {
    const { contract, send } = this.#tools;
    const exchange = await send({ operation: contract.operation('getBalance') });
    const list = readMember(exchange.body, 'balances');
    const found = (Array.isArray(list) ? list : []).find((one) => readMember(one, 'currency') === currency);
    if (!Array.isArray(list)) return undefined;
    // A service can leave out unused wallets.
    if (found === undefined) return { available: 0, pending: 0, exchange };
    return {
      available: Number(readMember(found, 'available')),
      pending: Number(readMember(found, 'pending')),
      exchange,
    };
  }

  async #fund(currency: string, wanted: number): Promise<TrackedTransaction> {
    const { driver } = this.#tools;
    const goal: PaymentGoal = { flow: 'h2h', until: 'SUCCESS', currency };
    const body = driver.payment(goal);
    if (body?.['currency'] !== currency) {
      const remedy = driverRemedy(driver, `add a payment in ${currency} to the driver, or fill the wallet`);
      throw new NotReached(`the driver ${driver.name} has no payment in ${currency}`, remedy);
    }
    const tracked = await this.create('payment', { ...body, amount: wanted });
    await this.drive(tracked, goal);
    const { value, isFit, limitMs } = await this.timeouts.poll(
      SETTLED,
      async () => (await this.balance(currency)) ?? { available: 0, pending: 0 },
      ({ available }) => available >= wanted,
      { pauseMs: POLL_MS_MAX },
    );
    if (!isFit) {
      const reason = `${value.available} ${currency} available, ${value.pending} still pending after ${limitMs / 1_000} s`;
      throw new NotReached(reason, UNSETTLED);
    }
    return tracked;
  }

  /** Empties the wallet. Returns a function that refills it, or undefined if the driver can't. */
  async drain(currency: string): Promise<(() => Promise<unknown>) | undefined> {
    const { driver, access } = this.#tools;
    // If no balance is shown any more, that is found here, and not after the driver has waited for it as well.
    if (driver.drainWallet) await this.balance(currency);
    const failure = `the driver could not empty the ${currency} wallet`;
    return callDriver(driver, 'drainWallet', failure, async () => driver.drainWallet?.(currency, access));
  }

  /** Creates a transaction with the body. Rejects with CreationRefused if the service refuses it. */
  async create(kind: TransactionKind, body: JsonObject, creating: CreationOptions = {}): Promise<TrackedTransaction> {
    const { contract, receiver, send, orderId } = this.#tools;
    const { refusal, order = orderId(), callbackQuery = '', unpaid = false } = creating;
    const operation = contract.operation(OPERATION_NAMES[kind].create);
    const endpoint = receiver.endpoint(refusal);
    const call: ServiceCall = { operation, body: creationBody(body, order, `${endpoint.url}${callbackQuery}`), unpaid };
    const creation = await send(call);
    const id = readString(creation.body, 'transaction_id');
    if (!isSuccess(operation, creation) || id === undefined) {
      const found = isSuccess(operation, creation) ? 'no transaction_id' : foundStatus(creation);
      throw new CreationRefused(creation, found, contract.clause(operation.pointer));
    }
    return { kind, id, call, creation, endpoint, reads: [], actions: [], pagesPaid: 0 };
  }

  async read(tracked: TrackedTransaction): Promise<Exchange> {
    const exchange = await this.#tools.send(readCall(this.#tools.contract, tracked));
    if (isSuccess(exchange.call.operation, exchange)) tracked.reads.push(exchange);
    return exchange;
  }

  /** Acts as caller and customer until the goal is reached, through its `from` status. */
  async drive(tracked: TrackedTransaction, goal: Goal): Promise<void> {
    await this.moving(() => this.#drive(tracked, goal));
  }

  /** Runs a step that moves money. Wallets are compared only when no such step is in progress. */
  async moving<T>(move: () => Promise<T>): Promise<T> {
    const moved = move();
    this.#run.driving.add(moved);
    return moved.finally(() => this.#run.driving.delete(moved));
  }

  async #drive(tracked: TrackedTransaction, goal: Goal): Promise<void> {
    const { driver, access } = this.#tools;
    for (const until of goal.from === undefined ? [goal.until] : [goal.from, goal.until]) {
      const stop = { ...goal, until };
      const failure = `the driver could not move the ${tracked.kind} to ${until}`;
      await callDriver(driver, 'move', failure, async () => driver.move?.(tracked.kind, tracked.id, stop, access));
      await this.follow(tracked, stop);
      if (findAction(until) === undefined) this.#run.parked.add(tracked.id);
    }
  }

  /** Takes the caller's and the customer's steps, without the driver's simulation of the service's steps. */
  async follow(tracked: TrackedTransaction, goal: Goal): Promise<void> {
    const wait = `${tracked.kind} ${goal.until}`;
    const limitMs = this.timeouts.limitMs(wait);
    // It may take this long for each step, not for all of them.
    let deadline = deadlineIn(limitMs);
    let movedAt = performance.now();
    const taken = new Set<string>();
    for (let pauseMs = POLL_MS_MIN; ; pauseMs = Math.min(pauseMs * POLL_GROWTH, POLL_MS_MAX)) {
      const before = readStatus(tracked);
      const exchange = await this.read(tracked);
      if (!isSuccess(exchange.call.operation, exchange)) {
        // A read can be later than the creation, for a while.
        if (exchange.status !== 404 || deadline.passed()) {
          throw new NotReached(
            `${exchange.call.operation.id} returned ${foundStatus(exchange)}`,
            'make it readable',
            exchange,
          );
        }
        await pause(pauseMs);
        continue;
      }
      const status = readStatus(tracked);
      if (this.#isThere(tracked, goal, status)) return this.timeouts.note(wait, performance.now() - movedAt);
      if (status !== before) {
        deadline = deadlineIn(limitMs);
        movedAt = performance.now();
      }
      if (deadline.passed()) {
        this.timeouts.note(wait, undefined);
        throw new NotReached(
          `the ${tracked.kind} stayed in ${status}; expected ${goal.until} within ${limitMs / 1_000} s`,
          `${stepRemedy(this.#tools.driver, tracked, goal)}; or raise --timeout`,
          exchange,
        );
      }
      if (!taken.has(toRequestedKey(tracked)) && (await this.act(tracked))) {
        // If the response asks for data again, the next pass supplies them.
        const again = readString(tracked.actions.at(-1)?.body, 'status') === status;
        if (!again || tracked.actions.length > ASKED_MAX) taken.add(toRequestedKey(tracked));
        pauseMs = POLL_MS_MIN;
      }
      await pause(pauseMs);
    }
  }

  /** Supplies the requested data or pays, if the payment's status asks for it. */
  async act(tracked: TrackedTransaction): Promise<boolean> {
    const { contract, driver, access, send } = this.#tools;
    const status = readStatus(tracked);
    const action = findAction(status);
    const body = actionBody(driver, tracked);
    if (action && body) {
      const operation = contract.operation(action.operation);
      tracked.actions.push(await send({ operation, path: { transaction_id: tracked.id }, body }));
      return true;
    }
    const page = readString(tracked.creation.body, 'redirect_url');
    if (tracked.kind !== 'payment' || status !== 'CREATED' || page === undefined || !driver.pay) return false;
    tracked.pagesPaid += 1;
    await callDriver(driver, 'pay', `the customer could not pay at ${page}`, async () => driver.pay?.(page, access));
    return true;
  }

  #isThere(tracked: TrackedTransaction, goal: Goal, status: string): boolean {
    const machine = this.#tools.contract.machines[tracked.kind];
    if (machine.states[status]?.final) {
      const reason = readString(lastSeen(tracked), 'decline_reason');
      if (status === goal.until && (goal.reason === undefined || goal.reason === reason)) return true;
      const found = `the ${tracked.kind} became ${status}${reason === undefined ? '' : ` with ${reason}`}`;
      if (tracked.kind === 'payout' && reason === NO_FUNDS) throw this.#unfunded(tracked, found);
      const wanted = goal.reason === undefined ? goal.until : `${goal.until} with ${goal.reason}`;
      throw new NotReached(`${found}; expected ${wanted}`, bodyRemedy(this.#tools.driver, tracked, goal));
    }
    return status === goal.until;
  }

  /** Says why the wallet was not filled, if that failed. */
  #unfunded({ call, reads }: TrackedTransaction, found: string): InsufficientFunds {
    const [failure] = this.#run.failures.get(toFundsKey(String(readMember(call.body, 'currency')))) ?? [];
    const exchange = reads.at(-1);
    return failure
      ? new InsufficientFunds(`${found}: ${failure.message}`, failure.remedy, exchange)
      : new InsufficientFunds(found, UNFUNDED, exchange);
  }

  /** The driver's body of a creation that leads to the goal. Throws NotReached without one. */
  bodyFor(goal: Goal): JsonObject {
    const { driver } = this.#tools;
    const body = goalBody(driver, goal);
    if (body) return body;
    const kind = goalKind(goal);
    const wanted = goal.reason === undefined ? goal.until : `${goal.until} with ${goal.reason}`;
    throw new NotReached(
      `the driver ${driver.name} has no ${kind} that goes to ${wanted}`,
      driverRemedy(driver, `add it to \`${kind}\` of the driver`),
    );
  }

  #shared(key: string, make: () => Promise<TrackedTransaction>): Promise<TrackedTransaction> {
    const known = this.#run.made.get(key);
    if (known) return known;
    const made = make();
    // Each check that waits for it gets the reason; without any, it must not end the process.
    made.catch(() => undefined);
    this.#run.made.set(key, made);
    return made;
  }
}

/** Calls a method of the driver. Rejects with NotReached if it fails. */
export async function callDriver<T>(driver: Driver, name: keyof Driver, failure: string, call: () => Promise<T>) {
  return call().catch((error: Error): never => {
    const remedy = driverRemedy(driver, `correct \`${name}\` of the driver`);
    throw new NotReached(`${failure}: ${error.message}`, remedy);
  });
}

function goalKey(goal: Goal): string {
  return `${goalKind(goal)} ${JSON.stringify(goal)}`;
}

/** The remedy for a transaction that stays in another status. */
export function stepRemedy(driver: Driver, tracked: TrackedTransaction, goal: Goal): string {
  if (!findAction(readStatus(tracked))) return bodyRemedy(driver, tracked, goal);
  const items = askedItems(tracked).join(', ');
  return driverRemedy(driver, `let \`items\` of the driver return values that the service takes for ${items}`);
}

/** The remedy for a transaction that reaches another status. */
export function bodyRemedy(driver: Driver, { kind }: TrackedTransaction, { until }: Goal): string {
  const step = `let \`${kind}\` of the driver return a body that goes to ${until}, or \`move\` bring it there`;
  return driverRemedy(driver, step);
}

export interface SharedFixtures {
  readonly made: Map<string, Promise<TrackedTransaction>>;
  /** The reasons why goals were not reached, one for each attempt. */
  readonly failures: Map<string, NotReached[]>;
  /** Transactions in progress, which can still move wallets. */
  readonly driving: Set<Promise<unknown>>;
  /** Ids of transactions that later phases don't wait for: at their goal, or timed out. */
  readonly parked: Set<string>;
  readonly timeouts: LearnedTimeouts;
}

export function sharedFixtures({ timeoutMs }: Settings): SharedFixtures {
  return {
    made: new Map(),
    failures: new Map(),
    driving: new Set(),
    parked: new Set(),
    timeouts: new LearnedTimeouts(timeoutMs),
  };
}
