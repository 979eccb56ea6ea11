/** The channels of a gateway by name. A transaction keeps the name of its channel, and that channel alone is called. */
import type { Methods } from '../domain/methods.ts';
import type { ChannelCallName, Transaction } from '../domain/transaction.ts';
import { systemTimers, type Timers } from '../platform/timers.ts';
import { type Channel, ChannelUnavailable } from './channel.ts';
import { UnusableDefinition } from './definition.ts';
import { InvalidResult } from './results.ts';

export interface Channels {
  readonly names: readonly string[];
  /** The channel with this name, if any. */
  find(name: string): Channel | undefined;
  /** The channel for which the transaction was created. Throws if this gateway no longer has it. */
  of(transaction: Pick<Transaction, 'id' | 'channel'>): Channel;
}

/**
 * Throws UnusableDefinition for duplicate channel or method names and for methods with an unknown channel. With `live`,
 * rejects simulated channels and methods, too.
 */
export function requireChannels(methods: Methods, channels: readonly Channel[], live = false): void {
  const names = channels.map(({ name }) => name);
  const present = names.length > 0 ? `the channels are ${names.join(', ')}` : 'there are no channels';
  const problems = repeated(names).map((name) => `two channels are named ${name}; each needs its own name`);
  const rows = methods.map(({ kind, name }) => `${kind} methods are named ${name}`);
  problems.push(...repeated(rows).map((row) => `two ${row}; each needs its own name`));
  for (const { kind, name, sandbox, channels: named } of methods) {
    const missing = [...new Set(Object.values(named))].filter((one) => one !== undefined && !names.includes(one));
    problems.push(...missing.map((one) => `the ${kind} method ${name} names the channel ${one}; ${present}`));
    if (live && sandbox) problems.push(`the ${kind} method ${name} exists only in sandboxes`);
  }
  // A channel with test data is simulated, even if it claims otherwise, because test data determine outcomes.
  const simulated = live ? channels.filter(({ sandbox, testData }) => sandbox || testData) : [];
  problems.push(...simulated.map(({ name }) => `the channel ${name} is simulated`));
  if (live && methods.length === 0) problems.push('there are no methods');
  if (problems.length > 0) throw new UnusableDefinition(problems);
}

function repeated(names: readonly string[]): string[] {
  return names.filter((name, index) => names.indexOf(name) < index);
}

/** Registers the channels. Throws UnusableDefinition when they don't fit the methods. */
export function createChannels(
  methods: Methods,
  channels: readonly Channel[],
  options: TimeLimitOptions = {},
): Channels {
  requireChannels(methods, channels);
  const byName = new Map(channels.map((channel) => [channel.name, withTimeLimit(channel, options)]));
  return {
    names: [...byName.keys()],
    find: (name) => byName.get(name),
    of({ id, channel }) {
      const found = byName.get(channel);
      const known = [...byName.keys()].join(', ');
      if (!found) throw new Error(`${id} belongs to the channel ${channel || '(none)'}; the channels are ${known}`);
      return found;
    },
  };
}

// Limits the duration of channel calls, so that a hanging channel doesn't delay other transactions.

/**
 * Maximum duration of a call, in milliseconds. It then rejects with an unknown outcome. A channel that needs more time
 * returns `askAgainAt` before, and is asked again.
 */
export const CALL_MS_MAX = 4_000;

interface ChannelCall {
  readonly channel: string;
  readonly call: ChannelCallName;
  /** `failed` and `invalid` have an unknown outcome. */
  readonly outcome: 'answered' | 'unavailable' | 'failed' | 'invalid'; // prose-ok: a label of the metric
  readonly seconds: number;
}

interface TimeLimitOptions {
  /** Milliseconds of real time. */
  readonly callMsMax?: number | undefined;
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
