/**
 * The machine's own timers, taken when the gateway is imported: a test that replaces the global ones afterwards, as
 * `vi.useFakeTimers()` does, fakes its own time and not that of a gateway in the same process.
 */
const { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate } = globalThis;

export { clearInterval, clearTimeout, setImmediate, setInterval, setTimeout };

export const nextTick: typeof process.nextTick = process.nextTick.bind(process);

export const systemNow: () => number = Date.now.bind(Date);

export const performance = { now: globalThis.performance.now.bind(globalThis.performance) };

/** Whether the global timers were replaced since. Libraries that call them then wait for a time that may never come. */
export function areTimersFake(): boolean {
  return globalThis.setImmediate !== setImmediate;
}

/** Throws if the timers were fake when they were taken, so that nothing would ever happen. */
export function requireNativeTimers(): void {
  // Libraries of fake timers mark their functions with their clock.
  if (!('clock' in setTimeout) && !('_isMockFunction' in setTimeout)) return;
  throw new Error(
    'The gateway was imported while timers were fake, so it would wait forever. Import payments-gateway before ' +
      '`vi.useFakeTimers()` or `jest.useFakeTimers()`, or fake only the date: `vi.useFakeTimers({ toFake: ["Date"] })`.',
  );
}
