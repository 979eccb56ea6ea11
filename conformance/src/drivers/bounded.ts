/** A driver whose requests end: a service that hangs would hang them, and the run with them. */
import { timeoutWhileAwake } from '../time/awake.ts';
import type { Driver } from './driver.ts';

/** Functions of a driver that send requests. */
const SENDING = new Set<string | symbol>([
  'pay',
  'cancel',
  'returnAddress',
  'move',
  'disturb',
  'drainWallet',
] satisfies (keyof Driver)[]);
/** A payment page in a browser takes longer than a request. */
const LONGER = 6;

/** Wraps the driver: its requests reject after a multiple of the response timeout. */
export function boundedDriver(driver: Driver, timeoutMs: number): Driver {
  return new Proxy(driver, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      if (!SENDING.has(name)) return member.bind(target);
      return async (...given: unknown[]) => endInTime(String(name), member.apply(target, given), timeoutMs * LONGER);
    },
  });
}

async function endInTime<T>(name: string, call: Promise<T>, limitMs: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const cancel = timeoutWhileAwake(limitMs, () =>
    late.reject(new Error(`\`${name}\` didn't end within ${limitMs / 1_000} s`)),
  );
  try {
    return await Promise.race([call, late.promise]);
  } finally {
    cancel();
  }
}
