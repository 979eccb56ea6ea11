/** The page's own timers. It has no setImmediate: a message to itself comes after everything that is ready, and as soon. */
const { setTimeout, clearTimeout, setInterval, clearInterval } = globalThis;

export { clearInterval, clearTimeout, setInterval, setTimeout };

export const setImmediate: (run: () => void) => void = globalThis.setImmediate ?? turnsOfMessages();

function turnsOfMessages(): (run: () => void) => void {
  const waiting: (() => void)[] = [];
  const { port1, port2 } = new MessageChannel();
  port1.addEventListener('message', () => waiting.shift()?.());
  port1.start();
  return (run) => {
    waiting.push(run);
    port2.postMessage(undefined);
  };
}

export const nextTick: (run: () => void) => void = globalThis.queueMicrotask.bind(globalThis);

export const systemNow: () => number = Date.now.bind(Date);

export const performance = { now: globalThis.performance.now.bind(globalThis.performance) };

export function areTimersFake(): boolean {
  return globalThis.setTimeout !== setTimeout;
}

export function requireNativeTimers(): void {}
