/** Channels that get no new transactions, and the pause of all payouts. */

import { integer, optional, rowMapper, text } from '../database/row-mapper.ts';
import type { Database } from '../database/store.ts';
import type { OperatorName } from '../operators/operators.ts';

export interface Pause {
  /** Undefined if a gateway or a backup has paused payouts. */
  readonly by: OperatorName | undefined;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly reason: string | undefined;
}

export interface PausedChannel extends Pause {
  readonly channel: string;
  readonly by: OperatorName;
}

/** Pauses a channel. Returns false if it is paused already. */
export async function pauseChannel(db: Database, { channel, by, at, reason }: PausedChannel): Promise<boolean> {
  const paused = await db.run(
    `insert into paused_channels (channel, operator_id, paused_at, reason) values (?, ?, ?, ?)
     on conflict (channel) do nothing`,
    ...[channel, by.id, at, reason ?? null],
  );
  return paused === 1;
}

/** Resumes a channel. Returns false if it isn't paused. */
export async function resumeChannel(db: Database, channel: string): Promise<boolean> {
  return (await db.run('delete from paused_channels where channel = ?', channel)) === 1;
}

/** All paused channels by name. There are at most as many as channels. */
export async function pausedChannels(db: Database): Promise<PausedChannel[]> {
  const rows = await db.all(
    `select p.channel, p.operator_id, o.name, p.paused_at, p.reason from paused_channels p
     join operators o on o.id = p.operator_id order by p.channel`,
  );
  return rows.map(toPausedChannel);
}

/** Pauses payouts of all channels. Returns false if they are paused already. */
export async function pausePayouts(db: Database, { by, at, reason }: Pause): Promise<boolean> {
  const paused = await db.run(
    `insert into payout_pause (id, operator_id, paused_at, reason) values (1, ?, ?, ?) on conflict (id) do nothing`,
    ...[by?.id ?? null, at, reason ?? null],
  );
  return paused === 1;
}

/** Resumes payouts. Returns false if they aren't paused. */
export async function resumePayouts(db: Database): Promise<boolean> {
  return (await db.run('delete from payout_pause where id = 1')) === 1;
}

/** The pause of all payouts; undefined if they aren't paused. */
export async function payoutPause(db: Database): Promise<Pause | undefined> {
  const row = await db.get(
    `select p.operator_id, o.name, p.paused_at, p.reason from payout_pause p
     left join operators o on o.id = p.operator_id where p.id = 1`,
  );
  return row && toPause(row);
}

const toOperatorName = rowMapper({ id: text('operator_id'), name: text('name') });
const PAUSE = { at: integer('paused_at'), reason: optional('reason', String) };

const toPause = rowMapper<Pause>({
  ...PAUSE,
  by: (row) => (row['operator_id'] === null ? undefined : toOperatorName(row)),
});
const toPausedChannel = rowMapper<PausedChannel>({ ...PAUSE, channel: text('channel'), by: toOperatorName });
