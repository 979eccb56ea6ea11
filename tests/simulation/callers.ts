/**
 * Merchants and customers that send requests, lose responses, retry, and compare each response with the durable state.
 */
import { isDeepStrictEqual } from 'node:util';
import type { TransactionKind } from '../../contract/src/reference-model.ts';
import { cancelOnPage, payOnPage } from '../../gateway/src/checkout/act-on-page.ts';
import { bindOperations } from '../../gateway/src/core.ts';
import { StoreUnavailable } from '../../gateway/src/database/store.ts';
import { ProblemError, type ProblemName } from '../../gateway/src/http/problems.ts';
import type { Merchant } from '../../gateway/src/merchants/merchants.ts';
import type { MerchantClocks, MoveEnd } from '../../gateway/src/sandbox/merchant-clocks.ts';
import { handleNotification } from '../../gateway/src/transactions/channel-notifications.ts';
import type { Services } from '../../gateway/src/transactions/services.ts';
import type { CreatePaymentRequest, CreatePayoutRequest } from '../../generated/types.ts';
import { BrokenRule, demand } from './broken-rule.ts';
import type { Clocks } from './clocks.ts';
import type { Model } from './model.ts';
import type { Network } from './network.ts';
import type { Process } from './process.ts';
import type { Provider } from './provider.ts';
import type { Scheduler } from './scheduler.ts';

/** Dependencies of the callers. */
interface CallersContext {
  readonly network: Network;
  readonly scheduler: Scheduler;
  readonly provider: Provider;
  readonly model: Model;
  readonly processes: readonly Process[];
  readonly merchants: readonly Merchant[];
  readonly clocks: Clocks;
  note(text: () => string): void;
  fail(error: unknown): void;
}

export type CreationBody = CreatePaymentRequest | CreatePayoutRequest;

/** A creation and its known outcome. */
export interface Order {
  readonly kind: TransactionKind;
  readonly merchant: Merchant;
  readonly body: CreationBody;
  /** The acknowledged body and the response. */
  acknowledged?: { readonly body: CreationBody; readonly response: Shown };
}

interface Shown {
  readonly transaction_id: string;
  readonly merchant_order_id: string;
  readonly status: string;
  readonly amount: number;
}

interface Request<T> {
  readonly what: string;
  readonly run: (services: Services, process: Process) => Promise<T>;
  /**
   * Checks the response at its commit. The request arrived at `at`. `present` is the merchant's earliest time since.
   */
  readonly check?: (response: T, at: number, present: (merchantId: number) => number) => void;
  /** Problems that are expected. `unavailable` always is. */
  readonly problems?: readonly ProblemName[];
  /** The response has arrived. */
  readonly onDone?: () => void;
}

/** Time without an acknowledgment after which a channel notifies again. */
const NOTIFY_AGAIN_MS = 5_000;

export type ClockMove = { readonly what: 'advance' | 'freeze'; readonly ms: number } | { readonly what: 'release' };

/** A payment that waits for its customer, and ends with its session. */
const WAITING = new Set(['CREATED', 'EXTRA_DATA_NEEDED', 'PAY_CONFIRMATION_NEEDED']);

function moveClock(clocks: MerchantClocks, merchantId: number, move: ClockMove, target: number): Promise<MoveEnd> {
  if (move.what === 'release') return clocks.release(merchantId);
  return move.what === 'freeze'
    ? clocks.freeze(merchantId, target)
    : clocks.advance(merchantId, (now) => Math.max(now, target));
}

export class Callers {
  readonly orders: Order[] = [];
  /** The last requested clock move of each merchant. */
  readonly #moving = new Map<number, ClockMove>();
  readonly #system: CallersContext;

  constructor(system: CallersContext) {
    this.#system = system;
  }

