/** Health and metrics, for operators and their monitoring. */
import type { Hono } from 'hono';
import { requireUsableSchema } from '../database/migrate.ts';
import type { Store } from '../database/store.ts';
import type { ClockJump } from '../platform/clock-jumps.ts';
import type { HttpContext, HttpEnv } from './context.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { Metrics } from './metrics.ts';
import { PROBE } from './observe.ts';
import { respond, respondJson } from './responses.ts';
import { classifyUnavailability, type Unavailability } from './unavailability.ts';

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
  add(PATHS.ready, async (c) => {
    if (lifecycle.phase !== 'serving') return respondJson(c, 503, { status: lifecycle.phase });
    try {
      await store.ping();
      await requireUsableSchema(store);
      const reason = obstacle?.();
      if (reason !== undefined) return respondJson(c, 503, { status: 'waiting', reason });
      const jump = recentJump?.();
      if (jump) return respondJson(c, 503, { status: 'clock jumped', clock: jump.clock, jump_ms: jump.ms });
      return respondJson(c, 200, { status: 'ready' });
    } catch (error) {
      unavailability.notReady(error);
      return respondJson(c, 503, { status: 'database unavailable', reason: classifyUnavailability(error) });
    }
  });
  if (!expose) return;
  add(PATHS.metrics, async (c) => {
    const { type, text } = await expose();
    return respond(c, 200, text, { 'content-type': type });
  });
}
