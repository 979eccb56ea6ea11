/** The command `archive`: moves old transactions to another database. */
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Terminal, UserError } from '../../../contract/src/cli.ts';
import type { GatewayConfig } from '../config/settings.ts';
import { CannotArchive } from '../store/archive/archive-source.ts';
import { type ArchiveRun, archiveTransactions, previewArchive, UnusableArchive } from '../store/archive/archives.ts';
import type { Store } from '../store/engine/store.ts';
import { configOf, describeStore, withNewStore } from './open-store.ts';

export interface ArchiveCommandOptions {
  readonly config: GatewayConfig;
  /** Months. */
  readonly olderThan?: number;
  /** A file or URL. */
  readonly to?: string;
  readonly dryRun?: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}

const NEEDS_POSTGRES =
  "Can't archive with DATABASE_PROFILE=portable: it needs a lock of a table, which that profile doesn't use. On PostgreSQL itself, stop the gateways, then unset DATABASE_PROFILE for them and for this command.";

/** Between two lines about the progress. */
const PROGRESS_MS = 10_000;

/** Prints what it has archived, or would. The exit code is 1 if transactions stay because their entries are wrong. */
export async function archiveCommand(
  store: Store,
  { config, olderThan, to, dryRun = false, now }: ArchiveCommandOptions,
  { out, err }: Terminal,
): Promise<number> {
  if (olderThan === undefined)
    throw new UserError('Say how old: --older-than 24 archives what is older than 24 months.', 2);
  if (to === undefined && !dryRun) throw new UserError('Name the archive: --to archive.db, or --to postgres://…', 2);
  const before = monthsBefore(now, olderThan);
  if (dryRun) return summarize(await previewArchive(store, before), 'would archive', before, out);
  const archive = configOf(config, to ?? '');
  const name = describeStore(archive);
  if (isSame(archive, config)) throw new UserError(`Can't archive to ${name}: it is the database itself.`, 2);
  try {
    return await withNewStore(archive, async (target) => {
      const options = { before, now, name, onBatch: progress(err) };
      return summarize(await archiveTransactions(store, target, options), 'archived', before, out);
    });
  } catch (error) {
    if (error instanceof CannotArchive) throw new UserError(NEEDS_POSTGRES);
    throw error instanceof UnusableArchive ? new UserError(`Can't archive to ${name}: ${error.message}.`) : error;
  }
}

function isSame(one: GatewayConfig, other: GatewayConfig): boolean {
  if (one.databaseUrl || other.databaseUrl) return one.databaseUrl === other.databaseUrl;
  return resolve(one.databaseFile) === resolve(other.databaseFile);
}

/** Reports the progress from time to time, and rests as long as each batch took, so that gateways get their turn. */
function progress(print: (text: string) => void): (run: ArchiveRun) => Promise<void> {
  let [reported, began] = [Date.now(), Date.now()];
  return async ({ archived }) => {
    await pause(Date.now() - began);
    began = Date.now();
    if (began - reported < PROGRESS_MS) return;
    reported = began;
    print(`archived ${archived} transactions so far\n`);
  };
}

function summarize(
  { archived, entries, events, open, openListed, wrong }: ArchiveRun,
  verb: string,
  before: number,
  print: (text: string) => void,
): number {
  const lines = [
    ...wrong,
    `${verb} ${archived} transactions created before ${new Date(before).toISOString().slice(0, 10)}, with ${entries} entries and ${events} webhooks`,
    ...(open > 0 ? [`${open} older transactions stay: something is left to do for them`] : []),
    ...openListed.map((line) => `  ${line}`),
    ...(open > openListed.length ? [`  and ${open - openListed.length} more`] : []),
    ...(wrong.length > 0 ? ['Transactions with differences stay. Run: payments-gateway audit'] : []),
  ];
  print(`${lines.join('\n')}\n`);
  return wrong.length === 0 ? 0 : 1;
}

/** The same time on the same day of an earlier month, in UTC, or on its last day. */
export function monthsBefore(time: number, months: number): number {
  const date = new Date(time);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() - months];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(date.getUTCDate(), lastDay)) + (time % (24 * 60 * 60_000));
}
