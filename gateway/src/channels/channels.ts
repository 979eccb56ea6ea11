/** The channels of a gateway by name. A transaction keeps the name of its channel, and that channel alone is called. */
import type { Methods } from '../domain/methods.ts';
import type { Transaction } from '../domain/transaction.ts';
import type { Channel } from './channel.ts';
import { UnusableDefinition } from './definition.ts';
import { type TimeLimitOptions, withTimeLimit } from './time-limit.ts';

export interface Channels {
  /** Their names. */
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
