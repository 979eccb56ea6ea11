/** Channels with some replaced calls. */

import type { Channel } from '../../../gateway/src/channels/channel.ts';
import { createSimulator, simulatedChannels } from '../../../gateway/src/channels/simulator.ts';
import { sandboxMethods } from '../../../gateway/src/domain/methods.ts';

/** A channel without replaced calls. */
export const SIMULATOR = createSimulator(sandboxMethods, 'simulator');

/** A channel for each of the methods' channel names, all with the same replaced calls. */
export function everyChannel(replaced: Partial<Channel> = {}): Channel[] {
  return simulatedChannels(sandboxMethods).map((channel) => ({ ...channel, ...replaced, name: channel.name }));
}
