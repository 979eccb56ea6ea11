/**
 * A merchant that works during the faults: it creates payments and payouts, acts on them, and records every response.
 * All acknowledged data must remain valid.
 */
import { isDeepStrictEqual } from 'node:util';
import { readBundle } from '../../contract/src/model.ts';
import {
  balanceAfter,
  EMPTY,
  listMovements,
  readMachines,
  type TransactionKind,
} from '../../contract/src/reference-model.ts';
import { senderForm } from '../../contract/src/sender.ts';
import { paymentDeclineReasons } from '../../generated/decline-reasons.ts';
import { requestExamples } from '../../generated/examples.ts';
import type { Payment } from '../../generated/types.ts';
import { clarification, confirmation } from '../gateway/harness/customer.ts';
import { CURRENCY, FUNDED, type LoadMerchant } from '../load/merchants.ts';
import type { Random } from '../tools/random.ts';
import { pause, until } from '../tools/wait.ts';
import { call, NO_ANSWER, type Outcome } from './http.ts';
import { type Findings, forEachConcurrently } from './part.ts';
import type { Receiver } from './receiver.ts';

/** Response members used here. */
interface Shown {
  readonly transaction_id: string;
  readonly status: string;
  readonly amount: number;
  readonly amount_paid?: number;
}

/** The book's entry for one order. */
interface Entry {
  readonly kind: TransactionKind;
  readonly request: { readonly merchant_order_id: string; readonly amount: number };
  /** The response to the creation, if any. */
  created?: Shown;
  /** The last response of the status endpoint. */
  seen?: Shown;
  /** The last acknowledged status. */
  status?: string;
  /** An action without a response, which may or may not have been processed. */
  unknown?: boolean;
  /** A clarification without a response or with 503, whose data the gateway may have. */
  suppliedData?: boolean;
  /** Number of workers that want this order, and the end of the last one's work. */
  hands: number;
  turn: Promise<void>;
}

export interface ShopOptions {
  /** Addresses of the currently listening gateways, if any. */
  readonly urls: () => readonly string[];
  readonly account: LoadMerchant;
  readonly receiver: Receiver;
  readonly random: Random;
  readonly findings: Findings;
  /** Part of each order id. */
  readonly name: string;
  /** Whether some orders take ten seconds, so that they are in flight during several faults. */
  readonly patient: boolean;
}

const REASON = Object.keys(paymentDeclineReasons).find((reason) => reason === 'BANK_REJECTED') ?? '';

interface OrderKind {
  readonly kind: TransactionKind;
  readonly customer?: string;
  readonly weight: number;
  /** Takes ten seconds. */
  readonly slow?: boolean;
}

/** Kinds of orders, by the simulated channel's scenarios; an unknown customer name succeeds. */
const ORDER_KINDS: readonly OrderKind[] = [
  { kind: 'payment', weight: 6 },
  { kind: 'payment', customer: 'clarify-name', weight: 2 },
  { kind: 'payment', customer: 'succeed-later', weight: 1, slow: true },
  { kind: 'payment', customer: `decline-${REASON}`, weight: 1 },
  { kind: 'payment', customer: `decline-late-${REASON}`, weight: 1 },
  { kind: 'payout', weight: 4 },
  { kind: 'payout', customer: 'succeed-later', weight: 1, slow: true },
  { kind: 'payout', customer: `decline-${REASON}`, weight: 2 },
];
const PATH = { payment: '/payments', payout: '/payouts' } as const;
const CREATED_STATUS = { payment: 200, payout: 201 } as const;
const AMOUNT = { min: 1_000, max: 5_000 };
/** Share of the shop's steps that start an order. */
const NEW_PART = 0.5;
/** Maximum number of open orders. */
const OPEN_MAX = 200;
/** Fraction of steps that repeat the creation. */
const REPEAT_PART = 0.1;
const SWEEP = 16;
/** The channel's slowest success takes 10 s. A webhook whose sender died is retried after its lease of 5 s. */
const SETTLED_WITHIN_MS = 60_000;

