/**
 * The provider behind the simulated channels, with the customers' money and the payees' accounts. Each operation takes
 * effect once, even if it arrives repeatedly. Its records are the truth about money.
 */

import type { ChannelPayment, ChannelPayout } from '../../gateway/src/channels/channel.ts';
import { type ChannelResponse, ChannelUnavailable } from '../../gateway/src/channels/channel.ts';
import type { CancelEvent, PaymentEvent, PayoutEvent } from '../../gateway/src/domain/events.ts';
import type { Items } from '../../gateway/src/domain/transaction.ts';
import { type Random, seeded } from '../tools/random.ts';
import type { Scheduler } from './scheduler.ts';

/** The provider's record of a payment. */
export interface Collection {
  /** `asking` for data, `awaiting` the transfer. */
  state: 'new' | 'asking' | 'awaiting' | 'paid' | 'declined' | 'cancelled';
  /** The amount that the customer has transferred. */
  paid: number;
  offered: readonly number[];
  reason: string;
  /** The last response promised a notification. */
  owesNotification: boolean;
  /** The time after which it declines. Set at the first question about the payment. */
  deadline: number | undefined;
  /** The amounts of its contradictions, the current one last. 0 is a decline. */
  readonly contradictions: number[];
  readonly fate: Random;
}

/** The provider's record of a payout. */
export interface Disbursement {
  state: 'new' | 'working' | 'paid' | 'declined';
  readyAt: number;
  owesNotification: boolean;
  /** As for a collection. */
  readonly contradictions: number[];
  readonly fate: Random;
}

const WAIT = { askAgainAt: undefined } as const;
/** Time for a customer to make an announced transfer. */
const PATIENCE_MS = 10 * 60_000;
const REASON = 'INVALID_ACCOUNT_DETAILS';
const HUNDRED_UNITS = 10_000;
/** Maximum by which a customer overpays. */
const TIP = 2_000_000;

export class Provider {
  readonly collections = new Map<string, Collection>();
  readonly disbursements = new Map<string, Disbursement>();
  /** Refuses every call without any effect. */
  down = false;
  readonly #seed: number;
  readonly #scheduler: Scheduler;
  readonly #notify: (id: string, channel: string) => void;

  constructor(seed: number, scheduler: Scheduler, notify: (id: string, channel: string) => void) {
    this.#seed = seed;
    this.#scheduler = scheduler;
    this.#notify = notify;
  }

  /** Whether a transaction may wait for a notification. */
  owesNotification(id: string): boolean {
    return (this.collections.get(id) ?? this.disbursements.get(id))?.owesNotification ?? false;
  }

