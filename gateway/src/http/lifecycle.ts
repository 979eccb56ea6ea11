/**
 * From serving over draining to closing. While the gateway drains, it reports that it isn't ready, so that load balancers
 * take it out, and serves what they still send; each response ends its connection, so that clients move on. Once it closes,
 * what has already arrived is served, and what arrives on a connection that was kept alive gets a 503.
 */
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../platform/clock.ts';
import { StoreUnavailable } from '../store/engine/store.ts';
import { ProblemError } from '../wire/problems.ts';

export interface Lifecycle {
  readonly phase: 'serving' | 'draining' | 'closing';
  /** Starts to drain. Resolves after this many milliseconds, or when the signal is aborted. */
  drain(ms: number, signal: AbortSignal): Promise<void>;
}

/** Follows the server to its close. */
export function followLifecycle(app: FastifyInstance, clock: Clock, onDrain?: () => void): Lifecycle {
  let phase: Lifecycle['phase'] = 'serving';
  app.addHook('preClose', async () => {
    phase = 'closing';
  });
  app.addHook('onRequest', (_request, _reply, done) => {
    if (phase !== 'closing') return done();
    const detail = 'The service is restarting. Send the request again after the number of seconds in `Retry-After`.';
    const cause = new StoreUnavailable('the gateway is closing', { reason: 'closed' });
    done(new ProblemError('unavailable', detail, { cause }));
  });
  // Without this a connection that is kept alive holds up the end of the process until its own time-out.
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (phase !== 'serving') reply.header('connection', 'close');
    done();
  });
  return {
    get phase() {
      return phase;
    },
    drain(ms, signal) {
      if (phase === 'serving') phase = 'draining';
      onDrain?.();
      return clock.until(clock.now() + ms, signal);
    },
  };
}
