/** A table of implementations × levels, from signed reports, as data, as Markdown, and as a page that asks no host for anything. */
import { table } from '../../../contract/src/markdown.ts';
import { LEVELS, type Level } from '../core/settings.ts';
import type { LevelOutcome } from '../run/assess.ts';
import { badge } from './badge.ts';
import { escapeXml as html, htmlPage, verdictBadge } from './html-page.ts';
import type { Report } from './report.ts';
import type { OpenedReport } from './signed-report.ts';
import { outcomePhrase } from './words.ts';

export const TABLE_FORMAT = 1;

export interface SignedReport extends Pick<OpenedReport, 'report' | 'keyId'> {
  readonly file: string;
}

export interface RefusedReport {
  readonly file: string;
  readonly reason: string;
}

export interface Implementation
  extends Pick<
    Report,
    'outcome' | 'knownFailures' | 'contract' | 'contractDigest' | 'profile' | 'selection' | 'kit' | 'seed' | 'startedAt'
  > {
  readonly name: string;
  readonly levels: Readonly<Record<Level, LevelOutcome | 'not claimed'>>;
  /** Conforming checks out of all that ran. */
  readonly conforming: number;
  readonly checks: number;
  readonly notReached: number;
  /** Whether the document is the one of this kit. */
  readonly current: boolean;
  readonly keyId: string;
  readonly file: string;
}

/** The table as data; `--json` writes it unchanged. Within a format version, members are only added. */
export interface Table {
  readonly format: typeof TABLE_FORMAT;
  readonly contractDigest: string;
  readonly implementations: readonly Implementation[];
  readonly refused: readonly RefusedReport[];
}

/** The newest report of each name, sorted by name. */
export function newestByName(signed: readonly SignedReport[]): SignedReport[] {
  const byAge = signed.toSorted((one, other) => Date.parse(one.report.startedAt) - Date.parse(other.report.startedAt));
  const newest = new Map(byAge.map((one) => [readName(one.report), one]));
  return [...newest.values()].toSorted((one, other) => (readName(one.report) < readName(other.report) ? -1 : 1));
}

export function buildTable(
  signed: readonly SignedReport[],
  refused: readonly RefusedReport[],
  contractDigest: string,
): Table {
  const implementations = newestByName(signed).map(({ report, keyId, file }) => ({
    name: readName(report),
    outcome: report.outcome,
    knownFailures: report.knownFailures,
    levels: listLevels(report),
    conforming: report.counts.conforming,
    checks: report.checks.length,
    notReached: report.counts['not reached'],
    contract: report.contract,
    contractDigest: report.contractDigest,
    current: report.contractDigest === contractDigest,
    ...{ profile: report.profile, selection: report.selection, kit: report.kit, seed: report.seed },
    ...{ startedAt: report.startedAt, keyId, file },
  }));
  return { format: TABLE_FORMAT, contractDigest, implementations, refused };
}

function readName({ name, service }: Report): string {
  return name ?? service;
}

function listLevels(report: Report): Implementation['levels'] {
  const outcomes = LEVELS.map((level) => [level, report.levels.find((one) => one.level === level)?.outcome] as const);
  return Object.fromEntries(
    outcomes.map(([level, outcome]) => [level, outcome ?? 'not claimed']),
  ) as Implementation['levels'];
}

export const TABLE_COLUMNS = [
  'Implementation',
  'Outcome',
  ...LEVELS,
  'Checks that conform',
  'Contract',
  'Report',
] as const;
export const TABLE_TITLE = 'Implementations of the contract';
export const TABLE_NOTE =
  'Each row is the newest signed report of that implementation. A signature proves the signer and that the report is unchanged, but not that the run was honest. To verify a row, run the kit against the service yourself.';

export function checksCell({ conforming, checks, notReached }: Implementation): string {
  return `${conforming} of ${checks}${notReached > 0 ? `, ${notReached} not reached` : ''}`;
}

