/** A table of implementations × levels from their reports, as Markdown and as an HTML page. */
import { table } from '../../../contract/src/markdown.ts';
import { LEVELS } from '../core/settings.ts';
import { badge } from './badge.ts';
import { escapeXml as html, htmlPage, verdictBadge } from './html-page.ts';
import type { Report } from './report.ts';
import { outcomePhrase } from './words.ts';

/** The reports to compare. */
export interface Comparison {
  /** One report for each name, sorted by name. */
  readonly reports: readonly Report[];
  /** Sentences about files that are left out. */
  readonly refusals: readonly string[];
  /** Digest of the current contract. */
  readonly contractDigest: string;
}

const TITLE = 'Implementations of the contract';
const NOTE =
  "Each row is the newest report of that implementation. A report doesn't prove that the run was honest. To verify a row, run the kit against the service yourself.";
const COLUMNS = ['Implementation', 'Outcome', ...LEVELS, 'Checks that conform', 'Contract', 'Report'];

export function readName({ name, service }: Report): string {
  return name ?? service;
}

/** The newest report of each name, sorted by name. */
export function newestByName(reports: readonly Report[]): Report[] {
  const byAge = reports.toSorted((one, other) => Date.parse(one.startedAt) - Date.parse(other.startedAt));
  const newest = new Map(byAge.map((report) => [readName(report), report]));
  return [...newest.values()].toSorted((one, other) => (readName(one) < readName(other) ? -1 : 1));
}

function listOutcomes({ levels }: Report) {
  return LEVELS.map((level) => levels.find((one) => one.level === level)?.outcome ?? 'not claimed');
}

/** The cells after the levels: the share of conforming checks, the contract with limits of the run, and the run. */
function lastCells(
  { counts, checks, contract, profile, selection, startedAt, kit, ...report }: Report,
  digest: string,
) {
  const open = counts['not reached'];
  const limits = [
    ...(report.contractDigest === digest ? [] : ['another document than this kit’s']),
    ...(profile === 'document' ? [] : [`profile ${profile}`]),
    ...(Object.keys(selection).length > 0 ? ['not all checks'] : []),
  ];
  return [
    `${counts.conforming} of ${checks.length}${open > 0 ? `, ${open} not reached` : ''}`,
    [contract, ...limits].join(', '),
    `${startedAt.slice(0, 10)}, kit ${kit}`,
  ];
}

/** `badges` is the folder of the badges as a link reaches it; undefined for a table without badges. */
export function markdownTable({ reports, refusals, contractDigest }: Comparison, badges: string | undefined): string {
  const files = badgeFiles(reports);
  const rows = reports.map((report, index) => {
    const name = markdown(readName(report));
    const image = badges === undefined ? '' : `<br>![conformance of ${name}](${badges}/${files[index]})`;
    const last = lastCells(report, contractDigest).map(markdown);
    return [`${name}${image}`, outcomePhrase(report), ...listOutcomes(report), ...last];
  });
  const list = refusals.map((one) => `- ${markdown(one)}`).join('\n');
  return [`# ${TITLE}`, NOTE, table(COLUMNS, rows), ...(list ? [list] : [])].join('\n\n').concat('\n');
}

/** Text that must not become markup or a new line: names are the implementer's. The table escapes the end of a cell. */
function markdown(text: string): string {
  return text.replaceAll(/[\r\n]+/g, ' ').replaceAll(/[\\`*_[\]<>&]/g, (character) => `\\${character}`);
}

/** The badge of each implementation, by file name. */
export function listBadges(reports: readonly Report[]): readonly (readonly [file: string, svg: string])[] {
  const files = badgeFiles(reports);
  return reports.map((report, index) => [files[index] ?? '', badge(report)]);
}

/** File names from names, each only once. */
function badgeFiles(reports: readonly Report[]): string[] {
  const taken = new Set<string>();
  return reports.map((report) => {
    const words = readName(report)
      .toLowerCase()
      .match(/[a-z0-9]+/g);
    const slug = words?.join('-') ?? 'service';
    let unique = slug;
    for (let number = 2; taken.has(unique); number += 1) unique = `${slug}-${number}`;
    taken.add(unique);
    return `${unique}.svg`;
  });
}

export function htmlTable({ reports, refusals, contractDigest }: Comparison): string {
  const head = COLUMNS.map((column) => `<th scope="col">${html(column)}</th>`).join('');
  const rows = reports.map((report) => {
    const last = lastCells(report, contractDigest).map(html);
    const cells = [html(outcomePhrase(report)), ...listOutcomes(report).map(verdictBadge), ...last];
    return `<tr><th scope="row">${html(readName(report))}</th>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  });
  return htmlPage(
    TITLE,
    `<header>
<h1>${html(TITLE)}</h1>
<p class="quiet">${html(NOTE)}</p>
</header>
<main>
<div class="wide" tabindex="0" role="region" aria-label="${html(TITLE)}"><table class="lined"><thead><tr>${head}</tr></thead>
<tbody>
${rows.join('\n')}
</tbody></table></div>
${refusals.map((one) => `<p>${html(one)}</p>`).join('\n')}
</main>`,
  );
}
