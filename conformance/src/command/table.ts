/** `payments-conformance table`: a table of implementations × levels from the reports in a folder. */
import { readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type CommandLine, type Terminal, UserError } from '../../../contract/src/cli.ts';
import { printable } from '../../../contract/src/printable.ts';
import type { Report } from '../report/report.ts';
import { type Comparison, htmlTable, listBadges, markdownTable, newestByName } from '../report/table.ts';
import { readReport, writeText } from './text-files.ts';

const HELP = `
Reads every *.json and *.json.gz of the folder. Of several reports with one name, the newest counts.
Without --html and --markdown, it prints the table as Markdown.

Exit codes:
  0  every file is a report, whatever it shows
  1  a file is left out, because it isn't a report
  2  the command was used incorrectly`;

interface TableFlags {
  readonly html?: string;
  readonly markdown?: string;
  readonly badges?: string;
}

export function addTableCommand(program: CommandLine): void {
  const command = program
    .subcommand('table <folder>', 'Create a table of implementations and levels from the reports in a folder.')
    .option('--markdown <file>', 'Write the table as Markdown.')
    .option('--html <file>', 'Write the table as one HTML page.')
    .option('--badges <folder>', "Write each implementation's badge as SVG.")
    .addHelpText('after', HELP) as CommandLine;
  command.handle(async (flags: TableFlags, folder = '') => tableCommand(folder, flags, command.terminal));
}

async function tableCommand(folder: string, { html, markdown, badges }: TableFlags, terminal: Terminal) {
  // Loaded on demand, since it loads the validator.
  const { contractDigest } = await import('../document/contract.ts');
  const comparison = readReports(folder, contractDigest());
  const toRelativeLink = (file: string) => badges && (relative(dirname(file), badges).replaceAll('\\', '/') || '.');
  if (badges !== undefined) {
    for (const [name, svg] of listBadges(comparison.reports)) writeText(join(badges, name), svg);
  }
  if (html !== undefined) writeText(html, htmlTable(comparison));
  if (markdown !== undefined) writeText(markdown, markdownTable(comparison, toRelativeLink(markdown)));
  if (html === undefined && markdown === undefined) {
    terminal.out(printable(markdownTable(comparison, toRelativeLink('table.md')), { lines: true }));
  }
  for (const one of comparison.refusals) terminal.err(`${printable(one)}\n`);
  return comparison.refusals.length === 0 ? 0 : 1;
}

/** The newest report of each name in a folder. Throws a UserError if the folder can't be read or has no report. */
export function readReports(folder: string, contractDigest: string): Comparison {
  const reports: Report[] = [];
  const refusals: string[] = [];
  for (const file of listFiles(folder)) {
    try {
      reports.push(readReport(join(folder, file)));
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      refusals.push(`${file} is left out: ${error.message}`);
    }
  }
  return { reports: newestByName(reports), refusals, contractDigest };
}

function listFiles(folder: string): string[] {
  let names: string[];
  try {
    names = readdirSync(folder).filter((name) => /\.json(\.gz)?$/.test(name));
  } catch (error) {
    throw new UserError(`Can't read ${folder}: ${(error as Error).message}`, 2);
  }
  if (names.length > 0) return names.sort();
  throw new UserError(`${folder} has no report. --json FILE.json writes one.`, 2);
}
