/** `payments-conformance table`: a table of implementations × levels from the signed reports in a folder. */
import type { KeyObject } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type Terminal, UserError } from '../../../contract/src/cli.ts';
import { printable } from '../../../contract/src/printable.ts';
import { contractDigest } from '../document/contract.ts';
import { InvalidSignature, openReport } from '../report/signed-report.ts';
import {
  buildTable,
  htmlTable,
  listBadges,
  markdownTable,
  type RefusedReport,
  refusal,
  type SignedReport,
} from '../report/table.ts';
import { publicKeys } from './signing.ts';
import { readText, writeJson, writeText } from './text-files.ts';

const SIGNED = /\.dsse\.json(\.gz)?$/;

export interface TableFlags {
  readonly key?: readonly string[];
  readonly json?: string;
  readonly html?: string;
  readonly markdown?: string;
  readonly badges?: string;
}

/** Writes the requested formats, or prints Markdown. Returns the exit code. */
export function tableCommand(folder: string, flags: TableFlags, terminal: Terminal): number {
  const { signed, refused } = readFolder(folder, publicKeys(flags.key ?? []));
  const table = buildTable(signed, refused, contractDigest());
  const { json, html, markdown, badges } = flags;
  if (badges !== undefined) for (const [name, svg] of listBadges(signed)) writeText(join(badges, name), svg);
  const toRelativeLink = (file: string) => badges && (relative(dirname(file), badges).replaceAll('\\', '/') || '.');
  if (json !== undefined) writeJson(json, table);
  if (html !== undefined) writeText(html, htmlTable(table));
  if (markdown !== undefined) writeText(markdown, markdownTable(table, toRelativeLink(markdown)));
  if ([json, html, markdown].every((file) => file === undefined)) {
    terminal.out(printable(markdownTable(table, toRelativeLink('table.md')), { lines: true }));
  }
  for (const one of refused) terminal.err(`${printable(refusal(one))}\n`);
  return refused.length === 0 ? 0 : 1;
}

/** The reports of a folder, and the ones without a signature of the keys. Throws a UserError without any report. */
export function readFolder(
  folder: string,
  keys: readonly KeyObject[],
): { signed: SignedReport[]; refused: RefusedReport[] } {
  const signed: SignedReport[] = [];
  const refused: RefusedReport[] = [];
  for (const file of signedFiles(folder)) {
    try {
      const { report, keyId } = openReport(readText(join(folder, file)), keys);
      signed.push({ report, keyId, file });
    } catch (error) {
      if (!(error instanceof InvalidSignature || error instanceof UserError)) throw error;
      refused.push({ file, reason: error.message });
    }
  }
  return { signed, refused };
}

/** Throws a UserError if the folder can't be read or has no signed report. */
function signedFiles(folder: string): string[] {
  let names: string[];
  try {
    names = readdirSync(folder).filter((name) => SIGNED.test(name));
  } catch (error) {
    throw new UserError(`Can't read ${folder}: ${(error as Error).message}`, 2);
  }
  if (names.length > 0) return names.sort();
  throw new UserError(`${folder} has no signed report. --json FILE.json with --sign writes FILE.dsse.json.`, 2);
}
