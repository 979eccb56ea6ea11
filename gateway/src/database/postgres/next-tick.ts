/** Node's own, taken when the gateway is imported, so that a test which fakes timers doesn't stop a gateway in its process. */
export const nextTick: typeof process.nextTick = process.nextTick.bind(process);
