/** Limits the duration of channel calls, so that a hanging channel doesn't delay other transactions. */
import type { ChannelCallName } from '../domain/transaction.ts';
import { systemTimers, type Timers } from '../platform/timers.ts';
import { type Channel, ChannelUnavailable } from './channel.ts';
import { InvalidResult } from './results.ts';

/**
 * Maximum duration of a call, in milliseconds. It then rejects with an unknown outcome. A channel that needs more time
 * returns `askAgainAt` before, and is asked again.
 */
export const CALL_MS_MAX = 4_000;

/** A call of a channel with its outcome. */
export interface ChannelCall {
  readonly channel: string;
  readonly call: ChannelCallName;
  /** `failed` and `invalid` have an unknown outcome. */
  readonly outcome: 'answered' | 'unavailable' | 'failed' | 'invalid'; // prose-ok: a label of the metric
  readonly seconds: number;
}

export interface TimeLimitOptions {
  /** Milliseconds of real time. */
  readonly callMsMax?: number | undefined;
  /** Called after every call. */
  readonly onCall?: (call: ChannelCall) => void;
  readonly timers?: Timers;
}

/** The channel, with every call limited in time and counted. */
export function withTimeLimit(
  channel: Channel,
  { callMsMax = CALL_MS_MAX, onCall, timers = systemTimers }: TimeLimitOptions = {},
): Channel {
  const { name } = channel;
  const limited =
    <A extends unknown[], R>(call: ChannelCallName, ask: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      const began = timers.elapsed();
      const ended = (outcome: ChannelCall['outcome']) =>
        onCall?.({ channel: name, call, outcome, seconds: (timers.elapsed() - began) / 1_000 });
      const late = Promise.withResolvers<never>();
      const cancelTimer = timers.after(callMsMax, () =>
        late.reject(new Error(`the channel ${name} did not respond to ${call} within ${callMsMax} ms`)),
      );
      try {
        const answer = await Promise.race([ask.apply(channel, args), late.promise]);
        ended('answered'); // prose-ok
        return answer;
      } catch (error) {
        ended(readOutcome(error));
        throw error;
      } finally {
        cancelTimer();
      }
    };
  return {
    name,
    sandbox: channel.sandbox,
    initiate: limited('initiate', channel.initiate),
    clarify: limited('clarify', channel.clarify),
    verify: limited('verify', channel.verify),
    cancel: limited('cancel', channel.cancel),
    payOut: limited('payOut', channel.payOut),
    verifyPayout: limited('verifyPayout', channel.verifyPayout),
    ...(channel.testData && { testData: channel.testData }),
    ...(channel.receiver && { receiver: channel.receiver.bind(channel) }),
    ...(channel.notification && { notification: channel.notification.bind(channel) }),
  };
}

function readOutcome(error: unknown): ChannelCall['outcome'] {
  if (error instanceof InvalidResult) return 'invalid';
  return error instanceof ChannelUnavailable ? 'unavailable' : 'failed';
}
