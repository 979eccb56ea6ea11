/** Channels that operators have paused: they get no new transactions. */
import type { Database } from '../engine/store.ts';
import type { OperatorName } from './operators.ts';

export interface PausedChannel {
  readonly channel: string;
  readonly by: OperatorName;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly reason: string | undefined;
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

/** All paused channels by name: they are few, since each is one that the gateway has. */
export async function pausedChannels(db: Database): Promise<PausedChannel[]> {
  const rows = await db.all(
    `select p.channel, p.operator_id, o.name, p.paused_at, p.reason from paused_channels p
     join operators o on o.id = p.operator_id order by p.channel`,
  );
  return rows.map((row) => ({
    channel: String(row['channel']),
    by: { id: String(row['operator_id']), name: String(row['name']) },
    at: Number(row['paused_at']),
    reason: row['reason'] === null ? undefined : String(row['reason']),
  }));
}
