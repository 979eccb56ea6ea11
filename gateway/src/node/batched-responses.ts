/**
 * Sends responses that are ready in the same turn of the event loop in one batch. Writing to a socket whose reader sleeps
 * has to wake it, which costs more than all the rest of a read; right after another write the reader is awake.
 */
import { setImmediate } from '../platform/native-timers.ts';

/** Holds what it is given back until the turn ends, which is at once when there is nothing else to do. */
export function createBatch(): (send: () => void) => void {
  let ready: (() => void)[] = [];
  const flush = () => {
    const batch = ready;
    ready = [];
    for (const send of batch) send();
  };
  return (send) => {
    if (ready.push(send) === 1) setImmediate(flush);
  };
}
