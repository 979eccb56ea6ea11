/** Channels of which a test replaces some calls. */
import type { Channel } from '../../../gateway/src/channel/channel.ts';
import { type Channels, createChannels } from '../../../gateway/src/channel/channels.ts';
import { createSimulator, simulatedChannels } from '../../../gateway/src/channel/simulator.ts';

/** What channels do where a test replaces nothing. */
export const SIMULATOR = createSimulator('simulator');

/** A channel for every name that a method has, all with the same replaced calls. */
export function everyChannel(replaced: Partial<Channel> = {}): Channel[] {
  return simulatedChannels().map((channel) => ({ ...channel, ...replaced, name: channel.name }));
}

/** The same as a registry, for parts of the gateway that are tested alone. */
export function channelsWith(replaced: Partial<Channel> = {}): Channels {
  return createChannels(everyChannel(replaced));
}
