/**
 * A merchant that works during the faults: it creates payments and payouts, acts on them, and records every response.
 * All acknowledged data must remain valid.
 */
import { isDeepStrictEqual } from 'node:util';
import { readBundle } from '../../contract/src/model.ts';
import { readMachines, type TransactionKind } from '../../contract/src/reference-model.ts';
import { senderForm } from '../../contract/src/sender.ts';
import { requestExamples } from '../../generated/examples.ts';
import type { Payment } from '../../generated/types.ts';
import { clarification, confirmation } from '../gateway/harness/customer.ts';
import type { LoadMerchant } from '../load/merchants.ts';
import type { Random } from '../tools/random.ts';
import { pause, until } from '../tools/wait.ts';
import { call, describeBadRefusal, type Findings, type Outcome } from './gateways.ts';
import type { Receiver } from './receiver.ts';

/** Response members used here. */
interface Shown {
  readonly transaction_id: string;
  readonly status: string;
  readonly amount: number;
}

interface Order {
  readonly kind: TransactionKind;
  readonly request: { readonly merchant_order_id: string; readonly amount: number };
  /** The response to the creation, if any. */
  created?: Shown;
  /** The last response of the status endpoint. */
  seen?: Shown;
  /** The last acknowledged status. */
  status?: string;
  /** Actions without a response or with 503, which may have been processed. */
  readonly uncertain: Set<string>;
}

interface ShopOptions {
  /** Addresses of the currently listening gateways, if any. */
  readonly urls: () => readonly string[];
  readonly account: LoadMerchant;
  readonly receiver: Receiver;
  readonly random: Random;
  readonly findings: Findings;
  /** Part of each order id. */
  readonly name: string;
  /** Whether some orders take ten seconds, so that they are in flight during several faults. */
  readonly hasSlowOrders: boolean;
}

/** By the simulated channel's scenarios; an unknown customer name succeeds. Repeated in proportion to their frequency. */
const ORDER_KINDS: readonly (readonly [kind: TransactionKind, customer?: string])[] = [
  ...Array.from({ length: 6 }, () => ['payment'] as const),
  ...Array.from({ length: 2 }, () => ['payment', 'clarify-name'] as const),
  ['payment', 'decline-BANK_REJECTED'],
  ['payment', 'decline-late-BANK_REJECTED'],
  ...Array.from({ length: 4 }, () => ['payout'] as const),
  ...Array.from({ length: 2 }, () => ['payout', 'decline-BANK_REJECTED'] as const),
];
const SLOW_KINDS = [['payment', 'succeed-later'] as const, ['payout', 'succeed-later'] as const];
const PATH = { payment: '/payments', payout: '/payouts' } as const;
const CREATED_STATUS = { payment: 200, payout: 201 } as const;
const AMOUNT = { min: 1_000, max: 5_000 };
/** Share of the shop's steps that start an order, and that repeat a creation. */
const NEW_PART = 0.5;
const REPEAT_PART = 0.1;
const OPEN_MAX = 200;
const CONCURRENT = 16;
/** The channel's slowest success takes 10 s. A webhook whose sender died is retried after its lease of 5 s. */
const SETTLED_WITHIN_MS = 60_000;

export class Shop {
  readonly counts = { created: 0, actions: 0, refused: 0, writesCut: 0 };
  readonly #options: ShopOptions;
  readonly #machines = readMachines(senderForm(readBundle()));
  readonly #kinds: typeof ORDER_KINDS;
  readonly #orders: Order[] = [];
  /** Orders that have not ended. A worker takes one out, so that responses arrive in the order of the states. */
  #open: Order[] = [];
  /** Orders changed since they were last verified. */
  readonly #touched = new Set<Order>();

  constructor(options: ShopOptions) {
    this.#options = options;
    this.#kinds = options.hasSlowOrders ? [...ORDER_KINDS, ...SLOW_KINDS] : ORDER_KINDS;
  }

  /** Runs a number of workers during a fault. The gateway may refuse requests or die. */
  async workDuring(workers: number, fault: () => Promise<void>): Promise<void> {
    let isOver = false;
    const work = async () => {
      while (!isOver) await this.#step();
    };
    const working = Promise.all(Array.from({ length: workers }, work));
    await fault().finally(() => {
      isOver = true;
    });
    await working;
  }

