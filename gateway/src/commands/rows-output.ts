/** Writes rows as CSV or JSON lines, to the terminal or to a file that appears only when complete. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { type CommandTerminal, UserError } from '../../../contract/src/cli.ts';
import type { Database, Store } from '../database/store.ts';
import type { Exported } from '../management/exports.ts';

export const FORMATS = ['csv', 'jsonl'] as const;
export type Format = (typeof FORMATS)[number];

export interface OutputOptions {
  readonly format: Format;
  /** A file. Defaults to the terminal. */
  readonly output?: string | undefined;
  /** Replace the file if it exists. */
  readonly force: boolean;
}

type Write = (text: string) => Promise<void>;

/** Characters per write. */
const CHUNK = 64 * 1024;

/** Prints from one database snapshot while gateways write, so that no row repeats. */
export function printSnapshot<T>(store: Store, print: (db: Database) => Promise<T>): Promise<T> {
  let runs = 0;
  return store.snapshot((db) => {
    // PostgreSQL repeats a snapshot after a conflict, as on a standby, but printed rows can't be taken back.
    if (++runs > 1) throw new UserError('The database server ended the read before its end. Run the command again.');
    return print(db);
  });
}

/** Writes rows, page by page, in columns of this order. The file appears once the work has ended. */
export async function printRows<T>(
  terminal: CommandTerminal,
  columns: readonly string[],
  { format, output, force }: OutputOptions,
  work: (add: (rows: readonly Exported[]) => Promise<void>) => Promise<T>,
): Promise<T> {
  const line =
    format === 'csv'
      ? (row: Exported) => csvLine(columns.map((name) => row[name]))
      : (row: Exported) => `${JSON.stringify(row, [...columns])}\n`;
  return intoOutput(terminal, { output, force }, async (write) => {
    let text = format === 'csv' ? csvLine(columns) : '';
    const result = await work(async (rows) => {
      for (const row of rows) text += line(row);
      if (text.length < CHUNK) return;
      await write(text);
      text = '';
    });
    await write(text);
    return result;
  });
}

/** RFC 4180. */
export function csvLine(values: readonly (string | number | undefined)[]): string {
  return `${values.map(csvValue).join(',')}\r\n`;
}

/** Texts that a spreadsheet takes for a formula, and would compute. An integer, such as a negative sum, is none. */
const FORMULA = /^(?!-\d+$)[=+\-@\t\r]/;

/** Prefixes text that looks like a formula with an apostrophe, so that spreadsheets don't run it. */
function csvValue(value: string | number | undefined): string {
  if (typeof value !== 'string') return value === undefined ? '' : String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

async function intoOutput<T>(
  terminal: CommandTerminal,
  { output, force }: Pick<OutputOptions, 'output' | 'force'>,
  work: (write: Write) => Promise<T>,
): Promise<T> {
  if (output !== undefined) return intoFile(output, force, work);
  return work(async (text) => {
    terminal.outRows(text);
    await terminal.outDrained?.();
  });
}

/** Writes to a temporary file and renames it at the end, so that a partial file is never mistaken for the whole. */
async function intoFile<T>(output: string, force: boolean, work: (write: Write) => Promise<T>): Promise<T> {
  const temporary = `${output}.${randomUUID()}.part`;
  const requireFree = () => {
    if (!force && existsSync(output))
      throw new UserError(`${output} already exists. Name a file that doesn't, or replace it with --force.`);
  };
  requireFree();
  // Order ids and customers are confidential.
  const file = await open(temporary, 'wx', 0o600).catch((error: unknown) => refuse(output, error));
  try {
    const result = await work((text) => writeText(file, output, text));
    await file.sync();
    await file.close();
    requireFree();
    await rename(temporary, output);
    return result;
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(temporary, { force: true });
    throw error;
  }
}

async function writeText(file: FileHandle, output: string, text: string): Promise<void> {
  await file.writeFile(text).catch((error: unknown) => refuse(output, error));
}

function refuse(output: string, error: unknown): never {
  throw new UserError(`Can't write ${output}: ${(error as Error).message}`);
}
