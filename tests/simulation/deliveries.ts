/** What must be true of webhooks: nobody sends what another has claimed, and what counts as delivered has arrived. */
import type { Row } from '../../gateway/src/store/store.ts';
import { demand } from './broken-rule.ts';
import type { Disk } from './disk.ts';
import type { Receivers } from './receivers.ts';
import type { Life, Scheduler } from './scheduler.ts';

const ATTEMPTS_MAX = 10;

export class Deliveries {
  readonly #disk: Disk;
  readonly #receivers: Receivers;
  readonly #scheduler: Scheduler;
  /** Who has claimed an event, also those whose lease has ended since. */
  readonly #claims = new Map<string, Set<Life>>();

  constructor(disk: Disk, receivers: Receivers, scheduler: Scheduler) {
    this.#disk = disk;
    this.#receivers = receivers;
    this.#scheduler = scheduler;
  }

  follow(changes: readonly Row[], life: Life): void {
    for (const { what, id, a, b, c, d, e } of changes) {
      if (what !== 'delivery') continue;
      const event = String(id);
      demand(a !== null || b === null, 'an event that is over is due again', () => event);
      if (b === null || c !== d || Number(b) <= this.#scheduler.now) {
        this.#claims.get(event)?.delete(life);
        if (e !== null) this.#checkAccepted(event);
        continue;
      }
      const claims = this.#claims.get(event) ?? new Set();
      this.#claims.set(event, claims);
      if (claims.has(life)) continue;
      const free = a !== null && Number(a) <= this.#scheduler.now;
      demand(
        free,
        'a lease is ignored',
        () => `${life.name} claims ${event} ${Number(a) - this.#scheduler.now} ms early`,
      );
      claims.add(life);
    }
  }

  /** Every event has arrived, unless its endpoint took no more or failed for days. */
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

  #checkAccepted(id: string): void {
    const [row] = this.#disk.rows('select body from events where id = ?', id);
    const same = this.#receivers.accepted.get(id) === row?.['body'];
    demand(same, 'an event counts as delivered that never arrived', () => id);
  }
}
