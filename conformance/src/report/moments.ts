/** Moments at which services go wrong: of each wallet, while money is on its way, and of each webhook. */
import type { TransactionKind } from '../../../contract/src/reference-model.ts';
import { currenciesOf } from '../checks/customers/round-trip.ts';
import { eventOf, eventsOf } from '../core/events.ts';
import { type History, historiesOf } from '../core/history.ts';
import { OPERATION_NAMES } from '../core/tracked.ts';
import type { Contract } from '../document/contract.ts';
import { ID_HEADER } from '../receiver/signature.ts';
import { type Exchange, memberOf, textOf } from '../service/exchange.ts';
import type { DeliveryReply, Journal, ReceivedDelivery } from '../service/journal.ts';

export type MomentKind = 'wallets' | 'deliveries';
type Note = (kind: MomentKind, name: string, check: string) => void;

const SETTLED = 'after settlement';
const OF_ALL = 'payout of all that is available';
const BEYOND = 'payout of one unit more';
const SHORT = 'payout of one unit less';

/** Moments of a wallet, by the statuses of a transaction before and when its balance is read. */
const MOMENTS: readonly { name: string; kind: TransactionKind; status: string; after?: string }[] = [
  { name: 'while a payment is VERIFYING', kind: 'payment', status: 'VERIFYING' },
  { name: 'after a payment', kind: 'payment', status: 'SUCCESS' },
  { name: 'after a payment was declined late', kind: 'payment', status: 'FAILED', after: 'VERIFYING' },
  { name: 'while a payout is in flight', kind: 'payout', status: 'PROCESSING' },
  { name: 'after a payout', kind: 'payout', status: 'SUCCESS' },
  { name: 'after a payout was declined', kind: 'payout', status: 'FAILED', after: 'PROCESSING' },
];

const ON_ARRIVAL = 'read on arrival';
/** A read that comes later than this shows little about the moment of arrival. */
const ARRIVAL_MS = 1_000;
const NOT_ASCII = 'with text outside ASCII';
const WITH_QUERY = 'at an address with a query';
const GONE = 'refused for good, with 410';
const GONE_STATUS = 410;
const AGAIN: readonly [name: string, reply: DeliveryReply][] = [
  ['again after a 500', 500],
  ['again after a redirect', 302],
  ['again after a closed connection', 'close'],
  ['again after no reply', 'hang'],
];

/** The names of all of them. */
export function momentParts(contract: Contract): Record<MomentKind, string[]> {
  const all = [...MOMENTS.map(({ name }) => name), SETTLED, SHORT, OF_ALL, BEYOND];
  return {
    wallets: currenciesOf(contract).flatMap((currency) => all.map((name) => `${currency} ${name}`)),
    deliveries: [
      ...eventsOf(contract).map(({ operation }) => `${operation.id} ${ON_ARRIVAL}`),
      ...AGAIN.map(([name]) => name),
      ...[GONE, NOT_ASCII, WITH_QUERY],
    ],
  };
}

export function observeMoments(contract: Contract, { exchanges, deliveries }: Journal, note: Note): void {
  const histories = historiesOf({ exchanges, deliveries }).filter(({ creation: { call } }) => call.key === undefined);
  const reads = exchanges.filter(
    ({ call, status }) => call.operation.id === 'getBalance' && call.key === undefined && status < 300,
  );
  for (const currency of currenciesOf(contract)) {
    const own = histories.filter(({ request }) => textOf(request, 'currency') === currency);
    const named: Named = (name, check) => note('wallets', `${currency} ${name}`, check);
    noteMoments(own, reads, named);
    noteAmounts(own, figuresIn(reads, currency), named);
  }
  for (const history of histories) noteDeliveries(contract, history, (name, check) => note('deliveries', name, check));
}

type Named = (name: string, check: string) => void;

function noteMoments(histories: readonly History[], reads: readonly Exchange[], note: Named): void {
  for (const { kind, responses } of histories) {
    for (const moment of MOMENTS.filter((one) => one.kind === kind)) {
      const from = responses.findIndex(({ status }) => status === moment.status);
      const start = responses[from];
      const before = responses.slice(0, Math.max(0, from));
      if (!start || (moment.after !== undefined && !before.some(({ status }) => status === moment.after))) continue;
      const end = responses.slice(from).find(({ status }) => status !== moment.status);
      const during = reads.filter(
        ({ startedAt, endedAt }) => startedAt >= start.endedAt && (!end || endedAt <= end.startedAt),
      );
      for (const { check } of during) note(moment.name, check);
    }
  }
}

interface Figures {
  readonly available: number;
  readonly pending: number;
  readonly exchange: Exchange;
}

function figuresIn(reads: readonly Exchange[], currency: string): Figures[] {
  return reads.flatMap((exchange) => {
    const list = memberOf(exchange.body, 'balances');
    const own = (Array.isArray(list) ? list : []).find((one) => textOf(one, 'currency') === currency);
    return own
      ? [{ available: Number(memberOf(own, 'available')), pending: Number(memberOf(own, 'pending')), exchange }]
      : [];
  });
}

/** Payouts compared with what the last balance before them has available, and what was pending and then is not. */
function noteAmounts(histories: readonly History[], figures: readonly Figures[], note: Named): void {
  const settled = figures.filter(({ pending }, index) => pending === 0 && (figures[index - 1]?.pending ?? 0) > 0);
  for (const { exchange } of settled) note(SETTLED, exchange.check);
  for (const { kind, request, creation } of histories) {
    const before = figures.findLast(({ exchange }) => exchange.endedAt <= creation.startedAt);
    if (kind !== 'payout' || !before) continue;
    const name = { [-1]: SHORT, 0: OF_ALL, 1: BEYOND }[Number(memberOf(request, 'amount')) - before.available];
    if (name !== undefined) note(name, creation.check);
  }
}

function noteDeliveries(contract: Contract, history: History, note: Named): void {
  const { kind, creation, responses, deliveries } = history;
  for (const delivery of deliveries) {
    const status = textOf(delivery.body, 'status') ?? '';
    const event = eventOf(contract, kind, status);
    const read = responses.find(
      ({ startedAt, exchange }) =>
        exchange?.call.operation.id === OPERATION_NAMES[kind].read &&
        startedAt >= delivery.receivedAt &&
        startedAt <= delivery.receivedAt + ARRIVAL_MS,
    );
    if (event && read?.exchange) note(`${event.operation.id} ${ON_ARRIVAL}`, read.exchange.check);
    if (delivery.reply === GONE_STATUS) note(GONE, creation.check);
    if (/[^\p{ASCII}]/u.test(JSON.stringify(delivery.body ?? null))) note(NOT_ASCII, creation.check);
    if (delivery.query !== '') note(WITH_QUERY, creation.check);
    const [again] = AGAIN.find(([, reply]) => reply === delivery.reply) ?? [];
    if (again !== undefined && comesAgain(deliveries, delivery)) note(again, creation.check);
  }
}

function comesAgain(deliveries: readonly ReceivedDelivery[], { number, headers }: ReceivedDelivery): boolean {
  return deliveries.some((later) => later.number > number && later.headers[ID_HEADER] === headers[ID_HEADER]);
}