  initiate(payment: ChannelPayment): ChannelResponse<PaymentEvent> {
    const collection = this.#open(payment);
    if (collection.state === 'paid') return { event: { type: 'found_paid' } };
    const ended = this.#ended(collection);
    if (ended) return ended;
    const { fate } = collection;
    if (collection.state === 'new') {
      if (fate.chance(0.08)) return this.#decline(collection, 'BANK_REJECTED');
      if (payment.flow === 'h2h' && fate.chance(0.15)) collection.state = 'asking';
      else this.#await(collection, payment);
    }
    if (collection.state === 'asking') return { event: { type: 'clarification_needed', items: ['name'] } };
    if (payment.flow === 'redirect') return { askAgainAt: undefined };
    return { event: { type: 'confirmation_needed', ...this.#confirmation(collection) } };
  }

  clarify(payment: ChannelPayment, items: Items): ChannelResponse<PaymentEvent> {
    const collection = this.#open(payment);
    const ended = this.#ended(collection);
    if (ended) return ended;
    if (collection.state === 'new' || collection.state === 'asking') {
      if (collection.fate.chance(0.1)) return this.#decline(collection, REASON);
      if (collection.fate.chance(0.2)) return { askAgainAt: this.#scheduler.now + 3_000 };
      this.#await(collection, payment);
    }
    return { event: { type: 'clarified', items, ...this.#confirmation(collection) } };
  }

  verify(payment: ChannelPayment): ChannelResponse<PaymentEvent> {
    const collection = this.#open(payment);
    const { state, paid, contradictions } = collection;
    const contradiction = contradictions.at(-1);
    if (contradiction !== undefined) return paymentResult(contradiction);
    if (state === 'paid') return { event: { type: 'succeeded', amountPaid: paid } };
    if (state === 'declined') return this.#declined(collection);
    if (payment.status !== 'VERIFYING') return this.#wait(collection);
    collection.deadline ??= this.#scheduler.now + PATIENCE_MS;
    const { deadline } = collection;
    if (this.#scheduler.now >= deadline) return this.#decline(collection, 'TIMEOUT_EXPIRED');
    if (collection.fate.chance(0.5)) return { askAgainAt: Math.min(this.#scheduler.now + 20_000, deadline) };
    this.#scheduler.add(() => this.#decideLate(payment, collection), { after: deadline - this.#scheduler.now });
    return this.#wait(collection);
  }

  cancel(payment: ChannelPayment): ChannelResponse<CancelEvent> {
    const collection = this.#open(payment);
    if (collection.state === 'paid') return { event: { type: 'found_paid' } };
    collection.state = 'cancelled';
    return { event: { type: 'cancelled' } };
  }

  payOut(payout: ChannelPayout): ChannelResponse<PayoutEvent> {
    const known = this.disbursements.get(payout.id);
    const disbursement = known ?? this.#openPayout(payout);
    const { state, fate, readyAt } = disbursement;
    if (state === 'paid') return { event: { type: 'succeeded' } };
    if (state === 'declined') return { event: { type: 'declined', reason: REASON } };
    if (this.#scheduler.now >= readyAt) return this.#finish(disbursement);
    if (fate.chance(0.5)) return { askAgainAt: readyAt };
    this.#scheduler.add(
      () => {
        this.#finish(disbursement);
        this.#notify(payout.id, payout.channel);
      },
      { after: readyAt - this.#scheduler.now },
    );
    disbursement.owesNotification = true;
    return WAIT;
  }

  verifyPayout({ id }: ChannelPayout): ChannelResponse<PayoutEvent> {
    const { state, contradictions } = this.disbursements.get(id) ?? { state: 'new', contradictions: [] };
    const isPaid = contradictions.length > 0 ? contradictions.at(-1) !== 0 : state === 'paid';
    if (isPaid) return { event: { type: 'succeeded' } };
    return state === 'new' || state === 'working' ? WAIT : { event: { type: 'declined', reason: REASON } };
  }

  /** Contradicts its earlier result of a transaction, as after a late transfer. Returns the new amount. */
  contradict(id: string, channel: string, amount: number, random: Random): number | undefined {
    const found = this.collections.get(id) ?? this.disbursements.get(id);
    const said = found && this.#saidAmount(found, amount);
    if (!found || said === undefined) return undefined;
    const amounts = 'paid' in found ? [0, amount, amount + 1] : [0, amount];
    const says = random.of(amounts.filter((one) => one !== said));
    found.contradictions.push(says);
    this.#notify(id, channel);
    return says;
  }

  /** The amounts of the provider's contradictions. */
  contradictions(id: string): readonly number[] {
    return (this.collections.get(id) ?? this.disbursements.get(id))?.contradictions ?? [];
  }

  /** The amount of its last result, if any. */
  #saidAmount(found: Collection | Disbursement, amount: number): number | undefined {
    const { state, contradictions } = found;
    if (contradictions.length > 0) return contradictions.at(-1);
    if (state === 'paid') return 'paid' in found ? found.paid : amount;
    return state === 'declined' || state === 'cancelled' ? 0 : undefined;
  }

  /** The customer transfers an amount. Returns whether a transfer was possible. */
  transfer(id: string, channel: string, amount: number): boolean {
    const collection = this.collections.get(id);
    if (collection?.state !== 'awaiting') return false;
    collection.state = 'paid';
    collection.paid = amount;
    this.#notify(id, channel);
    return true;
  }

  /** Records a heard notification. */
  acknowledge(id: string): void {
    const known = this.collections.get(id) ?? this.disbursements.get(id);
    if (known) known.owesNotification = false;
  }

  /** Records a permanently refused call. */
  refuse(): never {
    throw new ChannelUnavailable('CHANNEL_DOWN');
  }

  #open({ id, orderId }: ChannelPayment): Collection {
    let collection = this.collections.get(id);
    if (!collection) {
      const fate = seeded(this.#seed ^ hash(orderId));
      collection = {
        ...{ state: 'new', paid: 0, offered: [], reason: '', owesNotification: false, contradictions: [] },
        ...{ deadline: undefined, fate },
      };
      this.collections.set(id, collection);
    }
    return collection;
  }

  #openPayout({ id, orderId }: ChannelPayout): Disbursement {
    const fate = seeded(this.#seed ^ hash(orderId));
    const readyAt = this.#scheduler.now + fate.of([0, 1, 3, 10, 4_000, 90_000]);
    const disbursement: Disbursement = {
      ...{ state: 'working', readyAt, owesNotification: false, contradictions: [], fate },
    };
    this.disbursements.set(id, disbursement);
    return disbursement;
  }

  #finish(disbursement: Disbursement): ChannelResponse<PayoutEvent> {
    if (disbursement.state === 'working') disbursement.state = disbursement.fate.chance(0.8) ? 'paid' : 'declined';
    if (disbursement.state === 'paid') return { event: { type: 'succeeded' } };
    return { event: { type: 'declined', reason: REASON } };
  }

  #await(collection: Collection, { amount }: ChannelPayment): void {
    collection.state = 'awaiting';
    const rounded = Math.ceil(amount / HUNDRED_UNITS) * HUNDRED_UNITS;
    collection.offered = [...new Set([amount, rounded, amount + TIP])];
  }

  #confirmation({ offered }: Collection) {
    return {
      payData: { receiver_account: 'collect@simulated', available_amounts: [...offered] },
      confirm: ['amount', 'tid'],
    };
  }

  #decideLate(payment: ChannelPayment, collection: Collection): void {
    if (collection.state !== 'paid') this.#decline(collection, 'TIMEOUT_EXPIRED');
    this.#notify(payment.id, payment.channel);
  }

  #wait(collection: Collection): typeof WAIT {
    collection.owesNotification = true;
    return WAIT;
  }

  #ended(collection: Collection): ChannelResponse<PaymentEvent> | undefined {
    const { state } = collection;
    return state === 'declined' || state === 'cancelled' ? this.#declined(collection) : undefined;
  }

  #decline(collection: Collection, reason: string): ChannelResponse<PaymentEvent> {
    collection.state = 'declined';
    collection.reason = reason;
    return this.#declined(collection);
  }

  #declined({ reason }: Collection): ChannelResponse<PaymentEvent> {
    return { event: { type: 'declined', reason: reason || 'INTERNAL_ERROR' } };
  }
}

function paymentResult(amountPaid: number): ChannelResponse<PaymentEvent> {
  return { event: amountPaid > 0 ? { type: 'succeeded', amountPaid } : { type: 'declined', reason: REASON } };
}

/** Hashes a string to 32 bits (FNV-1a). */
export function hash(text: string): number {
  let value = 0x811c_9dc5;
  for (let index = 0; index < text.length; index++) {
    value ^= text.charCodeAt(index);
    value = Math.imul(value, 0x0100_0193);
  }
  return value >>> 0;
}
