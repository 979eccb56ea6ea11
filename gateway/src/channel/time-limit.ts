/** A channel that hangs must not hold the work on other transactions: after a time its answer counts as unknown. */
import type { Channel } from './channel.ts';

/** A channel whose calls take longer answers `askAgainAt` instead. */
export const CALL_MS_MAX = 4_000;

/** The channel with every call limited to `ms` milliseconds of real time. */
export function withTimeLimit(channel: Channel, ms = CALL_MS_MAX): Channel {
  const limited =
    <A extends unknown[], R>(call: (...args: A) => Promise<R>) =>
    (...args: A): Promise<R> => {
      const late = Promise.withResolvers<never>();
      const timer = setTimeout(() => late.reject(new Error(`the channel did not answer within ${ms} ms`)), ms);
      // A call that throws at once rejects like any other.
      const called = Promise.resolve().then(() => call(...args));
      return Promise.race([called, late.promise]).finally(() => clearTimeout(timer));
    };
  return {
    sandbox: channel.sandbox,
    initiate: limited(channel.initiate.bind(channel)),
    clarify: limited(channel.clarify.bind(channel)),
    verify: limited(channel.verify.bind(channel)),
    payOut: limited(channel.payOut.bind(channel)),
  };
}
