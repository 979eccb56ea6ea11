/** Channels, which operators pause when a provider is in trouble. */
import type { Channel, ChannelList, PauseRequest } from '../../../../generated/admin/types.ts';
import {
  type PausedChannel,
  pauseChannel as pause,
  pausedChannels,
  resumeChannel as resume,
} from '../../store/access/paused-channels.ts';
import type { Database } from '../../store/engine/store.ts';
import { ProblemError } from '../../wire/problems.ts';
import { timestamp } from '../../wire/view.ts';
import type { AdminCall, AdminServices } from '../operation.ts';

type ChannelParameters = { readonly channel: string };

export async function listChannels(services: AdminServices): Promise<ChannelList> {
  return { data: await viewChannels(services) };
}

export async function pauseChannel(
  services: AdminServices,
  { parameters, operator: by, body: { reason }, record }: AdminCall<PauseRequest, ChannelParameters>,
): Promise<Channel> {
  const { channel } = parameters;
  const at = services.clock.now();
  const paused = { channel, by, at, reason };
  return change(services, channel, (db) => pause(db, paused), record, 'is paused already');
}

export async function resumeChannel(
  services: AdminServices,
  { parameters: { channel }, record }: AdminCall<PauseRequest, ChannelParameters>,
): Promise<Channel> {
  return change(services, channel, (db) => resume(db, channel), record, 'is not paused');
}

/** Makes a change and returns the channel after it. Throws the problem `wrong-state` if there is nothing to change. */
async function change(
  services: AdminServices,
  channel: string,
  make: (db: Database) => Promise<boolean>,
  record: AdminCall['record'],
  otherwise: string,
): Promise<Channel> {
  const { store, channels, pauses } = services;
  if (!channels.find(channel)) {
    throw new ProblemError(
      'not-found',
      `There is no channel ${channel}. The channels are ${channels.names.join(', ')}.`,
    );
  }
  const made = await store.unit(async (db) => {
    const changed = await make(db);
    if (changed) await record(db, { subject: channel });
    return changed;
  });
  if (!made) throw new ProblemError('wrong-state', `The channel ${channel} ${otherwise}.`);
  pauses?.forget();
  const [viewed] = (await viewChannels(services)).filter(({ name }) => name === channel);
  return viewed as Channel;
}

async function viewChannels({ store, channels, methods }: AdminServices): Promise<Channel[]> {
  const pauses = new Map((await pausedChannels(store.read)).map((one) => [one.channel, one]));
  return channels.names.map((name) => {
    const carried = methods.filter(({ channels: named }) => Object.values(named).includes(name));
    const paused = pauses.get(name);
    return {
      name,
      methods: [...new Set(carried.map((method) => method.name))],
      ...(paused && { paused: viewPause(paused) }),
    };
  });
}

function viewPause({ by, at, reason }: PausedChannel): NonNullable<Channel['paused']> {
  return { by: { id: by.id, name: by.name }, at: timestamp(at), ...(reason !== undefined && { reason }) };
}
