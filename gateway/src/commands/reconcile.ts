/** The command `reconcile`, which compares the ledger with a channel's statements. */
import { readFile, stat } from 'node:fs/promises';
import { parseTime, UserError } from '../../../contract/src/cli.ts';
import type { Channel, StatementEntry } from '../channels/channel.ts';
import { withCheckedResults } from '../channels/results.ts';
import { DATABASE_SETTINGS, type GatewayConfig } from '../config/settings.ts';
import { keysetPages } from '../database/sql.ts';
import type { Database, Store } from '../database/store.ts';
import { Totals } from '../management/exports.ts';
import { viewDifference } from '../management/views.ts';
import { sha256Hex } from '../platform/crypto.ts';
import { randomIds } from '../platform/ids.ts';
import {
  type Compared,
  compareTransactions,
  completeStatement,
  type Difference,
  insertLines,
  insertStatement,
  listDifferences,
  movedTransactions,
  overlappingStatement,
  type Statement,
  type StatementFile,
  statementByHash,
} from '../transactions/statements.ts';
import { timestamp } from '../transactions/view.ts';
import type { Author } from './command-services.ts';
import type { DatabaseGroup } from './database-commands.ts';
import { readMethodsAndChannels } from './methods-and-channels.ts';
import { describeDifference } from './views.ts';

const STATEMENT_BYTES_MAX = 256 * 1024 * 1024;
const LINES_MAX = 1_000_000;
/** Rows that a unit of work writes, or transactions that it compares, so that a gateway's units don't wait for long. */
const BATCH = 256;

export const RECONCILE_COMMANDS: DatabaseGroup = {
  name: 'reconcile',
  commands: [
    {
      usage: 'import <channel> [statement]',
      isDefault: true,
      description:
        'Import a statement file of the channel, and list its open differences. Without a file, compare those again.',
      settings: [...DATABASE_SETTINGS, 'config'],
      options: [
        {
          form: '--from <time>',
          description: 'Start of the statement, such as 2026-03-02. Earlier ledger entries may be missing from it.',
          parse: parseTime,
        },
        {
          form: '--to <time>',
          description: 'End of the statement, by default now. Later ledger entries may be missing from it.',
          parse: parseTime,
        },
      ],
      action: 'importStatement',
      run: ({ terminal, options, ...context }, channel = '', file) =>
        reconcileCommand({ ...context, print: terminal.out }, channel, file, options),
    },
  ],
};