  /** Reads all orders changed since the last time, or all orders, and repeats their creations. */
  async verify(which: 'touched' | 'all'): Promise<number> {
    const orders = which === 'all' ? [...this.#orders] : [...this.#touched];
    this.#touched.clear();
    await forEachConcurrently(orders, async (order) => {
      await this.#retry(order, 'created again', () => this.#create(order));
      await this.#retry(order, 'read', () => this.#read(order));
    });
    return orders.length;
  }

  /** Runs every order to its end, and compares the webhooks and the number of transactions with them. */
  async settle(countTransactions: () => Promise<number>): Promise<void> {
    const { findings } = this.#options;
    await until(async () => {
      await forEachConcurrently(this.#open, (order) => this.#moveOn(order));
      this.#open = this.#open.filter((order) => !this.#isFinal(order));
      return this.#open.length === 0;
    }, SETTLED_WITHIN_MS);
    for (const { request, status } of this.#open)
      findings.add(`${request.merchant_order_id} has not come to an end: it is ${status}`);
    await until(() => this.#orders.every((order) => this.#isReported(order)), SETTLED_WITHIN_MS);
    this.#compareWebhooks();
    const stored = await countTransactions();
    const ordered = this.#orders.length;
    findings.expect(stored === ordered, () => `there are ${stored} transactions, and ${ordered} were ordered`);
  }

  /** Requests an existing transaction, which must be readable. */
  readAny(): Promise<Outcome> {
    const { kind, created } = this.#options.random.of(this.#orders.filter((order) => order.created));
    return this.request('GET', `${PATH[kind]}/${created?.transaction_id}`);
  }

  async orderAny(): Promise<Outcome> {
    const order = this.#newOrder();
    const outcome = await this.#create(order);
    this.#open.push(order);
    return outcome;
  }

  async request(method: string, path: string, body?: unknown): Promise<Outcome> {
    const { urls, account, random } = this.#options;
    const running = urls();
    if (running.length === 0) return { status: 0, headers: {}, body: undefined };
    const outcome = await call(random.of(running), account.key, method, path, body);
    if (outcome.isCut && method === 'POST') this.counts.writesCut++;
    return outcome;
  }

  async #step(): Promise<void> {
    const { random } = this.#options;
    const isNew = this.#open.length === 0 || (this.#open.length < OPEN_MAX && random.chance(NEW_PART));
    const order = isNew ? this.#newOrder() : random.of(this.#open);
    this.#open = this.#open.filter((other) => other !== order);
    this.#touched.add(order);
    const outcome = await (random.chance(REPEAT_PART) ? this.#create(order) : this.#moveOn(order));
    if (!this.#isFinal(order)) this.#open.push(order);
    if (isUnanswered(outcome)) await pause(20);
  }

  #newOrder(): Order {
    const { random, receiver, name } = this.#options;
    const [kind, customer] = random.of(this.#kinds);
    const id = `${name}-${this.#orders.length}`;
    const { createPayment, createPayout } = requestExamples;
    const { body } = kind === 'payment' ? createPayment['h2h-upi'] : createPayout['imps-inr'];
    const request = {
      ...body,
      amount: random.whole(AMOUNT.min, AMOUNT.max),
      merchant_order_id: id,
      customer: { ...body.customer, id: customer ?? `customer-${id}` },
      callback_url: receiver.url,
    };
    const order: Order = { kind, request, uncertain: new Set() };
    this.#orders.push(order);
    this.#touched.add(order);
    return order;
  }

  /** Performs the next step of an order. */
  async #moveOn(order: Order): Promise<Outcome> {
    if (!order.created) return this.#create(order);
    const outcome = await this.#read(order);
    const payment = order.seen as Payment;
    if (outcome.status !== 200 || order.kind === 'payout') return outcome;
    if (payment.status === 'EXTRA_DATA_NEEDED') return this.#act(order, 'clarify', clarification(payment));
    if (payment.status === 'PAY_CONFIRMATION_NEEDED') return this.#act(order, 'confirm', confirmation(payment));
    return outcome;
  }

  async #create(order: Order): Promise<Outcome> {
    const outcome = await this.request('POST', PATH[order.kind], order.request);
    if (!this.#isAccepted(order, outcome, CREATED_STATUS[order.kind])) return outcome;
    const shown = outcome.body as Shown;
    const { created = shown } = order;
    const same = isDeepStrictEqual(shown, created);
    this.#options.findings.expect(
      same,
      () => `a creation returned ${text(created)}, and its repetition ${text(shown)}`,
    );
    if (!order.created) this.counts.created++;
    order.created = created;
    order.status ??= shown.status;
    return outcome;
  }

  async #read(order: Order): Promise<Outcome> {
    const { kind, request, created, seen, status } = order;
    const outcome = await this.request('GET', `${PATH[kind]}/${created?.transaction_id}`);
    if (!this.#isAccepted(order, outcome, 200)) return outcome;
    const shown = outcome.body as Shown;
    const isSame = shown.transaction_id === created?.transaction_id && shown.amount === request.amount;
    const follows = this.#machines.follows(kind, status ?? shown.status, shown.status);
    const isUnchanged = !this.#isFinal(order) || isDeepStrictEqual(shown, seen);
    this.#options.findings.expect(
      isSame && follows && isUnchanged,
      () => `${kind} ${created?.transaction_id} was ${status}: ${text(seen ?? created)}, then ${text(shown)}`,
    );
    order.seen = shown;
    order.status = shown.status;
    return outcome;
  }

  async #act(order: Order, action: string, body: unknown): Promise<Outcome> {
    const outcome = await this.request('POST', `/payments/${order.created?.transaction_id}/${action}`, body);
    // After a missing response, or a 503 of the channel, the same action may be too late.
    if (outcome.status === 409 && order.uncertain.has(action)) return outcome;
    if (isUnanswered(outcome)) order.uncertain.add(action);
    if (!this.#isAccepted(order, outcome, 200)) return outcome;
    this.counts.actions++;
    order.status = (outcome.body as Shown).status;
    return outcome;
  }

  /** Counts refusals. An unexpected response is a finding, and a missing one is not. */
  #isAccepted({ request, status }: Order, outcome: Outcome, expected: number): boolean {
    if (outcome.status === expected) return true;
    if (outcome.status === 503) this.counts.refused++;
    const mistake = outcome.status === 0 ? undefined : describeBadRefusal(outcome);
    if (mistake) this.#options.findings.add(`${request.merchant_order_id} (${status ?? 'new'}) returned ${mistake}`);
    return false;
  }

  /** Whether a webhook had the body of the status endpoint. */
  #isReported({ seen }: Order): boolean {
    const bodies = [...(this.#options.receiver.bodies.get(seen?.transaction_id ?? '') ?? [])];
    return !seen || bodies.some((body) => isDeepStrictEqual(JSON.parse(body), seen));
  }

  /** Each end is reported, and each webhook has a transaction and its end. */
  #compareWebhooks(): void {
    const { receiver, findings } = this.#options;
    for (const order of this.#orders)
      findings.expect(this.#isReported(order), () => `no webhook reported ${text(order.seen)}`);
    const orders = new Map(this.#orders.map((order) => [order.created?.transaction_id, order]));
    for (const [id, bodies] of receiver.bodies)
      for (const body of bodies) {
        const [order, reported] = [orders.get(id), JSON.parse(body) as Shown];
        const isEnd = order && this.#machines.isFinal(order.kind, reported.status);
        const holds = order && (!isEnd || isDeepStrictEqual(reported, order.seen));
        findings.expect(holds === true, () => `a webhook reported ${body}, and there is ${text(order?.seen)}`);
      }
  }

  /** Repeats an action while the gateway is down or refuses it. */
  async #retry(order: Order, participle: string, action: () => Promise<Outcome>): Promise<void> {
    const done = await until(async () => !isUnanswered(await action()), SETTLED_WITHIN_MS);
    const { findings } = this.#options;
    findings.expect(done !== undefined, () => `${order.request.merchant_order_id} cannot be ${participle}`);
  }

  #isFinal({ kind, seen }: Order): boolean {
    return seen !== undefined && this.#machines.isFinal(kind, seen.status);
  }
}

function isUnanswered({ status }: Outcome): boolean {
  return status === 0 || status === 503;
}

async function forEachConcurrently<T>(items: Iterable<T>, work: (item: T) => Promise<unknown>): Promise<void> {
  const queue = [...items].values();
  const worker = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: CONCURRENT }, worker));
}

function text(value: unknown): string {
  return JSON.stringify(value) ?? 'nothing';
}
