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
      const timer = setTimeout(
        () => late.reject(new Error(`the channel ${channel.name} did not answer within ${ms} ms`)),
        ms,
      );
      // A call that throws at once rejects like any other.
      const called = Promise.resolve().then(() => call.apply(channel, args));
      return Promise.race([called, late.promise]).finally(() => clearTimeout(timer));
    };
  return {
    name: channel.name,
    sandbox: channel.sandbox,
    initiate: limited(channel.initiate),
    clarify: limited(channel.clarify),
    verify: limited(channel.verify),
    cancel: limited(channel.cancel),
    payOut: limited(channel.payOut),
    ...(channel.notification && { notification: channel.notification.bind(channel) }),
  };
}
