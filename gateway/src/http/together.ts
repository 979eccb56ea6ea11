/**
 * Answers that are ready in the same turn of the event loop leave together. A write to a socket whose reader sleeps has
 * to wake it, which costs more than all the rest of a read; right after another write the reader is awake.
 */
import type { FastifyInstance } from 'fastify';

/** Holds the answers to GET back until the turn ends, which is at once when there is nothing else to do. */
export function leaveTogether(app: FastifyInstance): void {
  let ready: (() => void)[] = [];
  const leave = () => {
    const leaving = ready;
    ready = [];
    for (const go of leaving) go();
  };
  app.addHook('onSend', ({ method }, _reply, _payload, done) => {
    // An answer that waits for a commit leaves with those of the same commit anyway.
    if (method !== 'GET') done();
    else if (ready.push(done) === 1) setImmediate(leave);
  });
}