  create(order: Order, body: CreationBody = order.body): void {
    const { kind, merchant } = order;
    const operation = kind === 'payment' ? 'createPayment' : 'createPayout';
    this.#call<Shown>(operation, merchant, {}, body, {
      check: (response) => this.#checkCreation(order, body, response),
      problems: ['order-id-reused'],
      refuse: (problem) => problem === 'order-id-reused' && this.#checkRefusal(order, body),
    });
  }

  act(operation: 'clarifyPayment' | 'confirmPayment', merchant: Merchant, id: string, body: object): void {
    const left = operation === 'clarifyPayment' ? 'CREATED' : 'PAY_CONFIRMATION_NEEDED';
    this.#call<Shown>(operation, merchant, { transaction_id: id }, body, {
      check: ({ status }, _at, present) => {
        const { statuses = [], endsAt = 0 } = this.#system.model.transactions.get(id) ?? {};
        const inTime = present(merchant.id) < endsAt;
        demand(inTime, 'an action is taken after the session has ended', () => `${operation} of ${id}`);
        const durable = statuses.includes(status) && statuses.at(-1) !== left;
        demand(durable, 'an acknowledged action is not durable', () => `${operation} of ${id}: ${status}`);
      },
      problems: ['wrong-state', 'validation-failed'],
    });
  }

  read(kind: TransactionKind, merchant: Merchant, id: string, orderId?: string): void {
    const { model } = this.#system;
    const before = model.transactions.get(id)?.statuses.length ?? 0;
    const check = ({ transaction_id: shown, status }: Shown) => {
      const { statuses = [] } = model.transactions.get(id) ?? {};
      const current = shown === id && statuses.slice(Math.max(before - 1, 0)).includes(status);
      demand(current, 'a read shows what was not so', () => `${id} is ${statuses}, shown as ${shown} ${status}`);
    };
    if (kind === 'payout') this.#call('getPayout', merchant, { payout_id: id }, undefined, { check });
    else if (orderId === undefined) this.#call('getPayment', merchant, { transaction_id: id }, undefined, { check });
    else this.#call('findPayment', merchant, { merchant_order_id: orderId }, undefined, { check });
  }

  onPage(action: 'pay' | 'cancel', token: string): void {
    this.#send({
      what: `${action} on the page`,
      run: (services) => (action === 'pay' ? payOnPage(services, token, { tid: 'T1' }) : cancelOnPage(services, token)),
    });
  }

  /** Moves a merchant's clock. Afterwards, no earlier work may be due. */
  setClock({ id: merchantId }: Merchant, move: ClockMove): void {
    const { clocks, model } = this.#system;
    let before: readonly string[] = [];
    let from = 0;
    this.#send<{ readonly target: number; readonly arrival: MoveEnd }>({
      what: `${move.what} the clock of merchant ${merchantId}`,
      run: async ({ time }, process) => {
        before = [...model.transactions.values()].filter((one) => one.merchantId === merchantId).map(({ id }) => id);
        from = clocks.sets;
        const target = time.at(merchantId).now + (move.what === 'release' ? 0 : move.ms);
        if (!process.clocks) throw new Error('only a sandbox moves clocks');
        return { target, arrival: await moveClock(process.clocks, merchantId, move, target) };
      },
      check: ({ target, arrival }) => {
        const other = this.#moving.get(merchantId) !== move;
        if (other || arrival.blockedBy !== undefined || move.what === 'release') return;
        for (const id of before) {
          const { statuses = [], endsAt = 0, kind, writtenAfter: to = 0 } = model.transactions.get(id) ?? {};
          // A step written after the clock's arrival may become due at once.
          if (clocks.hasArrived(merchantId, target, { from, to })) continue;
          const ended = kind === 'payment' && WAITING.has(statuses.at(-1) ?? '') && endsAt <= target;
          // A transaction with an unresponsive channel is asked about again later.
          const waits = ended && clocks.waitsFor(id) <= target;
          demand(!waits, 'a clock has passed what was due', () => `${id} in ${statuses.at(-1)} ended at ${endsAt}`);
        }
      },
    });
    this.#moving.set(merchantId, move);
  }

  /** A channel notifies until it is heard. */
  notify(id: string, channel: string): void {
    const again = this.#system.scheduler.add(() => this.notify(id, channel), { after: NOTIFY_AGAIN_MS });
    this.#send({
      what: `notify about ${id}`,
      run: (services) => handleNotification(services, channel, { headers: {}, body: Buffer.from(id) }),
      onDone: () => {
        this.#system.scheduler.remove(again);
        this.#system.provider.acknowledge(id);
      },
    });
  }

  #call<T>(
    operation: string,
    merchant: Merchant,
    parameters: Record<string, string>,
    body: unknown,
    { check, problems, refuse }: Pick<Request<T>, 'check' | 'problems'> & { refuse?: (problem: ProblemName) => void },
  ): void {
    this.#send<T>({
      what: `${operation} ${JSON.stringify(body ?? parameters)}`,
      run: async (services) => {
        try {
          // biome-ignore lint/style/noNonNullAssertion: the names are those of the contract.
          return (await bindOperations(services)[operation]!({ merchant, parameters, body })) as T;
        } catch (error) {
          if (error instanceof ProblemError) refuse?.(error.problem);
          throw error;
        }
      },
      ...(check && { check }),
      ...(problems && { problems }),
    });
  }

  /** Sends a request to one of the processes. There is no response if the process crashes first. */
  #send<T>({ what, run, check, problems = [], onDone }: Request<T>): void {
    const { network, scheduler, clocks } = this.#system;
    network.send(() => {
      const { processes } = this.#system;
      if (processes.length === 0) return;
      const process = scheduler.random.of(processes);
      const { life, services } = process;
      const at = scheduler.now;
      // A clock may move before the process decides.
      const moments = new Map(this.#system.merchants.map(({ id }) => [id, services.time.at(id).now]));
      const earliest = clocks.earliestFromNow();
      const present = (merchantId: number) => Math.min(moments.get(merchantId) ?? at, earliest(merchantId));
      this.#system.note(() => `${life.name} gets ${what}`);
      run(services, process).then(
        (response) => life.alive && this.#finish(() => check?.(response, at, present), what, life.name, onDone),
        (error) => life.alive && this.#finish(() => requireExpected(error, problems), what, life.name),
      );
    });
  }

  #finish(check: () => void, what: string, name: string, done?: () => void): void {
    try {
      check();
      this.#system.note(() => `${name} responds to ${what.split(' ', 1)[0]}`);
      if (done) this.#system.network.send(done);
    } catch (error) {
      this.#system.fail(error);
    }
  }

  /** An acknowledged creation is durable, and a retry gets the first response from any process. */
  #checkCreation(order: Order, body: CreationBody, response: Shown): void {
    const { transaction_id: id } = response;
    const one = this.#system.model.transactions.get(id);
    demand(one !== undefined, 'an acknowledged creation is not durable', () => `${id} of ${body.merchant_order_id}`);
    const same =
      one.orderId === body.merchant_order_id && one.amount === body.amount && response.amount === body.amount;
    demand(same, 'a creation gets a response of another', () => `${JSON.stringify(body)}: ${JSON.stringify(response)}`);
    order.acknowledged ??= { body, response };
    const { acknowledged } = order;
    const repeated = isDeepStrictEqual(acknowledged, { body, response });
    demand(
      repeated,
      'a repeat gets another response',
      () => `${JSON.stringify(acknowledged)}: ${JSON.stringify(response)}`,
    );
  }

  #checkRefusal({ kind, merchant }: Order, body: CreationBody): void {
    const other = [...this.#system.model.transactions.values()].find(
      (one) => one.kind === kind && one.merchantId === merchant.id && one.orderId === body.merchant_order_id,
    );
    const reused = other !== undefined && other.amount !== body.amount;
    if (!reused) this.#system.fail(new BrokenRule('a repeat is refused', JSON.stringify(body)));
  }
}

/** A request may fail with an expected problem, or because the database is unreachable. */
function requireExpected(error: unknown, problems: readonly ProblemName[]): void {
  if (error instanceof StoreUnavailable) return;
  if (error instanceof ProblemError && (error.problem === 'unavailable' || problems.includes(error.problem))) return;
  throw error;
}
