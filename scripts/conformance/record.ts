/** The conformance kit's own record: what it convicted and what it missed, version by version. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../tools/process.ts';

/** The results of one kind of defect. */
export interface Row {
  readonly kind: string;
  readonly convicted: number;
  /** Defects that took effect, are not equivalent, and differ from a slow service. */
  readonly defects: number;
  /** Defects of these that end with exit code 3. */
  readonly notShown: number;
  /** Defects that look like a slow service, and end with exit code 3. */
  readonly slow: number;
  readonly notExercised: number;
  readonly equivalent: number;
  readonly medianSeconds: number;
  readonly maxSeconds: number;
}

/** The results of one set of defects. */
export interface SetResult {
  readonly set: 'planted' | 'generated';
  /** Number of defects in the whole set, of which the run can take a sample. */
  readonly population: number;
  readonly rows: readonly Row[];
  /** The figures before the run's survivors led to corrections; undefined if nothing has changed since. */
  readonly first?: { readonly convicted: number; readonly defects: number; readonly falseAlarms: number };
  /** Defects that the kit didn't convict. */
  readonly survivors: readonly { readonly id: string; readonly ending: string; readonly because: string }[];
  /** Numbers of equivalent defects by their reason. */
  readonly equivalents: Readonly<Record<string, number>>;
  /** Numbers of defects that look like a slow service, by their reason. */
  readonly slow: Readonly<Record<string, number>>;
  /** Sound services of the run. */
  readonly sound: number;
  /** Sound services, those behind a defect that altered nothing, and equivalent ones that were convicted. */
  readonly falseAlarms: readonly string[];
}

/** A set's results with how they came about. */
export interface Run extends SetResult {
  /** Such as `2026-03-02`. */
  readonly date: string;
  readonly machine: string;
  readonly command: string;
}

/** The record of one version of the kit, with the last run of each set. */
export interface Entry {
  readonly kit: string;
  readonly contract: string;
  readonly runs: readonly Run[];
}

export const RECORD_FILE = 'docs/conformance/record.json';

/** Convicted share of the rows; 1 if they have no defects. */
export function shareOf(rows: readonly Row[]): number {
  const [convicted, total] = [sumOf(rows, 'convicted'), sumOf(rows, 'defects')];
  return total === 0 ? 1 : convicted / total;
}

export function readRecord(): Entry[] {
  return JSON.parse(readFileSync(join(ROOT, RECORD_FILE), 'utf8')) as Entry[];
}

/** The record with this run, which replaces that of the same version and set. The newest version is first. */
export function withRun(record: readonly Entry[], kit: string, contract: string, run: Run): Entry[] {
  const isOwn = (entry: Entry) => entry.kit === kit && entry.contract === contract;
  const kept = (record.find(isOwn)?.runs ?? []).filter(({ set }) => set !== run.set);
  const runs = [...kept, run].toSorted((one, other) => other.set.localeCompare(one.set));
  return [{ kit, contract, runs }, ...record.filter((entry) => !isOwn(entry))];
}

/** The page. */
export function recordPage(record: readonly Entry[]): string {
  return `${[INTRODUCTION, ...record.map(versionSection)].join('\n\n')}\n`;
}

/** One row for each version and set, for readers of the table of implementations. */
export function recordSummary(record: readonly Entry[]): { head: string[]; rows: string[][] } {
  return {
    head: ['Kit', 'Defects', 'Convicted by exit code', 'Sound services', 'False alarms'],
    rows: record.flatMap(({ kit, runs }) =>
      runs.map(({ set, rows, sound, falseAlarms }) => [
        ...[kit, set, `${sumOf(rows, 'convicted')} of ${sumOf(rows, 'defects')}`],
        ...[set === 'planted' ? `${sound}` : '', `${falseAlarms.length}`],
      ]),
    ),
  };
}

