/**
 * Answers that are ready in the same turn of the event loop leave together. A write to a socket whose reader sleeps has
 * to wake it, which costs more than all the rest of a read; right after another write the reader is awake.
 */
import type { onSendHookHandler } from 'fastify';

/** A hook that holds an answer back until the turn ends, which is at once when there is nothing else to do. */
export function leaveTogether(): onSendHookHandler {
  let ready: (() => void)[] = [];
  const leave = () => {
    const leaving = ready;
    ready = [];
    for (const go of leaving) go();
  };
  return (_request, _reply, _payload, done) => {
    if (ready.push(done) === 1) setImmediate(leave);
  };
}
