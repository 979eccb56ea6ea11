/**
 * Random days of a merchant against the reference model of its money. Whatever is called, in whatever order: the
 * balance is what the model says, no money appears or vanishes, and the books agree with the wallets.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  balanceAfter,
  EMPTY,
  type Movement,
  movementsOf,
  type Progress,
} from '../../../contract/src/reference-model.ts';
import { SCENARIOS } from '../../../gateway/src/channel/scenarios.ts';
import { findMethod, sandboxMethods } from '../../../gateway/src/domain/methods.ts';
import { auditStore } from '../../../gateway/src/store/books/audit-books.ts';
import { walletsOf } from '../../../gateway/src/store/books/wallets.ts';
import { confirmation, settled } from '../harness/customer.ts';
import { fund, paymentRequest, payoutRequest } from '../harness/fixtures.ts';
import { openTestSqlite, startTestGateway, type TestGateway, type TestMerchant } from '../harness.ts';

/** The gateway refuses the address of its webhooks before it asks any network. */
const REFUSED = { callback_url: 'http://127.0.0.1/webhooks' };
const UPI = methodOf('payment', 'UPI_IN');
const IMPS = methodOf('payout', 'IMPS_IN');
const NEVER = Number.POSITIVE_INFINITY;
/** Delay of the simulated channel in its slow scenario, in milliseconds. */
const DELAY_MS = SCENARIOS.find(({ value }) => value === 'succeed-later')?.outcome.delayMs ?? 0;

function methodOf(kind: 'payment' | 'payout', name: string) {
  const method = findMethod(sandboxMethods, kind, name);
  if (!method) throw new Error(`there is no method ${name}`);
  return method;
}

type Step =
  | { readonly do: 'fund'; readonly amount: number }
  | { readonly do: 'pay' | 'pay out'; readonly amount: number; readonly customer: string }
  | { readonly do: 'confirm'; readonly which: number; readonly other: boolean }
  | { readonly do: 'repeat'; readonly which: number }
  | { readonly do: 'wait'; readonly ms: number };

const steps: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('fund' as const), amount: fc.integer({ min: 1, max: 50_000 }) }),
  fc.record({
    do: fc.constant('pay' as const),
    amount: fc.integer({ min: 50, max: 30_000 }),
    customer: fc.constantFrom('anyone', 'succeed-later', 'decline-BANK_REJECTED', 'decline-late-KYC_BLOCKED'),
  }),
  { weight: 2, arbitrary: fc.record({ do: fc.constant('confirm' as const), which: fc.nat(), other: fc.boolean() }) },
  fc.record({
    do: fc.constant('pay out' as const),
    amount: fc.integer({ min: 500, max: 30_000 }),
    customer: fc.constantFrom('anyone', 'succeed-later', 'decline-BANK_REJECTED', 'stop-PROCESSING'),
  }),
  fc.record({ do: fc.constant('repeat' as const), which: fc.nat() }),
  fc.record({
    do: fc.constant('wait' as const),
    ms: fc.constantFrom(1, UPI.settlementMs - 1, UPI.settlementMs, DELAY_MS, UPI.validityMs),
  }),
);

/** A day that reaches every status that a day ends with, since random ones may miss some. */
const A_FULL_DAY: Step[] = [
  { do: 'fund', amount: 10_000 },
  { do: 'pay', amount: 1_000, customer: 'decline-BANK_REJECTED' },
  { do: 'pay', amount: 1_000, customer: 'anyone' },
  { do: 'confirm', which: 1, other: false },
  { do: 'pay out', amount: 1_000, customer: 'decline-BANK_REJECTED' },
  { do: 'pay out', amount: 1_000, customer: 'stop-PROCESSING' },
  { do: 'pay out', amount: 1_000, customer: 'anyone' },
  { do: 'wait', ms: UPI.settlementMs },
];

/** The model's knowledge of a transaction: its progress, and when it advances without a request. */
interface Known {
  readonly id: string;
  readonly path: string;
  readonly request: { readonly amount: number };
  readonly answer: string;
  readonly customer: string;
  readonly createdAt: number;
  progress: Progress;
  nextAt: number;
}

class Model {
  readonly funded: Movement[] = [];
  readonly transactions: Known[] = [];

  get balance() {
    return balanceAfter(EMPTY, [...this.funded, ...this.transactions.flatMap(({ progress }) => movementsOf(progress))]);
  }

  /** Lets everything happen that is due by now. */
  catchUp(now: number): void {
    for (const known of this.transactions) while (known.nextAt <= now) this.advance(known);
  }

  advance(known: Known): void {
    const { progress, nextAt } = known;
    const verified = progress.status === 'VERIFYING';
    // The worker collects when it looks, so the delay of the settlement begins then.
    known.nextAt = verified ? nextAt + UPI.settlementMs : NEVER;
    known.progress = { ...progress, ...NEXT[`${progress.kind} ${progress.status}`] };
  }
}

/** The next progress of a transaction without any request. */
const NEXT: Readonly<Record<string, Partial<Progress>>> = {
  'payment PAY_CONFIRMATION_NEEDED': { status: 'FAILED' },
  'payment VERIFYING': { status: 'SUCCESS' },
  'payment SUCCESS': { settled: true },
  'payout PROCESSING': { status: 'SUCCESS' },
};

class Day {
  readonly model = new Model();
  readonly #test: TestGateway;
  readonly #merchant: TestMerchant;
  constructor(test: TestGateway, merchant: TestMerchant) {
    this.#test = test;
    this.#merchant = merchant;
  }