const INTRODUCTION = `<!-- Made by npm run build from record.json. -->

# The kit's own record

Each defect is judged as a user would: the whole kit runs on the defective service with its default settings, and the exit code decides. The run stops at the first failure (\`--bail\`). A run that ended because something did not come in time is repeated, up to twice, with three times the timeout, since the machine can be busy. The seconds are those of the first run.

- **Planted** defects were written by hand, by the authors of the checks.
- **Generated** defects were not selected by anyone: each field of each response and webhook in each status with each fault, and each rule of the reference model with each fault. They are derived from the contract.
- **Sound** services differ from our gateway in ways that the contract allows. A conviction of one is a false alarm.

A defect that alters nothing during a run is *not exercised*. One after which the service is still sound is *equivalent*; the reasons are below. *Not shown* is exit code 3: the service doesn't pass, but isn't convicted either. None of these counts as convicted.`;

function versionSection({ kit, contract, runs }: Entry): string {
  return [`## ${kit}, with contract ${contract}`, ...runs.map(runSection)].join('\n\n');
}

function runSection(run: Run): string {
  const { set, rows, population, sound, falseAlarms, survivors, equivalents, slow, first } = run;
  const { command, date, machine } = run;
  const tried = rows.reduce((sum, row) => sum + row.defects + row.slow + row.notExercised + row.equivalent, 0);
  const [convicted, defects] = [sumOf(rows, 'convicted'), sumOf(rows, 'defects')];
  const sample = tried < population ? ` The run took a sample of ${tried} out of ${population}.` : '';
  const before = first
    ? ` Before the corrections that its results led to: ${first.convicted} of ${first.defects}, with ${first.falseAlarms} false alarms. Since then, only what was wrong or has been added ran again.`
    : '';
  const own = set === 'generated' ? ['notExercised', 'equivalent'] : [];
  const columns = ['kind', 'convicted', 'notShown', 'slow', ...own, 'seconds'];
  const parts: [title: string, items: string[]][] = [
    ['Not convicted', survivors.map(({ id, ending, because }) => `\`${id}\` (${ending}): ${because}`)],
    ['Equivalent', Object.entries(equivalents).map(([reason, count]) => `${count}: ${reason}`)],
    ['Like a slow service', Object.entries(slow).map(([reason, count]) => `${count}: ${reason}`)],
    ['False alarms', falseAlarms.map((alarm) => `\`${alarm}\``)],
  ];
  return [
    `### ${capital(set)} defects`,
    `**${convicted} of ${defects} convicted, ${(shareOf(rows) * 100).toFixed(1)} %.**${sample}${
      sound > 0 ? ` Sound services: ${sound}.` : ''
    } False alarms: ${falseAlarms.length}.${before}`,
    table(rows, columns),
    ...parts.filter(([, items]) => items.length > 0).map(([title, items]) => `${title}:\n\n${list(items)}`),
    `\`${command}\`, ${date}, ${machine}.`,
  ].join('\n\n');
}

const COLUMNS: Readonly<Record<string, readonly [head: string, cell: (row: Row) => string | number]>> = {
  kind: ['Kind', ({ kind }) => kind],
  convicted: ['Convicted', ({ convicted, defects }) => `${convicted} of ${defects}`],
  notShown: ['Not shown', ({ notShown }) => notShown],
  slow: ['Like a slow service', ({ slow }) => slow],
  notExercised: ['Not exercised', ({ notExercised }) => notExercised],
  equivalent: ['Equivalent', ({ equivalent }) => equivalent],
  seconds: ['Seconds, median and most', ({ medianSeconds, maxSeconds }) => `${medianSeconds}, ${maxSeconds}`],
};

function table(rows: readonly Row[], names: readonly string[]): string {
  const columns = names.map((name) => COLUMNS[name] as (typeof COLUMNS)[string]);
  return markdownRows(
    columns.map(([head]) => head),
    rows.map((row) => columns.map(([, cell]) => cell(row))),
  );
}

/** A table in Markdown. */
export function markdownRows(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

function list(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function sumOf(rows: readonly Row[], name: 'convicted' | 'defects'): number {
  return rows.reduce((sum, row) => sum + row[name], 0);
}
