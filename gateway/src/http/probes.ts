/** Health and metrics, for operators and their monitoring. */

import type { ClockJump } from '../platform/clock-jumps.ts';
import { requireUsableSchema } from '../store/engine/migrate.ts';
import type { Store } from '../store/engine/store.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { Metrics } from './metrics.ts';
import { PROBE } from './observe.ts';
import { jsonResponse } from './plain.ts';
import type { Route } from './router.ts';
import { reasonOf, type Unavailability } from './unavailability.ts';

interface Probed {
  readonly store: Store;
  readonly metrics: Pick<Metrics, 'expose'>;
  readonly lifecycle: Lifecycle;
  readonly unavailability: Unavailability;
  readonly recentJump?: (() => ClockJump | undefined) | undefined;
}

/** `/health/live`, `/health/ready` and `/metrics`. */
export function probes({ store, metrics: { expose }, lifecycle, unavailability, recentJump }: Probed): Route[] {
  const probe = (path: string, respond: Route['respond']): Route => ({
    method: 'GET',
    path,
    operation: PROBE,
    respond,
  });
  return [
    probe('/health/live', () => jsonResponse(200, { status: 'live' })),
    probe('/health/ready', async () => {
      if (lifecycle.phase !== 'serving') return jsonResponse(503, { status: lifecycle.phase });
      try {
        await store.ping();
        await requireUsableSchema(store);
        const jump = recentJump?.();
        if (jump) return jsonResponse(503, { status: 'clock jumped', clock: jump.clock, jump_ms: jump.ms });
        return jsonResponse(200, { status: 'ready' });
      } catch (error) {
        unavailability.notReady(error);
        return jsonResponse(503, { status: 'database unavailable', reason: reasonOf(error) });
      }
    }),
    ...(expose
      ? [
          probe('/metrics', async () => {
            const { type, text } = await expose();
            return { status: 200, headers: { 'content-type': type }, body: text };
          }),
        ]
      : []),
  ];
}
