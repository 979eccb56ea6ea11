/**
 * A process's own stopwatch and timers, independent of databases and merchants. Injected, so that a simulation controls
 * them.
 */

/**
 * The native timers, captured at import. A test that later replaces the global ones, as `vi.useFakeTimers()` does,
 * doesn't affect a gateway in the same process.
 */
const { setTimeout, clearTimeout, setInterval, clearInterval } = globalThis;

/** Pages lack setImmediate. A message to the same page also arrives after all ready work. */
const setImmediate: (run: () => void) => unknown = globalThis.setImmediate ?? messageToSelf();

export { clearInterval, clearTimeout, setImmediate, setInterval, setTimeout };

export const systemNow: () => number = Date.now.bind(Date);

export const performance = { now: globalThis.performance.now.bind(globalThis.performance) };

/** Throws if the timers were already fake when captured, because no timer would ever fire. */
export function requireNativeTimers(): void {
  // Fake-timer libraries mark their functions with their clock.
  if (!('clock' in setTimeout) && !('_isMockFunction' in setTimeout)) return;
  throw new Error(
    'The gateway was imported while timers were fake, so it would wait forever. Import payments-gateway before ' +
      '`vi.useFakeTimers()` or `jest.useFakeTimers()`, or fake only the date: `vi.useFakeTimers({ toFake: ["Date"] })`.',
  );
}

function messageToSelf(): (run: () => void) => void {
  const { port1, port2 } = new MessageChannel();
  const waiting: (() => void)[] = [];
  // Unlike `addEventListener`, it also starts the port.
  Object.assign(port1, { onmessage: () => waiting.shift()?.() });
  return (run) => {
    waiting.push(run);
    port2.postMessage(undefined);
  };
}

export interface Timers {
  /** Milliseconds from an arbitrary time. Monotonic. */
  elapsed(): number;
  /** Calls `run` after this many milliseconds. Returns a function that cancels it. */
  after(ms: number, run: () => void): () => void;
  /** Calls `run` after the ready work of this turn of the event loop. */
  nextTurn(run: () => void): void;
}

export const systemTimers: Timers = {
  elapsed: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
  nextTurn(run) {
    setImmediate(run);
  },
};
