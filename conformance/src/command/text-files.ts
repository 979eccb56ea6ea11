/** Files that the commands read and write. */
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { UserError } from '../../../contract/src/cli.ts';
import { FORMAT, isReport, type Report } from '../report/report.ts';
import { parseJson } from '../service/exchange.ts';

/** Before and after decompression. Recorded traffic is the largest file that a command reads. */
const BYTES_MAX = 200_000_000;

/** Reads a text file, and decompresses one whose name ends in .gz. Throws a UserError if it can't be read. */
export function readText(file: string): string {
  try {
    if (statSync(file).size > BYTES_MAX) throw new Error(`it has more than ${BYTES_MAX / 1e6} MB`);
    const bytes = readFileSync(file);
    return (file.endsWith('.gz') ? gunzipSync(bytes, { maxOutputLength: BYTES_MAX }) : bytes).toString();
  } catch (error) {
    throw new UserError(`Can't read ${file}: ${(error as Error).message}`, 2);
  }
}

/** Reads a JSON report. Throws a UserError if the file is something else. */
export function readReport(file: string): Report {
  const report = parseJson(readText(file));
  if (isReport(report)) return report;
  throw new UserError(`${file} is not a report of format ${FORMAT}. Use a file that --json wrote.`, 2);
}

/** Writes the file, and its folder if that is missing. Throws a UserError if it can't be written. */
export function writeText(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  } catch (error) {
    throw new UserError(`Can't write ${file}: ${(error as Error).message}`, 2);
  }
}

export function writeJson(file: string, value: unknown): void {
  writeText(file, `${JSON.stringify(value, null, 2)}\n`);
}