export class Shop {
  /** Numbers of acknowledged and unacknowledged requests. */
  readonly counts = { created: 0, actions: 0, reads: 0, refused: 0, unanswered: 0, writesCut: 0 };
  readonly #options: ShopOptions;
  readonly #machines = readMachines(senderForm(readBundle()));
  readonly #book: Entry[] = [];
  readonly #weightedKinds: readonly OrderKind[];
  #open: Entry[] = [];
  /** Entries changed since they were last verified. */
  readonly #touched = new Set<Entry>();

  constructor(options: ShopOptions) {
    this.#options = options;
    this.#weightedKinds = ORDER_KINDS.filter(({ slow }) => options.patient || !slow).flatMap((kind) =>
      Array.from({ length: kind.weight }, () => kind),
    );
  }

  /** Counts of every run, with the names in reports. */
  acknowledged() {
    const { created, actions, reads, refused, unanswered } = this.counts;
    return {
      'transactions acknowledged': created,
      'actions acknowledged': actions,
      'reads acknowledged': reads,
      'requests refused with 503': refused,
      'requests without a response': unanswered,
    };
  }

  /** Runs a number of workers during a fault. The gateway may refuse requests or die. */
  async workDuring(hands: number, event: () => Promise<void>): Promise<void> {
    let isOver = false;
    const hand = async () => {
      while (!isOver) await this.#step();
    };
    const working = Promise.all(Array.from({ length: hands }, hand));
    await event().finally(() => {
      isOver = true;
    });
    await working;
  }

  /** Reads all entries changed since the last time, or all entries, and repeats their creations. */
  async verify(which: 'touched' | 'all'): Promise<number> {
    const entries = which === 'all' ? [...this.#book] : [...this.#touched];
    this.#touched.clear();
    await forEachConcurrently(entries, SWEEP, async (entry) => {
      await this.#insist(() => this.#create(entry), entry, 'cannot be created again');
      await this.#insist(() => this.#read(entry), entry, 'cannot be read');
    });
    return entries.length;
  }

  /** Runs every order to its end, and compares webhooks, balance and number of transactions with the book. */
  async settle(transactions: () => Promise<number>): Promise<void> {
    const { findings } = this.#options;
    await until(async () => {
      await forEachConcurrently([...this.#open], SWEEP, async (entry) => void (await this.#moveOn(entry)));
      this.#open = this.#open.filter((entry) => !this.#isFinal(entry));
      return this.#open.length === 0;
    }, SETTLED_WITHIN_MS);
    for (const { kind, request, status } of this.#open)
      findings.add(`${kind} ${request.merchant_order_id} has not come to an end: it is ${status}`);

    await until(() => this.#untold().length === 0, SETTLED_WITHIN_MS);
    for (const { kind, created, status } of this.#untold())
      findings.add(`${kind} ${created?.transaction_id}: no webhook reported ${status}`);
    this.#checkReported();

    const stored = await transactions();
    findings.expect(
      stored === this.#book.length,
      () => `there are ${stored} transactions, and ${this.#book.length} were ordered`,
    );
    await this.#compareBalance();
  }

  /** Requests an existing transaction, which must be readable. */
  readAny(): Promise<Outcome> {
    const known = this.#book.filter(({ created }) => created);
    const entry = this.#options.random.of(known);
    return this.request('GET', `${PATH[entry.kind]}/${entry.created?.transaction_id}`);
  }

  /** Creates an order, recorded in the book only if acknowledged. */
  orderAny(): Promise<Outcome> {
    const entry = this.#newEntry();
    return this.#held(entry, () => this.#create(entry));
  }

  async request(method: string, path: string, body?: unknown): Promise<Outcome> {
    const { urls, account, random } = this.#options;
    const running = urls();
    if (running.length === 0) return NO_ANSWER;
    const answer = await call(random.of(running), account.key, method, path, body);
    if (answer.cut && method === 'POST') this.counts.writesCut++;
    return answer;
  }

  async #step(): Promise<void> {
    const { random } = this.#options;
    const room = OPEN_MAX - this.#open.length;
    const isNew = room === OPEN_MAX || (room > 0 && random.chance(NEW_PART));
    const entry = isNew ? this.#newEntry() : random.of(this.#open);
    if (entry.hands > 0) return pause(1);
    this.#touched.add(entry);
    const answer = random.chance(REPEAT_PART)
      ? await this.#held(entry, () => this.#create(entry))
      : await this.#moveOn(entry);
    if (this.#isFinal(entry)) this.#open = this.#open.filter((other) => other !== entry);
    // Retries a gateway that is down or refuses requests.
    if (answer.status === 0 || answer.status === 503) await pause(20);
  }

  #newEntry(): Entry {
    const { random, receiver, name } = this.#options;
    const { kind, customer } = random.of(this.#weightedKinds);
    const order = `${name}-${this.#book.length}`;
    const { body } =
      kind === 'payment' ? requestExamples.createPayment['h2h-upi'] : requestExamples.createPayout['imps-inr'];
    const request = {
      ...body,
      amount: random.whole(AMOUNT.min, AMOUNT.max),
      merchant_order_id: order,
      customer: { ...body.customer, id: customer ?? `customer-${order}` },
      callback_url: receiver.url,
    };
    const entry: Entry = { kind, request, hands: 0, turn: Promise.resolve() };
    this.#book.push(entry);
    this.#open.push(entry);
    this.#touched.add(entry);
    return entry;
  }

  /** Performs the next step of an order. */
  #moveOn(entry: Entry): Promise<Outcome> {
    return this.#held(entry, async () => {
      if (!entry.created) return this.#create(entry);
      const answer = await this.#read(entry);
      const shown = entry.seen;
      if (answer.status !== 200 || !shown || entry.kind === 'payout') return answer;
      if (shown.status === 'EXTRA_DATA_NEEDED') return this.#act(entry, 'clarify', clarification(shown as Payment));
      if (shown.status === 'PAY_CONFIRMATION_NEEDED')
        return this.#act(entry, 'confirm', confirmation(shown as Payment));
      return answer;
    });
  }

  /** One request at a time for each order, so that responses arrive in the order of the states. */
  async #held(entry: Entry, action: () => Promise<Outcome>): Promise<Outcome> {
    const before = entry.turn;
    const { promise, resolve } = Promise.withResolvers<void>();
    entry.turn = promise;
    entry.hands++;
    await before;
    return action().finally(() => {
      entry.hands--;
      resolve();
    });
  }

  async #create(entry: Entry): Promise<Outcome> {
    const answer = await this.request('POST', PATH[entry.kind], entry.request);
    if (!this.#taken(entry, answer, CREATED_STATUS[entry.kind])) return answer;
    const shown = answer.body as Shown;
    if (entry.created) {
      const { created } = entry;
      this.#options.findings.expect(
        isDeepStrictEqual(shown, created),
        () =>
          `the creation of ${created.transaction_id} returned ${text(created)}, and the status endpoint then ${text(shown)}`,
      );
    } else {
      this.counts.created++;
      entry.created = shown;
      entry.status ??= shown.status;
    }
    return answer;
  }

  async #read(entry: Entry): Promise<Outcome> {
    const answer = await this.request('GET', `${PATH[entry.kind]}/${entry.created?.transaction_id}`);
    if (!this.#taken(entry, answer, 200)) return answer;
    this.counts.reads++;
    const shown = answer.body as Shown;
    this.#compare(entry, shown);
    entry.seen = shown;
    entry.status = shown.status;
    entry.unknown = false;
    return answer;
  }

  async #act(entry: Entry, action: string, body: unknown): Promise<Outcome> {
    const answer = await this.request('POST', `${PATH[entry.kind]}/${entry.created?.transaction_id}/${action}`, body);
    // After a missing response, the same action may be too late.
    if (answer.status === 409 && entry.unknown) return answer;
    // Data can be accepted although the response was 503: the payment then stays unchanged until the channel has taken them.
    if (answer.status === 409 && action === 'clarify' && entry.suppliedData) return answer;
    if (answer.status === 0 || answer.status === 503) {
      entry.unknown = true;
      if (action === 'clarify') entry.suppliedData = true;
    }
    if (!this.#taken(entry, answer, 200)) return answer;
    this.counts.actions++;
    entry.status = (answer.body as Shown).status;
    return answer;
  }

  /**
   * Whether the response has the expected status. Refusals and missing responses are counted, and all others are
   * findings.
   */
  #taken(entry: Entry, answer: Outcome, wanted: number): boolean {
    if (answer.status === wanted) return true;
    if (answer.status === 0) this.counts.unanswered++;
    else if (answer.status === 503) {
      this.counts.refused++;
      const complaint = complaintAboutRefusal(answer);
      if (complaint) this.#options.findings.add(complaint);
    } else {
      this.#options.findings.add(
        `${entry.kind} ${entry.request.merchant_order_id} (${entry.status ?? 'new'}) returned ${answer.status}: ${text(answer.body)}`,
      );
    }
    return false;
  }

  #compare({ kind, request, created, seen, status }: Entry, shown: Shown): void {
    const { findings } = this.#options;
    const id = created?.transaction_id;
    const wrong = (what: string) => () => `${kind} ${id} ${what}: ${text(seen ?? created)}, then ${text(shown)}`;
    findings.expect(this.#machines.follows(kind, status ?? shown.status, shown.status), wrong(`was ${status}`));
    findings.expect(shown.transaction_id === id && shown.amount === request.amount, wrong('is another one'));
    const isFinal = seen !== undefined && this.#machines.isFinal(kind, seen.status);
    findings.expect(!isFinal || isDeepStrictEqual(shown, seen), wrong('has changed after its end'));
  }

  /** The final webhook has the body of the status endpoint. */
  #untold(): Entry[] {
    const { receiver } = this.#options;
    return this.#book.filter(
      ({ seen }) =>
        seen && ![...receiver.bodiesOf(seen.transaction_id)].some((body) => isDeepStrictEqual(JSON.parse(body), seen)),
    );
  }

  /** Checks received webhooks: the transaction exists, and a reported final status is its status. */
  #checkReported(): void {
    const { receiver, findings } = this.#options;
    const entries = new Map(this.#book.map((entry) => [entry.created?.transaction_id, entry]));
    for (const id of receiver.transactions()) {
      const entry = entries.get(id);
      for (const body of receiver.bodiesOf(id)) {
        const reported = JSON.parse(body) as Shown;
        const holds =
          entry && (!this.#machines.isFinal(entry.kind, reported.status) || isDeepStrictEqual(reported, entry.seen));
        findings.expect(holds === true, () => `a webhook reported ${body}, and there is ${text(entry?.seen)}`);
      }
    }
  }

  async #compareBalance(): Promise<void> {
    const movements = this.#book.flatMap(({ kind, seen }) =>
      seen ? listMovements({ kind, status: seen.status, amount: seen.amount_paid ?? seen.amount }) : [],
    );
    const gained = balanceAfter(EMPTY, movements);
    const expected = FUNDED + gained.available + gained.pending;
    const { body } = await this.request('GET', '/merchant/balance');
    const { balances = [] } = (body ?? {}) as { balances?: { currency: string; available: number; pending: number }[] };
    const { available = 0, pending = 0 } = balances.find(({ currency }) => currency === CURRENCY) ?? {};
    this.#options.findings.expect(
      available + pending === expected,
      () => `the wallet holds ${available} + ${pending}, and its orders add up to ${expected}`,
    );
  }

  async #insist(action: () => Promise<Outcome>, entry: Entry, complaint: string): Promise<void> {
    let answer: Outcome | undefined;
    const done = await until(async () => {
      answer = await this.#held(entry, action);
      return answer.status !== 0 && answer.status !== 503;
    }, SETTLED_WITHIN_MS);
    if (done === undefined)
      this.#options.findings.add(`${entry.kind} ${entry.request.merchant_order_id} ${complaint}: ${answer?.status}`);
  }

  #isFinal({ kind, seen }: Entry): boolean {
    return seen !== undefined && this.#machines.isFinal(kind, seen.status);
  }
}

/** Describes the mistake in a 503, if any: it must be the contract's problem, with a Retry-After. */
export function complaintAboutRefusal({ headers, body }: Outcome): string | undefined {
  const isProblem = headers['content-type']?.startsWith('application/problem+json') ?? false;
  if (isProblem && headers['retry-after']) return undefined;
  return `a 503 without problem or Retry-After: ${text(body)}`;
}

function text(value: unknown): string {
  return JSON.stringify(value) ?? 'nothing';
}
