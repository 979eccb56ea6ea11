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
import { type Answer, send } from '../load/client.ts';
import { openEndpoint } from '../tools/endpoint.ts';
import type { Loopback } from '../tools/loopback.ts';
import { type Random, seeded } from '../tools/random.ts';
import { pause, until } from '../tools/wait.ts';

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
  /** Whether an action got no response or 503, so that it may have been processed. */
  isUncertain: boolean;
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
const PATH = { payment: '/payments', payout: '/payouts' } as const;
const WORKERS = 16;
const OPEN_MAX = 200;
/** Share of the steps that start an order. */
const NEW_PART = 0.5;
const RESPONDS_WITHIN_MS = 20_000;
/** A webhook whose sender died is retried after its lease of 5 s. */
const SETTLED_WITHIN_MS = 60_000;

export class Shop {
  /** Opens the shop with its webhook endpoint. `urls` lists the gateways that currently listen. */
  static async open(key: string, urls: () => readonly string[]): Promise<Shop> {
    const bodies = new Map<string, Shown[]>();
    const endpoint = await openEndpoint((response, { body }) => {
      const shown: Shown = JSON.parse(body);
      bodies.set(shown.transaction_id, [...(bodies.get(shown.transaction_id) ?? []), shown]);
      response.writeHead(204).end();
    });
    return new Shop(key, urls, endpoint, bodies);
  }

  /** Losses and errors. */
  readonly findings: string[] = [];
  /** Created orders, requests whose connection was lost, and refusals with 503. */
  readonly counts = { acknowledged: 0, lost: 0, refused: 0 };
  readonly random: Random = seeded(4);
  readonly #key: string;
  readonly #urls: () => readonly string[];
  readonly #endpoint: Loopback;
  /** Bodies of the received webhooks, by transaction. */
  readonly #reported: ReadonlyMap<string, readonly Shown[]>;
  readonly #machines = readMachines(senderForm(readBundle()));
  readonly #orders: Order[] = [];
  /** Orders that have not ended. A worker takes one out, so that responses arrive in the order of the states. */
  #open: Order[] = [];

  private constructor(
    key: string,
    urls: () => readonly string[],
    endpoint: Loopback,
    reported: ReadonlyMap<string, readonly Shown[]>,
  ) {
    this.#key = key;
    this.#urls = urls;
    this.#endpoint = endpoint;
    this.#reported = reported;
  }

  /** Number of transactions that the shop has ordered. */
  get ordered(): number {
    return this.#orders.length;
  }

  close(): Promise<void> {
    return this.#endpoint.close();
  }

  /** Creates orders and moves them on during a fault. The gateway may refuse requests or die. */
  async workDuring(fault: () => Promise<void>): Promise<void> {
    let isOver = false;
    const work = async () => {
      while (!isOver) await this.#step();
    };
    const working = Promise.all(Array.from({ length: WORKERS }, work));
    await fault().finally(() => {
      isOver = true;
    });
    await working;
  }

  /** Waits until another order is acknowledged. */
  async untilOrdered(withinMs = RESPONDS_WITHIN_MS): Promise<void> {
    const before = this.counts.acknowledged;
    const waited = await until(() => this.counts.acknowledged > before, withinMs);
    this.expect(waited !== undefined, () => `no order was accepted for ${withinMs} ms`);
  }

  /** Waits until a request is refused. */
  async untilRefused(): Promise<void> {
    const before = this.counts.refused;
    const waited = await until(() => this.counts.refused > before, RESPONDS_WITHIN_MS);
    this.expect(waited !== undefined, () => 'no request was refused during the fault');
  }