interface Period {
  /** Milliseconds since 1970. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

interface Reconciled {
  readonly store: Store;
  readonly config: GatewayConfig;
  readonly author: Author;
  readonly print: (text: string) => void;
}

/**
 * Imports a statement, compares the ledger with it, and prints the channel's open differences. Without a file, it
 * compares those again. The exit code is 1 if there is one.
 */
async function reconcileCommand(
  reconciled: Reconciled,
  channel: string,
  file: string | undefined,
  period: Period,
): Promise<number> {
  const { store, config, author, print } = reconciled;
  const readLines = await findReader(config, channel);
  const written = { now: author.clock.now(), ids: randomIds };
  const done = new Set<string>();
  const compare = async (transactionIds: readonly string[]): Promise<Compared[]> => {
    const ids = [...new Set(transactionIds)].filter((id) => !done.has(id));
    for (const id of ids) done.add(id);
    return store.unit((db) => compareTransactions(db, channel, ids, written));
  };
  if (file !== undefined) {
    const statement = await readStatement(file, readLines);
    await compareStatement(reconciled, { channel, ...statement, period }, compare);
  }
  for await (const page of openDifferences(store, channel)) {
    await compare(page.map(({ transactionId }) => transactionId));
  }
  let found = 0;
  let unknown = 0;
  for await (const page of openDifferences(store, channel)) {
    found += page.length;
    unknown += page.filter(({ merchantId }) => merchantId === undefined).length;
    print(`${page.map((difference) => describeDifference(viewDifference(difference))).join('\n')}\n`);
  }
  print(`${found} open differences of the channel ${channel}\n`);
  if (unknown > 0) print(`${unknown} are unknown here. After a restore, import them: payments-gateway import --help\n`);
  return found === 0 ? 0 : 1;
}

type Compare = (transactionIds: readonly string[]) => Promise<Compared[]>;

/** Compares the transactions in a statement and in the ledger's same period. Prints the sums of both. */
async function compareStatement(
  reconciled: Reconciled,
  { channel, entries, hash, period }: ReadStatement & { readonly channel: string; readonly period: Period },
  compare: Compare,
): Promise<void> {
  const { store, print } = reconciled;
  const statement = await importStatement(reconciled, { channel, hash }, entries, period);
  const totals = new Totals();
  const ids = [...new Set(entries.map(({ transactionId }) => transactionId))];
  for (let start = 0; start < ids.length; start += BATCH) {
    for (const one of await compare(ids.slice(start, start + BATCH))) addTotals(totals, one);
  }
  for await (const page of movedTransactions(store.read, statement, BATCH)) {
    for (const one of await compare(page)) addTotals(totals, one);
  }
  print([...totals.lines(), ''].join('\n'));
}

function addTotals(totals: Totals, { transaction, booked, stated }: Compared): void {
  const name = transaction?.method ?? 'unknown';
  if (booked) totals.add([{ ...booked, list: 'in the ledger', name, rows: 1 }]);
  totals.add(
    stated.map(({ currency, sum, lines }) => ({ currency, list: 'in the statements', name, amount: sum, rows: lines })),
  );
}

/** Stores a statement with its lines. A file that was imported before is refused for another period. */
async function importStatement(
  { store, author: { operator, record, clock }, print }: Reconciled,
  { channel, hash: fileHash }: Pick<StatementFile, 'channel' | 'hash'>,
  entries: readonly StatementEntry[],
  period: Period,
): Promise<StatementFile> {
  // Files of days without lines are equal.
  const hash = entries.length > 0 ? fileHash : sha256Hex(`${fileHash} ${period.from}`);
  const known = await statementByHash(store.read, channel, hash);
  if (known) requireSamePeriod(known, period);
  const { from, before } = known ?? requirePeriod(period, clock.now());
  const file = { channel, hash, from, before };
  const unreferenced = entries.findIndex(({ reference }) => reference === undefined);
  const addStatement = async (db: Database) => {
    const newId = await insertStatement(db, file, operator.id, { now: clock.now(), ids: randomIds });
    if (newId === undefined) {
      throw new UserError('Another process imports this statement. Run the command again when it has ended.');
    }
    // Locks the audit log, so that concurrent imports find each other's statement.
    await record(db, { subject: newId });
    const other = await overlappingStatement(db, file, unreferenced < 0);
    if (other) throw new UserError(explainOverlap(other), 2);
    // Later imports refuse to overlap with such a line, even before all lines are stored.
    if (unreferenced >= 0) {
      await insertLines(db, { id: newId, channel }, entries.slice(unreferenced, unreferenced + 1), unreferenced + 1);
    }
    return newId;
  };
  const id = known?.id ?? (await store.unit(addStatement));
  if (known?.lines === undefined) {
    for (let start = 0; start < entries.length; start += BATCH) {
      const part = entries.slice(start, start + BATCH);
      await store.unit((db) => insertLines(db, { id, channel }, part, start + 1));
    }
    await store.unit((db) => completeStatement(db, id, entries.length));
  }
  const origin = known && `, imported ${timestamp(known.importedAt)} by ${known.importedBy}`;
  const range = `from ${timestamp(from)} to ${timestamp(before)}`;
  print(`statement ${id} ${range}: ${entries.length} lines${origin ?? ''}\n`);
  return file;
}

function requirePeriod({ from, to }: Period, now: number): Pick<StatementFile, 'from' | 'before'> {
  if (from === undefined) {
    throw new UserError('Say which time the statement covers: --from 2026-03-02 --to 2026-03-03', 2);
  }
  const before = to ?? now;
  if (before > from) return { from, before };
  throw new UserError('--to must be after --from, and is the time after the end of the statement.', 2);
}

function requireSamePeriod({ id, from, before }: Statement, period: Period): void {
  if ((period.from ?? from) === from && (period.to ?? before) === before) return;
  const [start, end] = [timestamp(from), timestamp(before)];
  throw new UserError(
    `This file was imported as the statement ${id} of ${start} to ${end}. Import the file of the other period. To compare this one again, use --from ${start} --to ${end}.`,
    2,
  );
}

function explainOverlap({ id, from, before }: Statement): string {
  return `The statement ${id} covers ${timestamp(from)} to ${timestamp(before)}, which overlaps. Lines of both would be counted twice.
Import a statement that begins or ends where ${id} ends or begins, or let the channel return a \`reference\` for each line.`;
}

/** Entries of a page. */
const PAGE = 200;

function openDifferences(store: Store, channel: string) {
  return keysetPages(PAGE, (last: Difference | undefined) =>
    listDifferences(store.read, { state: 'open', channel }, { after: last?.id, limit: PAGE }),
  );
}

type StatementReader = NonNullable<Channel['statement']>;

/** Finds the reader of a channel's statements. Throws a UserError without one. */
async function findReader(config: GatewayConfig, name: string): Promise<StatementReader> {
  const { channels } = await readMethodsAndChannels(config);
  const channel = channels.map(withCheckedResults).find((one) => one.name === name);
  if (channel?.statement) return channel.statement;
  const known = channels.filter(({ statement }) => statement).map((one) => one.name);
  const next = known.length > 0 ? `Use one of ${known.join(', ')}.` : 'Give the file that defines it: --config FILE.';
  throw new UserError(`No channel ${name} reads statements. ${next}`, 2);
}

interface ReadStatement {
  readonly entries: readonly StatementEntry[];
  readonly hash: string;
}

async function readStatement(file: string, readLines: StatementReader): Promise<ReadStatement> {
  const bytes = await readLimited(file).catch((error: unknown) => {
    throw error instanceof UserError ? error : new UserError(`Can't read ${file}: ${(error as Error).message}`);
  });
  try {
    const entries = readLines(bytes);
    if (entries.length <= LINES_MAX) return { entries, hash: sha256Hex(bytes) };
  } catch (error) {
    throw new UserError(`${file}: ${(error as Error).message}`);
  }
  throw new UserError(`${file} has more than ${LINES_MAX} lines. Split it, such as by hour.`);
}

async function readLimited(file: string): Promise<Buffer> {
  const { size } = await stat(file);
  if (size <= STATEMENT_BYTES_MAX) return readFile(file);
  throw new UserError(`${file} has ${size} bytes, more than ${STATEMENT_BYTES_MAX}. Split it, such as by hour.`);
}