  async take(step: Step): Promise<void> {
    switch (step.do) {
      case 'fund':
        await fund(this.#test.gateway.store, this.#merchant.merchant, step.amount);
        this.model.funded.push({ from: 'bank', to: 'available', amount: step.amount });
        break;
      case 'pay':
        await this.pay(step.amount, step.customer);
        break;
      case 'pay out':
        await this.payOut(step.amount, step.customer);
        break;
      case 'confirm':
        await this.confirm(step.which, step.other);
        break;
      case 'repeat':
        await this.repeat(step.which);
        break;
      case 'wait':
        await this.wait(step.ms);
    }
    await this.#test.gateway.idle();
    await this.check();
  }

  async create(kind: 'payment' | 'payout', request: { amount: number }, customer: string, known: Partial<Known>) {
    const path = kind === 'payment' ? '/payments' : '/payouts';
    const { text, body } = await this.#merchant.call('POST', path, request);
    const createdAt = this.#test.clock.now();
    const progress: Progress = { kind, status: 'FAILED', amount: request.amount };
    const begun = { id: body.transaction_id, path, request, answer: text, customer, createdAt };
    this.model.transactions.push({ ...begun, progress, nextAt: NEVER, ...known });
  }

  async pay(amount: number, customer: string): Promise<void> {
    const declined = amount < UPI.limits.min || customer === 'decline-BANK_REJECTED';
    const progress = { kind: 'payment', status: 'PAY_CONFIRMATION_NEEDED', amount } as const;
    await this.create('payment', paymentRequest({ amount, customer: { id: customer }, ...REFUSED }), customer, {
      ...(!declined && { progress, nextAt: this.#test.clock.now() + UPI.validityMs }),
    });
  }

  async payOut(amount: number, customer: string): Promise<void> {
    const held = amount <= this.model.balance.available;
    const declined = !held || amount < IMPS.limits.min || customer === 'decline-BANK_REJECTED';
    const slow = customer === 'succeed-later' || customer === 'stop-PROCESSING';
    const status = declined ? 'FAILED' : slow ? 'PROCESSING' : 'SUCCESS';
    await this.create('payout', payoutRequest({ amount, customer: { id: customer }, ...REFUSED }), customer, {
      progress: { kind: 'payout', status, amount, held },
      ...(!declined && customer === 'succeed-later' && { nextAt: this.#test.clock.now() + DELAY_MS }),
    });
  }

  async confirm(which: number, other: boolean): Promise<void> {
    const payments = this.model.transactions.filter(({ path }) => path === '/payments');
    const known = payments[which % payments.length];
    if (!known) return;
    const now = this.#test.clock.now();
    const shown = await settled(this.#test, this.#merchant.call, known.id);
    const offered = shown.pay_data?.available_amounts ?? [known.request.amount];
    const amount = other ? offered.at(-1) : offered[0];
    const given =
      shown.status === 'PAY_CONFIRMATION_NEEDED' ? confirmation(shown, amount) : { confirm_data: { tid: '1' } };
    const { status } = await this.#merchant.call('POST', `/payments/${known.id}/confirm`, given);
    const waiting = known.progress.status === 'PAY_CONFIRMATION_NEEDED';
    expect(status).toBe(waiting ? 200 : 409);
    if (!waiting) return;
    const declined = known.customer === 'decline-late-KYC_BLOCKED';
    known.progress = { kind: 'payment', status: declined ? 'FAILED' : 'VERIFYING', amount };
    const verifiedAt = known.customer === 'succeed-later' ? Math.max(now, known.createdAt + DELAY_MS) : now;
    known.nextAt = declined ? NEVER : verifiedAt;
    this.model.catchUp(now);
  }

  async repeat(which: number): Promise<void> {
    const known = this.model.transactions[which % this.model.transactions.length];
    if (!known) return;
    const again = await this.#merchant.call('POST', known.path, known.request);
    expect(again.text).toBe(known.answer);
  }

  /** Time moves in the steps in which something happens, as the worker looks when something is due. */
  async wait(ms: number): Promise<void> {
    const { clock, gateway } = this.#test;
    const end = clock.now() + ms;
    for (;;) {
      const next = Math.min(end, ...this.model.transactions.map(({ nextAt }) => nextAt));
      clock.advance(next - clock.now());
      await gateway.idle();
      this.model.catchUp(next);
      if (next === end) return;
    }
  }

  async check(): Promise<void> {
    const { available, pending, reserved } = this.model.balance;
    const { body } = await this.#merchant.call('GET', '/merchant/balance');
    const [shown] = body.balances;
    expect({ available: shown?.available ?? 0, pending: shown?.pending ?? 0 }).toEqual({ available, pending });
    const [wallet] = await walletsOf(this.#test.gateway.store.read, this.#merchant.merchant.id);
    expect(wallet?.reserved ?? 0).toBe(reserved);
  }
}

it('is the merchant’s money, through any sequence of calls and events', async () => {
  const test = await startTestGateway({ store: await openTestSqlite(), limits: { requestsPerSecond: 1_000_000 } });
  let name = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 8, maxLength: 40 }), async (sequence) => {
      const day = new Day(test, await test.addMerchant(`Merchant ${name++}`));
      for (const step of sequence) await day.take(step);
      const { differences } = await auditStore(test.gateway.store);
      expect(differences).toEqual([]);
      // The days that follow would repeat the webhooks of this one, which don't matter here.
      await test.gateway.store.unit((db) => db.run('update events set next_at = null where next_at is not null'));
    }),
    { numRuns: 15, endOnFailure: true, examples: [[A_FULL_DAY]] },
  );
  const reached = await test.gateway.store.read.all(
    'select distinct kind, status from transactions order by kind, status',
  );
  expect(reached.map(({ kind, status }) => `${kind} ${status}`)).toEqual(
    expect.arrayContaining([
      'payment FAILED',
      'payment SUCCESS',
      'payout FAILED',
      'payout PROCESSING',
      'payout SUCCESS',
    ]),
  );
});
