/** `last_updated_at` is judged by all reads of a run, each of which can be late. */
import { expect, it } from 'vitest';
import { judgeUpdated } from '../../conformance/src/checks/last-updated.ts';
import type { Context } from '../../conformance/src/core/check.ts';
import { NotReached } from '../../conformance/src/core/finding.ts';
import type { Exchange } from '../../conformance/src/service/exchange.ts';
import { contract, createExchange } from './report/synthetic.ts';

const STARTED = Date.parse('2026-03-02T09:00:00.250Z');
/** The service's clock is ahead of the kit's. */
const AHEAD_MS = 40_000;
const POLL_MS = 100;

interface Service {
  /** Milliseconds between changes. */
  readonly everyMs: number;
  /** The time that the service shows, of the times of all changes so far. */
  readonly shows: (changes: readonly number[]) => number;
  /** Smallest step of the times that it shows. */
  readonly unitMs?: number;
  /** Time for which a change isn't shown. */
  readonly lagMs?: number;
  readonly changes?: number;
  /** Whether the kit's driver can move money. */
  readonly isMovable?: boolean;
}

/** Reads a wallet all the time while it changes, and judges it. */
function judge({ everyMs, shows, unitMs = 1, lagMs = 0, changes = 6, isMovable = false }: Service) {
  const iso = (time: number) => new Date(Math.floor((time + AHEAD_MS) / unitMs) * unitMs).toISOString();
  const times = Array.from({ length: changes }, (_, index) => STARTED + index * everyMs);
  const payment = { transaction_id: 'pay_1', created_at: iso(STARTED), finalized_at: iso(STARTED) };
  const created = at(createExchange({ ...payment, status: 'CREATED' }), STARTED);
  const paid = at(createExchange({ ...payment, status: 'SUCCESS' }), STARTED);
  const read = { ...paid, call: { operation: contract.operation('getPayment') } };
  const exchanges = [created, read];
  const operation = contract.operation('getBalance');
  const balance = (now: number): Exchange => {
    const seen = times.filter((time) => time <= now - lagMs);
    const body = { balances: [{ available: seen.length }], last_updated_at: iso(shows(seen)) };
    return { ...at(createExchange(body, 200), now), call: { operation } };
  };
  let now = STARTED + lagMs;
  for (; now < STARTED + changes * everyMs; now += POLL_MS) exchanges.push(balance(now));
  const send = async () => {
    now += everyMs;
    exchanges.push(balance(now));
    return balance(now);
  };
  const fixtures = {
    bodyFor() {
      if (!isMovable) throw new NotReached('no payout', 'add one');
      return { currency: 'INR', amount: 1 };
    },
    funded: async () => true,
    create: async () => void times.push(now),
    drive: async () => undefined,
  };
  const journal = { exchanges, deliveries: [] };
  const settings = { levels: ['payouts'] };
  return judgeUpdated({ contract, journal, send, fixtures, settings } as unknown as Context);
}

function at(exchange: Exchange, now: number): Exchange {
  return { ...exchange, startedAt: now, endedAt: now + 1 };
}

const LAST = (changes: readonly number[]) => changes.at(-1) ?? 0;
const ONE_BEFORE = (changes: readonly number[]) => changes.at(-2) ?? changes[0] ?? 0;

it.concurrent.each([
  ['the time of the change before the last', { everyMs: 800, shows: ONE_BEFORE }],
  ['that in whole seconds, of slower changes', { everyMs: 3_000, shows: ONE_BEFORE, unitMs: 1_000 }],
  ['that in a run with few changes', { everyMs: 800, shows: ONE_BEFORE, changes: 1, isMovable: true }],
])('a service fails with %s', async (_title, service) => {
  expect(await judge(service)).toMatchObject([
    { at: 'body /last_updated_at', clause: { rests: 'assumption pending' } },
  ]);
});

it.concurrent.each([
  ['the time of the last change', { everyMs: 800, shows: LAST }],
  ['that in whole seconds', { everyMs: 800, shows: LAST, unitMs: 1_000 }],
  ['that in whole seconds, of slower changes', { everyMs: 3_000, shows: LAST, unitMs: 1_000 }],
  ['that in a run with few changes', { everyMs: 800, shows: LAST, changes: 1, isMovable: true }],
  ['a late balance', { everyMs: 800, shows: LAST, lagMs: 300 }],
  [
    'another time for once',
    { everyMs: 800, shows: (all: readonly number[]) => (all.length === 4 ? LAST : ONE_BEFORE)(all) },
  ],
  ['too few changes to tell', { everyMs: 800, shows: ONE_BEFORE, changes: 3 }],
])('a service passes with %s', async (_title, service) => {
  expect(await judge(service)).toEqual([]);
});