export function contractCell({ contract, current, profile, selection }: Implementation): string {
  const limits = [
    ...(current ? [] : ['another document than this kit’s']),
    ...(profile === 'document' ? [] : [`profile ${profile}`]),
    ...(Object.keys(selection).length > 0 ? ['not all checks'] : []),
  ];
  return [contract, ...limits].join(', ');
}

const KEY_ID_LENGTH = 12;

export function provenanceCell({ startedAt, kit, keyId }: Implementation): string {
  return `${startedAt.slice(0, 10)}, kit ${kit}, key ${shortKeyId(keyId)}`;
}

/** Enough of a key's id to tell the keys of one table apart; the data has all of it. */
function shortKeyId(keyId: string): string {
  return keyId.replace(/^sha256:/, '').slice(0, KEY_ID_LENGTH);
}

/** `badges` is the folder of the badges as a link reaches it; undefined for a table without badges. */
export function markdownTable({ implementations, refused }: Table, badges: string | undefined): string {
  const names = badgeNames(implementations);
  const rows = implementations.map((one, index) => [
    badges === undefined
      ? markdown(one.name)
      : `${markdown(one.name)}<br>![conformance of ${markdown(one.name)}](${badges}/${names[index]})`,
    outcomePhrase(one),
    ...LEVELS.map((level) => one.levels[level]),
    checksCell(one),
    markdown(contractCell(one)),
    markdown(provenanceCell(one)),
  ]);
  const parts = [
    `# ${TABLE_TITLE}`,
    TABLE_NOTE,
    table([...TABLE_COLUMNS], rows),
    ...(refused.length === 0 ? [] : [refused.map((one) => `- ${markdown(refusal(one))}`).join('\n')]),
  ];
  return `${parts.join('\n\n')}\n`;
}

export function refusal({ file, reason }: RefusedReport): string {
  return `${file} is left out: ${reason}.`;
}

/** Text that must not become markup or a new line: names are the signer's. The table escapes the end of a cell. */
function markdown(text: string): string {
  return text.replaceAll(/[\r\n]+/g, ' ').replaceAll(/[\\`*_[\]<>&]/g, (character) => `\\${character}`);
}

export function listBadges(signed: readonly SignedReport[]): readonly (readonly [file: string, svg: string])[] {
  const newest = newestByName(signed);
  const names = badgeNames(newest.map(({ report }) => ({ name: readName(report) })));
  return newest.map(({ report }, index) => [names[index] ?? '', badge(report)]);
}

/** File names from names, each only once. */
function badgeNames(implementations: readonly Pick<Implementation, 'name'>[]): string[] {
  const taken = new Set<string>();
  return implementations.map(({ name }) => {
    const slug =
      name
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, '-')
        .replaceAll(/^-|-$/g, '') || 'service';
    let unique = slug;
    for (let number = 2; taken.has(unique); number += 1) unique = `${slug}-${number}`;
    taken.add(unique);
    return `${unique}.svg`;
  });
}

export function htmlTable({ implementations, refused }: Table): string {
  const head = TABLE_COLUMNS.map((column) => `<th scope="col">${html(column)}</th>`).join('');
  return htmlPage(
    TABLE_TITLE,
    `<header>
<h1>${html(TABLE_TITLE)}</h1>
<p class="quiet">${html(TABLE_NOTE)}</p>
</header>
<main>
<div class="wide" tabindex="0" role="region" aria-label="${html(TABLE_TITLE)}"><table class="lined"><thead><tr>${head}</tr></thead>
<tbody>
${implementations.map(row).join('\n')}
</tbody></table></div>
${refused.map((one) => `<p>${html(refusal(one))}</p>`).join('\n')}
</main>`,
  );
}

function row(one: Implementation): string {
  const cells = [
    html(outcomePhrase(one)),
    ...LEVELS.map((level) => verdictBadge(one.levels[level])),
    html(checksCell(one)),
    html(contractCell(one)),
    `<span title="${html(one.keyId)}">${html(provenanceCell(one))}</span>`,
  ];
  return `<tr><th scope="row">${html(one.name)}</th>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
}
