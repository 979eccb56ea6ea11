/** A channel that hangs must not hold up other transactions: a call that takes too long rejects. */
import type { Channel } from './channel.ts';

/**
 * Longest that a call may take, in milliseconds. After that it rejects, and whether it had an effect is unknown. A
 * channel that needs more time returns `askAgainAt` before that and is asked again.
 */
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
