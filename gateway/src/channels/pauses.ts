/** Pauses of channels and of all payouts. Every process on the database applies them within a second. */
import { integer, optional, rowMapper, text } from '../database/row-mapper.ts';
import type { Database } from '../database/store.ts';
import type { Transaction } from '../domain/transaction.ts';
import type { OperatorName } from '../operators/operators.ts';
import { performance } from '../platform/timers.ts';

export interface Pause {
  /** Undefined if a gateway or a backup has paused payouts. */
  readonly by: OperatorName | undefined;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly reason: string | undefined;
}

interface PausedChannel extends Pause {
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
  by: optional('operator_id', (_, row) => toOperatorName(row)),
});
const toPausedChannel = rowMapper<PausedChannel>({ ...PAUSE, channel: text('channel'), by: toOperatorName });

const CACHE_MS = 1_000;

interface Paused {
  readonly channels: ReadonlySet<string>;
  readonly payouts: boolean;
}

export class Pauses {
  readonly #db: Database;
  #reading: Promise<Paused> | undefined;
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Rejects if the database can't be read. The step is then retried later. */
  async isPaused({ kind, channel }: Pick<Transaction, 'kind' | 'channel'>): Promise<boolean> {
    const { channels, payouts } = await this.#paused();
    return channels.has(channel) || (kind === 'payout' && payouts);
  }

  /** Reads the database again for the next question. */
  forget(): void {
    this.#readAt = Number.NEGATIVE_INFINITY;
  }

  #paused(): Promise<Paused> {
    if (this.#reading && performance.now() - this.#readAt < CACHE_MS) return this.#reading;
    this.#readAt = performance.now();
    const reading = readPaused(this.#db);
    reading.catch(() => this.forget());
    this.#reading = reading;
    return reading;
  }
}

async function readPaused(db: Database): Promise<Paused> {
  const [channels, payouts] = await Promise.all([pausedChannels(db), payoutPause(db)]);
  return { channels: new Set(channels.map(({ channel }) => channel)), payouts: payouts !== undefined };
}
