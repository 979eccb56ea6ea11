/** The channels of a gateway by name. A transaction keeps the name of its channel, and that channel alone is called. */
import { allMethods } from '../domain/methods.ts';
import type { Transaction } from '../domain/transaction.ts';
import type { Channel } from './channel.ts';
import { type CallOptions, withTimeLimit } from './time-limit.ts';

export interface Channels {
  /** The channel of this name, if there is one. */
  find(name: string): Channel | undefined;
  /** The channel that the transaction was created for. Throws when this gateway no longer has it. */
  of(transaction: Pick<Transaction, 'id' | 'channel'>): Channel;
}

/** Registers the channels. Throws when two have the same name, or a method names one that is not there. */
export function createChannels(channels: readonly Channel[], options: CallOptions = {}): Channels {
  const byName = new Map<string, Channel>();
  for (const channel of channels) {
    if (byName.has(channel.name)) throw new Error(`two channels are named ${channel.name}; each needs its own name`);
    byName.set(channel.name, withTimeLimit(channel, options));
  }
  const known = [...byName.keys()].join(', ');
  for (const { kind, name, channels: named } of allMethods()) {
    const missing = Object.values(named).find((one) => !byName.has(one));
    if (missing === undefined) continue;
    throw new Error(`the ${kind} method ${name} names the channel ${missing}; the channels are ${known}`);
  }
  return {
    find: (name) => byName.get(name),
    of({ id, channel }) {
      const found = byName.get(channel);
      if (!found) throw new Error(`${id} belongs to the channel ${channel || '(none)'}; the channels are ${known}`);
      return found;
    },
  };
}
