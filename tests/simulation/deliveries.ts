/**
 * Rules for webhooks: no process sends an event claimed by another, or to a URL it has stopped, and every delivered
 * event has arrived.
 */
import type { Row } from '../../gateway/src/database/store.ts';
import { RETRY_DELAYS_MS } from '../../gateway/src/webhooks/retries.ts';
import { demand } from './broken-rule.ts';
import type { Clocks } from './clocks.ts';
import type { Disk } from './disk.ts';
import type { Receivers } from './network.ts';
import type { Life, Scheduler } from './scheduler.ts';

const ATTEMPTS_MAX = 10;

export class Deliveries {
  readonly #disk: Disk;
  readonly #receivers: Receivers;
  readonly #scheduler: Scheduler;
  /** Processes that have claimed an event, including those with an expired lease. */
  readonly #claims = new Map<string, Set<Life>>();
  /** The URLs that a process has stopped. */
  readonly #stopped = new WeakMap<Life, Set<string>>();

  readonly #clocks: Clocks;

  constructor(disk: Disk, receivers: Receivers, scheduler: Scheduler, clocks: Clocks) {
    this.#clocks = clocks;
    this.#disk = disk;
    this.#receivers = receivers;
    this.#scheduler = scheduler;
  }

  follow(changes: readonly Row[], life: Life): void {
    for (const change of changes) {
      const { what, id, b } = change;
      // An event due later is claimed by the process that writes it.
      if (what === 'event' && Number(b) > this.#scheduler.now) this.#claimsOf(String(id)).add(life);
      if (what === 'delivery') this.#followDelivery(change, life);
      if (what === 'stopped') this.#stopped.set(life, (this.#stopped.get(life) ?? new Set()).add(String(id)));
    }
  }

  /** A process dispatches a webhook. */
  checkDispatch(id: string, life: Life): void {
    const [row] = this.#disk.rows('select next_at from events where id = ?', id);
    const abandoned = row?.['next_at'] === null;
    const claimed = this.#claims.get(id)?.has(life) || abandoned;
    demand(claimed, 'dispatched work is not committed and leased', () => `${id} to ${life.name}`);
  }

  checkSending(url: string, life: Life): void {
    const stopped = this.#stopped.get(life)?.has(url) ?? false;
    demand(!stopped, 'a webhook is sent to a URL that was stopped', () => `${life.name} to ${url}`);
  }

  #claimsOf(event: string): Set<Life> {
    const claims = this.#claims.get(event) ?? new Set();
    this.#claims.set(event, claims);
    return claims;
  }

  #followDelivery({ id, a = null, b = null, c, d, e = null, f = null }: Row, life: Life): void {
    const event = String(id);
    demand(a !== null || b === null, 'an event that is over is due again', () => event);
    const claims = this.#claimsOf(event);
    if (b === null || c !== d || Number(b) <= this.#scheduler.now) {
      claims.delete(life);
      if (e !== null) this.#checkAccepted(event);
      if (c !== d) this.#checkPause(event);
      return;
    }
    if (claims.has(life)) return;
    // Setting a clock reschedules waiting events without claiming them.
    if (f === null) return;
    const free = a !== null && Number(a) <= this.#scheduler.now;
    demand(
      free,
      'a lease is ignored',
      () => `${life.name} claims ${event} ${Number(a) - this.#scheduler.now} ms early`,
    );
    claims.add(life);
  }

  /** Every event has arrived, unless its endpoint refused it or failed for days. */
  checkAll(): void {
    const rows = this.#disk.rows(
      `select e.id, e.url, e.attempts, e.next_at, e.delivered_at, s.url as stopped from events e
       left join stopped_urls s on s.merchant_id = e.merchant_id and s.url = e.url`,
    );
    for (const { id, url, attempts, next_at: nextAt, delivered_at: deliveredAt, stopped } of rows) {
      const gone = this.#receivers.moods.get(String(url)) === 'gone';
      demand(stopped === null || gone, 'a URL is stopped that takes events', () => String(url));
      if (deliveredAt !== null) this.#checkAccepted(String(id));
      const over = deliveredAt !== null || (nextAt === null && (stopped !== null || Number(attempts) >= ATTEMPTS_MAX));
      demand(over, 'an event is never delivered', () => `${id} after ${attempts} attempts`);
    }
  }

  /** The delay after an attempt begins at a past time of the merchant. */
  #checkPause(id: string): void {
    const [row] = this.#disk.rows('select merchant_id, next_at, attempts, claim from events where id = ?', id);
    const due = Number(row?.['next_at']);
    if (row?.['claim'] !== null || due <= this.#scheduler.now) return;
    const merchantId = Number(row['merchant_id']);
    const waitsFor = this.#clocks.timeOf(merchantId, due);
    const latest = this.#clocks.latest(merchantId);
    const pause = 1.1 * (RETRY_DELAYS_MS[Number(row['attempts']) - 1] ?? 0);
    demand(
      waitsFor <= latest + pause,
      'a webhook waits far too long',
      () => `${id} until ${waitsFor}, the latest time is ${latest}`,
    );
  }

  #checkAccepted(id: string): void {
    const [row] = this.#disk.rows('select body from events where id = ?', id);
    const same = this.#receivers.accepted.get(id) === row?.['body'];
    demand(same, 'an event counts as delivered that never arrived', () => id);
  }
}