  /** Repeats the creation of every order and reads it. */
  async verify(): Promise<void> {
    await forEachConcurrently(this.#orders, async (order) => {
      await this.#retry(order, 'created again', () => this.#create(order));
      await this.#retry(order, 'read', () => this.#read(order));
    });
  }

  /** Runs every order to its end, and compares it with its webhooks. */
  async settle(): Promise<void> {
    await until(async () => {
      await forEachConcurrently(this.#open, (order) => this.#moveOn(order));
      this.#open = this.#open.filter((order) => !this.#isFinal(order));
      return this.#open.length === 0;
    }, SETTLED_WITHIN_MS);
    for (const { request, status } of this.#open)
      this.findings.push(`${request.merchant_order_id} has not come to an end: it is ${status}`);
    await until(() => this.#orders.every((order) => this.#isReported(order)), SETTLED_WITHIN_MS);
    this.#compareWebhooks();
  }

  /** Records the text unless the condition holds. */
  expect(condition: boolean, text: () => string): void {
    if (!condition) this.findings.push(text());
  }

  async #step(): Promise<void> {
    const isNew = this.#open.length === 0 || (this.#open.length < OPEN_MAX && this.random.chance(NEW_PART));
    const order = isNew ? this.#addOrder() : this.random.of(this.#open);
    this.#open = this.#open.filter((other) => other !== order);
    const answer = await this.#moveOn(order);
    if (!this.#isFinal(order)) this.#open.push(order);
    if (isUnanswered(answer)) await pause(20);
  }

  #addOrder(): Order {
    const [kind, customer] = this.random.of(ORDER_KINDS);
    const id = `order-${this.#orders.length}`;
    const { createPayment, createPayout } = requestExamples;
    const { body } = kind === 'payment' ? createPayment['h2h-upi'] : createPayout['imps-inr'];
    const request = {
      ...body,
      amount: this.random.whole(1_000, 5_000),
      merchant_order_id: id,
      customer: { ...body.customer, id: customer ?? `customer-${id}` },
      callback_url: this.#endpoint.url,
    };
    const order: Order = { kind, request, isUncertain: false };
    this.#orders.push(order);
    return order;
  }

  /** Performs the next step of an order. */
  async #moveOn(order: Order): Promise<Answer> {
    if (!order.created) return this.#create(order);
    const answer = await this.#read(order);
    const payment = order.seen as Payment;
    if (answer.status !== 200 || order.kind === 'payout') return answer;
    if (payment.status === 'EXTRA_DATA_NEEDED') return this.#act(order, 'clarify', clarification(payment));
    if (payment.status === 'PAY_CONFIRMATION_NEEDED') return this.#act(order, 'confirm', confirmation(payment));
    return answer;
  }

  async #create(order: Order): Promise<Answer> {
    const answer = await this.#request('POST', PATH[order.kind], order.request);
    if (!this.#isAccepted(order, answer, order.kind === 'payment' ? 200 : 201)) return answer;
    const shown = answer.body as Shown;
    const { created = shown } = order;
    const isSame = isDeepStrictEqual(shown, created);
    this.expect(isSame, () => `a creation returned ${text(created)}, and its repetition ${text(shown)}`);
    if (!order.created) this.counts.acknowledged++;
    order.created = created;
    order.status ??= shown.status;
    return answer;
  }

  async #read(order: Order): Promise<Answer> {
    const { kind, request, created, seen, status } = order;
    const answer = await this.#request('GET', `${PATH[kind]}/${created?.transaction_id}`);
    if (!this.#isAccepted(order, answer, 200)) return answer;
    const shown = answer.body as Shown;
    const isSame = shown.transaction_id === created?.transaction_id && shown.amount === request.amount;
    const follows = this.#machines.follows(kind, status ?? shown.status, shown.status);
    const isUnchanged = !this.#isFinal(order) || isDeepStrictEqual(shown, seen);
    this.expect(
      isSame && follows && isUnchanged,
      () => `${kind} ${created?.transaction_id} was ${status}: ${text(seen ?? created)}, then ${text(shown)}`,
    );
    order.seen = shown;
    order.status = shown.status;
    return answer;
  }

  async #act(order: Order, action: string, body: unknown): Promise<Answer> {
    const answer = await this.#request('POST', `/payments/${order.created?.transaction_id}/${action}`, body);
    // After a missing response, or a 503 of the channel, the same action may be too late.
    if (answer.status === 409 && order.isUncertain) return answer;
    if (isUnanswered(answer)) order.isUncertain = true;
    if (this.#isAccepted(order, answer, 200)) order.status = (answer.body as Shown).status;
    return answer;
  }

  /** Sends a request to a gateway that may die or refuse it. The status is 0 without a complete response. */
  async #request(method: string, path: string, body?: unknown): Promise<Answer> {
    const urls = this.#urls();
    const none = { status: 0, headers: {}, body: undefined };
    if (urls.length === 0) return none;
    const caller = { url: this.random.of(urls), key: this.#key, withinMs: RESPONDS_WITHIN_MS };
    return send(caller, method, path, body).catch((error: NodeJS.ErrnoException) => {
      if (method === 'POST' && error.code !== 'ECONNREFUSED') this.counts.lost++;
      return none;
    });
  }

  /** Counts refusals. An unexpected response is a finding, and a missing one is not. */
  #isAccepted({ request, status }: Order, answer: Answer, expected: number): boolean {
    if (answer.status === expected) return true;
    if (answer.status === 503) this.counts.refused++;
    this.expect(
      isUnanswered(answer),
      () => `${request.merchant_order_id} (${status ?? 'new'}) returned ${answer.status}: ${text(answer.body)}`,
    );
    return false;
  }

  /** Whether a webhook had the body of the status endpoint. */
  #isReported({ seen }: Order): boolean {
    if (!seen) return true;
    const bodies = this.#reported.get(seen.transaction_id) ?? [];
    return bodies.some((body) => isDeepStrictEqual(body, seen));
  }

  /** Each end is reported, and each webhook has a transaction and its end. */
  #compareWebhooks(): void {
    for (const order of this.#orders)
      this.expect(this.#isReported(order), () => `no webhook reported ${text(order.seen)}`);
    const orders = new Map(this.#orders.map((order) => [order.created?.transaction_id, order]));
    for (const [id, bodies] of this.#reported)
      for (const body of bodies) {
        const order = orders.get(id);
        const isEnd = order && this.#machines.isFinal(order.kind, body.status);
        const holds = order !== undefined && (!isEnd || isDeepStrictEqual(body, order.seen));
        this.expect(holds, () => `a webhook reported ${text(body)}, and there is ${text(order?.seen)}`);
      }
  }

  /** Repeats an action while the gateway is down or refuses it. */
  async #retry(order: Order, participle: string, action: () => Promise<Answer>): Promise<void> {
    const done = await until(async () => !isUnanswered(await action()), SETTLED_WITHIN_MS);
    this.expect(done !== undefined, () => `${order.request.merchant_order_id} cannot be ${participle}`);
  }

  #isFinal({ kind, seen }: Order): boolean {
    return seen !== undefined && this.#machines.isFinal(kind, seen.status);
  }
}

function isUnanswered({ status }: Answer): boolean {
  return status === 0 || status === 503;
}

async function forEachConcurrently<T>(items: Iterable<T>, work: (item: T) => Promise<unknown>): Promise<void> {
  const queue = [...items].values();
  const worker = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: WORKERS }, worker));
}

function text(value: unknown): string {
  return JSON.stringify(value) ?? 'nothing';
}
