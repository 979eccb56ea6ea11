/** Counts the steps of this process: outcomes of payments and payouts, and movements of the ledger. */

import { Counter, type Registry } from 'prom-client';
import { paymentDeclineReasons, payoutDeclineReasons } from '../../../generated/decline-reasons.ts';
import type { Methods } from '../domain/methods.ts';
import { isFinal, type Step } from '../domain/transaction.ts';

const OUTCOME_LABELS = ['outcome', 'decline_reason', 'method', 'merchant'] as const;
type OutcomeLabel = (typeof OUTCOME_LABELS)[number];

/** Labeled decline reasons. A channel's other reasons share a label. */
const REASONS: ReadonlySet<string> = new Set([
  ...Object.keys(paymentDeclineReasons),
  ...Object.keys(payoutDeclineReasons),
]);

/** Adds the metrics, and returns a function that counts a committed step. */
export function countSteps(registry: Registry, methods: Methods, merchantsMax: number): (step: Step) => void {
  const outcomes = (name: string, kind: string) =>
    new Counter({
      name,
      help: `${kind} that have become final, by outcome, decline reason, method, and merchant; all but the largest merchants of this process share a label.`,
      labelNames: OUTCOME_LABELS,
      registers: [registry],
    });
  const ended = {
    payment: outcomes('gateway_payments_total', 'Payments'),
    payout: outcomes('gateway_payouts_total', 'Payouts'),
  };
  const entries = new Counter({
    name: 'gateway_ledger_entries_total',
    help: 'Entries of the ledger, by reason and currency.',
    labelNames: ['reason', 'currency'],
    registers: [registry],
  });
  const addAmount = countAmounts(registry);
  const seen = { payment: trackSeries(ended.payment), payout: trackSeries(ended.payout) };
  const merchants = new LargestMerchants(merchantsMax, (merchant) => {
    seen.payment.forget(merchant);
    seen.payout.forget(merchant);
  });
  const names = new Set(methods.map(({ kind, name }) => `${kind} ${name}`));
  return ({ transaction, entries: posted, notify }) => {
    const { kind, status, currency, method, merchantId, declineReason = '' } = transaction;
    for (const { reason, amount } of posted) {
      entries.inc({ reason, currency });
      addAmount({ reason, currency }, amount);
    }
    // An exception is a step of a final transaction and sends no webhook.
    if (!isFinal(status) || !notify) return;
    seen[kind].count({
      outcome: status === 'SUCCESS' ? 'succeeded' : 'declined',
      decline_reason: declineReason === '' || REASONS.has(declineReason) ? declineReason : OTHER,
      method: names.has(`${kind} ${method}`) ? method : OTHER,
      merchant: merchants.labelOf(merchantId),
    });
  };
}

/** Sums amounts exactly. A double would ignore small amounts above 2^53. */
function countAmounts(registry: Registry): (labels: Record<'reason' | 'currency', string>, amount: number) => void {
  const sums = new Map<string, bigint>();
  new Counter({
    name: 'gateway_ledger_minor_units_total',
    help: 'Amounts of the entries of the ledger in minor units, by reason and currency.',
    labelNames: ['reason', 'currency'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [labels, sum] of sums) this.inc(JSON.parse(labels), Number(sum));
    },
  });
  return ({ reason, currency }, amount) => {
    const labels = JSON.stringify({ reason, currency });
    sums.set(labels, (sums.get(labels) ?? 0n) + BigInt(amount));
  };
}

/** Tracks the series of each merchant, so that they can be removed. */
function trackSeries(counter: Counter<OutcomeLabel>) {
  const series = new Map<string, Map<string, Record<OutcomeLabel, string>>>();
  return {
    count(labels: Record<OutcomeLabel, string>) {
      counter.inc(labels);
      const of = series.get(labels.merchant) ?? new Map<string, Record<OutcomeLabel, string>>();
      series.set(labels.merchant, of.set(JSON.stringify(labels), labels));
    },
    forget(merchant: string) {
      for (const labels of series.get(merchant)?.values() ?? []) counter.remove(labels);
      series.delete(merchant);
    },
  };
}

/**
 * The largest merchants of a process, by their transactions. All others share a label, so that the number of series is
 * limited.
 */

const MERCHANTS_COUNTED_MAX = 10_000;
/** Factor by which a merchant must exceed the smallest labeled one to replace it, so that labels change rarely. */
const LARGER_BY = 2;

const OTHER = 'other';

class LargestMerchants {
  readonly #max: number;
  readonly #onReplaced: (label: string) => void;
  #counts = new Map<number, number>();
  readonly #named = new Set<number>();

  /** `onReplaced` is called with the label of an evicted merchant. */
  constructor(max: number, onReplaced: (label: string) => void) {
    this.#max = max;
    this.#onReplaced = onReplaced;
  }

  /** Counts a transaction of the merchant, and returns its label. */
  labelOf(merchantId: number): string {
    const count = (this.#counts.get(merchantId) ?? 0) + 1;
    this.#counts.set(merchantId, count);
    if (this.#counts.size > MERCHANTS_COUNTED_MAX) this.#halve();
    if (!this.#named.has(merchantId) && !this.#admit(merchantId, count)) return OTHER;
    return String(merchantId);
  }

  #admit(merchantId: number, count: number): boolean {
    if (this.#named.size >= this.#max) {
      const countOf = (id: number) => this.#counts.get(id) ?? 0;
      const smallest = [...this.#named].toSorted((a, b) => countOf(a) - countOf(b))[0];
      if (smallest === undefined || count <= countOf(smallest) * LARGER_BY) return false;
      this.#named.delete(smallest);
      this.#onReplaced(String(smallest));
    }
    this.#named.add(merchantId);
    return true;
  }

  /** Decays counts, so that recent transactions weigh more and inactive merchants are removed. */
  #halve(): void {
    const halved = [...this.#counts].map(([id, count]) => [id, Math.floor(count / 2)] as const);
    this.#counts = new Map(halved.filter(([, count]) => count > 0));
  }
}
