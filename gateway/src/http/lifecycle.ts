/**
 * Lifecycle: serving, draining, closing. A draining gateway reports unready, so that load balancers remove it, and
 * serves the remaining requests. Each response closes its connection, so that clients reconnect elsewhere. A closing
 * gateway finishes requests that have arrived and responds to others with 503.
 */

import type { Hono } from 'hono';
import { requireUsableSchema } from '../database/migrate.ts';
import { type Store, StoreUnavailable } from '../database/store.ts';
import type { Clock, ClockJump } from '../platform/clock.ts';
import type { HttpContext, HttpEnv } from './context.ts';
import type { Metrics } from './metrics.ts';
import { PROBE } from './observe.ts';
import { ProblemError } from './problems.ts';
import { respond, respondJson } from './responses.ts';
import { classifyUnavailability, type Unavailability } from './unavailability.ts';

export class Lifecycle {
  readonly #clock: Clock;
  readonly #onDrain: (() => void) | undefined;
  #phase: 'serving' | 'draining' | 'closing' = 'serving';
  #inFlight = 0;
  readonly #whenIdle: (() => void)[] = [];

  constructor(clock: Clock, onDrain?: () => void) {
    this.#clock = clock;
    this.#onDrain = onDrain;
  }

  get phase(): 'serving' | 'draining' | 'closing' {
    return this.#phase;
  }

  /** Starts to drain. Resolves after this many milliseconds, or when the signal is aborted. */
  drain(ms: number, signal: AbortSignal): Promise<void> {
    if (this.#phase === 'serving') this.#phase = 'draining';
    this.#onDrain?.();
    return this.#clock.until(this.#clock.now() + ms, signal);
  }

  /** Refuses further requests. */
  close(): void {
    this.#phase = 'closing';
    this.#onDrain?.();
  }

  /** Counts a request that begins. */
  began(): void {
    this.#inFlight += 1;
  }

  /** Counts a request whose response is ready. */
  ended(): void {
    this.#inFlight -= 1;
    if (this.#inFlight === 0) for (const resolve of this.#whenIdle.splice(0)) resolve();
  }

  /** Resolves when no request is in flight, or when the signal is aborted. */
  idle(signal: AbortSignal): Promise<void> {
    if (this.#inFlight === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#whenIdle.push(resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  /** Throws once the gateway closes. */
  requireOpen(): void {
    if (this.#phase !== 'closing') return;
    const detail = 'The service is restarting. Send the request again after the number of seconds in `Retry-After`.';
    const cause = new StoreUnavailable('the gateway is closing', { reason: 'closed' });
    throw new ProblemError('unavailable', detail, { cause });
  }
}

type Readiness =
  | { readonly status: 'ready' | 'draining' | 'closing' }
  | { readonly status: 'database unavailable' | 'waiting'; readonly reason: string }
  | { readonly status: 'clock jumped'; readonly clock: string; readonly jump_ms: number };

interface Probed {
  readonly store: Store;
  readonly metrics: Pick<Metrics, 'expose'>;
  readonly lifecycle: Lifecycle;
  readonly unavailability: Unavailability;
  readonly recentJump?: (() => ClockJump | undefined) | undefined;
  readonly obstacle?: (() => string | undefined) | undefined;
}

const PATHS = { live: '/health/live', ready: '/health/ready', metrics: '/metrics' } as const;
const PROBED = new Set<string>(Object.values(PATHS));

/** Whether a request is a probe. Machines send probes frequently, under any name of this host. */
export function isProbe(c: HttpContext): boolean {
  return PROBED.has(c.req.path);
}

/** Adds `/health/live`, `/health/ready` and `/metrics`. */
export function addProbes(
  app: Hono<HttpEnv>,
  { store, metrics: { expose }, lifecycle, unavailability, recentJump, obstacle }: Probed,
): void {
  const add = (path: string, handle: (c: HttpContext) => Promise<Response>) =>
    app.get(path, (c) => {
      c.get('request').operation = PROBE;
      return handle(c);
    });
  add(PATHS.live, async (c) => respondJson(c, 200, { status: 'live' }));
  const checkReadiness = async (): Promise<Readiness> => {
    if (lifecycle.phase !== 'serving') return { status: lifecycle.phase };
    try {
      await store.ping();
      await requireUsableSchema(store);
    } catch (error) {
      unavailability.notReady(error);
      return { status: 'database unavailable', reason: classifyUnavailability(error) };
    }
    const reason = obstacle?.();
    if (reason !== undefined) return { status: 'waiting', reason };
    const jump = recentJump?.();
    return jump ? { status: 'clock jumped', clock: jump.clock, jump_ms: jump.ms } : { status: 'ready' };
  };
  add(PATHS.ready, async (c) => {
    const readiness = await checkReadiness();
    return respondJson(c, readiness.status === 'ready' ? 200 : 503, readiness);
  });
  if (!expose) return;
  add(PATHS.metrics, async (c) => {
    const { type, text } = await expose((await checkReadiness()).status);
    return respond(c, 200, text, { 'content-type': type });
  });
}
