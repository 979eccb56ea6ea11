/**
 * Sends responses that are ready in the same turn of the event loop in one batch. Writing to a socket whose reader sleeps
 * has to wake it, which costs more than all the rest of a read; right after another write the reader is awake.
 */

import type { FastifyInstance } from 'fastify';
import { setImmediate } from '../platform/native-timers.ts';

/** Holds responses to GET back until the turn ends, which is at once when there is nothing else to do. */
export function batchResponses(app: FastifyInstance): void {
  let ready: (() => void)[] = [];
  const flush = () => {
    const batch = ready;
    ready = [];
    for (const send of batch) send();
  };
  app.addHook('onSend', ({ method }, _reply, _payload, done) => {
    // A response that waits for a commit is sent with those of the same commit anyway.
    if (method !== 'GET') done();
    else if (ready.push(done) === 1) setImmediate(flush);
  });
}
