/**
 * The lease of a sandbox on its database. One process serves a sandbox, because clocks, faults and settings are state of
 * that process. Other processes on the database wait until it stops, or until its lease expires. An SQLite file needs no
 * lease, since only one process uses it.
 */
import { type Store, StoreUnavailable } from '../database/store.ts';
import type { Clock } from '../platform/clock.ts';
import { randomIds } from '../platform/ids.ts';
import type { Log } from '../platform/log.ts';

export const SANDBOX_LEASE_MS = 10_000;
/** Interval of renewals, and of attempts to take over, in milliseconds. */
const RENEWED_EVERY_MS = 1_000;

const SERVED_ELSEWHERE = 'another process serves the sandbox of this database';

/** The work of the process that holds the lease. */
interface LeasedWork {
  /** Called when the process has taken the lease. */
  begin(): Promise<void>;
  /** Called when another process has taken over. */
  end(): Promise<void>;
}

interface LeaseServices {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

export class SandboxLease {
  readonly #services: LeaseServices;
  readonly #holder = randomIds.text(20);
  #isHeld = false;
  #renewals: Promise<void> = Promise.resolve();

  constructor(services: LeaseServices) {
    this.#services = services;
  }

  /** Why this process doesn't serve the sandbox; undefined if it does. */
  get obstacle(): string | undefined {
    return this.#isHeld ? undefined : SERVED_ELSEWHERE;
  }

  /** The store for work under the lease. It refuses units of work once another process has taken over. */
  get store(): Store {
    const { store } = this.#services;
    if (!store.isShared) return store;
    const unit: Store['unit'] = (work, options) =>
      store.unit(async (db) => {
        if (!(await db.get('select 1 as one from sandbox_lease where holder = ?', this.#holder))) {
          throw new StoreUnavailable(SERVED_ELSEWHERE, { reason: 'sandbox_elsewhere' });
        }
        return work(db);
      }, options);
    return { ...store, unit };
  }

  /** Takes the lease, or waits for it, until the signal is aborted. Resolves after the first attempt. */
  async keep(work: LeasedWork, stopped: AbortSignal): Promise<void> {
    if (!this.#services.store.isShared) {
      await work.begin();
      this.#isHeld = true;
      return;
    }
    await this.#renew(work);
    if (!this.#isHeld) this.#services.log.warn({}, `waiting: ${SERVED_ELSEWHERE}`);
    this.#renewals = this.#renewUntil(stopped, work);
  }

  /** Lets another process take over at once. Call it after `keep` has been stopped. */
  async release(): Promise<void> {
    const { store } = this.#services;
    await this.#renewals;
    if (!store.isShared || !this.#isHeld) return;
    this.#isHeld = false;
    // Otherwise, the lease expires.
    await store.unit((db) => db.run('delete from sandbox_lease where holder = ?', this.#holder)).catch(() => undefined);
  }

  async #renewUntil(stopped: AbortSignal, work: LeasedWork): Promise<void> {
    const { clock } = this.#services;
    while (!stopped.aborted) {
      await clock.until(clock.now() + RENEWED_EVERY_MS, stopped);
      // While the database is unreachable, no other process can take over either.
      if (!stopped.aborted) await this.#renew(work).catch(() => undefined);
    }
  }

  async #renew(work: LeasedWork): Promise<void> {
    const { log } = this.#services;
    const isHeld = await this.#take();
    if (isHeld === this.#isHeld) return;
    if (isHeld) {
      await work.begin();
      this.#isHeld = true;
      log.info({}, 'serving the sandbox');
    } else {
      this.#isHeld = false;
      log.warn({}, `waiting: ${SERVED_ELSEWHERE}`);
      await work.end();
    }
  }

  /** Takes or renews the lease. Returns false if another holder has it and it hasn't expired. */
  #take(): Promise<boolean> {
    const { store, clock } = this.#services;
    return store.unit(async (db) => {
      const now = clock.now();
      const row = await db.get(
        `insert into sandbox_lease (id, holder, expires_at) values (1, ?, ?)
         on conflict (id) do update set holder = excluded.holder, expires_at = excluded.expires_at
         where sandbox_lease.holder = excluded.holder or sandbox_lease.expires_at <= ? returning holder`,
        ...[this.#holder, now + SANDBOX_LEASE_MS, now],
      );
      return row !== undefined;
    });
  }
}
