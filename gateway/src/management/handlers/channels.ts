/** Pauses of channels, and of payouts by all channels. */
import type { Channel, Pause as PauseView } from '../../../../generated/management/types.ts';
import {
  type Pause,
  pauseChannel as pause,
  pausePayouts as pauseAll,
  pausedChannels,
  payoutPause,
  resumeChannel as resume,
  resumePayouts as resumeAll,
} from '../../channels/pauses.ts';
import type { Database } from '../../database/store.ts';
import { ProblemError } from '../../http/problems.ts';
import { timestamp } from '../../transactions/view.ts';
import type { ManagementOperation, ManagementServices, OperatorCall } from '../operation.ts';

type PauseOperation = 'pauseChannel' | 'resumeChannel' | 'pausePayouts' | 'resumePayouts';
type OperatorOperation<Id extends PauseOperation> = ManagementOperation<Id, OperatorCall<Id>>;

export async function listChannels(services: ManagementServices) {
  const payouts = await payoutPause(services.store.read);
  return { data: await viewChannels(services), ...(payouts && { payouts_paused: viewPause(payouts) }) };
}

export const pauseChannel: OperatorOperation<'pauseChannel'> = async (services, call) => {
  const { channel } = call.parameters;
  requireChannel(services, channel);
  const paused = { channel, ...toPause(services, call), by: call.operator };
  await change(services, call, (db) => pause(db, paused), {
    subject: channel,
    otherwise: `${channel} is paused already`,
  });
  return viewChannel(services, channel);
};

export const resumeChannel: OperatorOperation<'resumeChannel'> = async (services, call) => {
  const { channel } = call.parameters;
  requireChannel(services, channel);
  await change(services, call, (db) => resume(db, channel), {
    subject: channel,
    otherwise: `${channel} is not paused`,
  });
  return viewChannel(services, channel);
};

export const pausePayouts: OperatorOperation<'pausePayouts'> = async (services, call) => {
  const paused = toPause(services, call);
  await change(services, call, (db) => pauseAll(db, paused), { otherwise: 'Payouts are paused already' });
  return listChannels(services);
};

export const resumePayouts: OperatorOperation<'resumePayouts'> = async (services, call) => {
  await change(services, call, resumeAll, { otherwise: 'Payouts are not paused' });
  return listChannels(services);
};

function toPause({ clock }: ManagementServices, { operator, body: { reason } }: OperatorCall<PauseOperation>): Pause {
  return { by: operator, at: clock.now(), reason };
}

/**
 * Makes a change and records it in the audit log. Throws the problem `wrong-state` with `otherwise` if it changes
 * nothing.
 */
async function change(
  { store, pauses }: ManagementServices,
  { record }: OperatorCall<PauseOperation>,
  make: (db: Database) => Promise<boolean>,
  { subject, otherwise }: { readonly subject?: string; readonly otherwise: string },
): Promise<void> {
  const made = await store.unit(async (db) => {
    const changed = await make(db);
    if (changed) await record(db, { subject });
    return changed;
  });
  if (!made) throw new ProblemError('wrong-state', `${otherwise}.`);
  pauses?.forget();
}

function requireChannel({ channels }: ManagementServices, channel: string): void {
  if (channels.find(channel)) return;
  throw new ProblemError('not-found', `There is no channel ${channel}. The channels are ${channels.names.join(', ')}.`);
}

async function viewChannel(services: ManagementServices, channel: string): Promise<Channel> {
  const [viewed] = (await viewChannels(services)).filter(({ name }) => name === channel);
  return viewed as Channel;
}

async function viewChannels({ store, channels, methods }: ManagementServices): Promise<Channel[]> {
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

function viewPause({ by, at, reason }: Pause): PauseView {
  return {
    ...(by && { by: { id: by.id, name: by.name } }),
    at: timestamp(at),
    ...(reason !== undefined && { reason }),
  };
}
