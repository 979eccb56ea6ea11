/** The report for a terminal: the findings in the order to fix them, then a short table. */
import { styleText } from 'node:util';
import { printable } from '../../../contract/src/printable.ts';
import type { CauseGroup, Evidence, Report } from './report.ts';
import { describeCoverage, nextStep, outcomeSentence, TONES, type Tone } from './words.ts';

const GROUPS_SHOWN = 10;
const CHECKS_SHOWN = 3;
const MESSAGE_LINES_MAX = 14;
const LINE_LENGTH_MAX = 400;
/** Keeps GitHub Actions from taking a line of a message for a workflow command. */
const QUOTE = '> ';
const UNDECLARED_SHOWN = 10;

const COLORS: Readonly<Record<Tone, 'green' | 'red' | 'yellow' | 'cyan'>> = {
  good: 'green',
  bad: 'red',
  partly: 'yellow',
  open: 'cyan',
};

/** The report, in colors if stdout supports them. */
export function terminalReport(given: Report): string {
  const report = printableReport(given);
  const shown = report.groups.slice(0, GROUPS_SHOWN);
  const hidden = report.groups.length - shown.length;
  return [
    ...shown.flatMap((group, index) => [...groupLines(group, index + 1), '']),
    ...(hidden > 0 ? [`… and ${hidden} more. --html or --json has all of them.`, ''] : []),
    ...undeclaredLines(report),
    ...tableLines(report),
    '',
    outcome(report),
    '',
  ].join('\n');
}

/** Members that can have several lines. */
const LONG = new Set(['message', 'curl', 'reason']);

/** Responses and webhooks of the service are text of others. */
function printableReport(report: Report): Report {
  const fit = (name: string, value: unknown) =>
    typeof value === 'string' ? printable(value, { lines: LONG.has(name) }) : value;
  return JSON.parse(JSON.stringify(report), fit) as Report;
}

export function groupLines(group: CauseGroup, number: number): string[] {
  const { verdict, checks, finding, title, reason, remedy, fails, exemption = "doesn't fail the run" } = group;
  const label = fails || verdict === 'fault' ? verdict : `${verdict}, ${exemption}`;
  const count = checks.length === 1 ? '' : ` (${checks.length} checks)`;
  const head = `${styleText('bold', `${number}. ${styleText(fails ? 'red' : COLORS[TONES[verdict]], label)}`)}  ${checks[0]}${count}`;
  const body = finding
    ? [
        `${title}.`,
        `at        ${finding.at}`,
        `expected  ${finding.expected}`,
        `found     ${finding.found}`,
        `clause    ${finding.clause.rests}: ${finding.clause.text}`,
        styleText('dim', `          ${finding.clause.link}`),
        ...evidenceLines(finding.evidence),
      ]
    : [
        `${verdict === 'fault' ? 'The kit itself failed' : title}.`,
        `reason    ${(reason ?? '').replaceAll('\n', `\n   ${QUOTE}`)}`,
        ...(remedy ? [`remedy    ${remedy}`] : []),
      ];
  const others = checks.slice(1, 1 + CHECKS_SHOWN);
  const more = checks.length - 1 - others.length;
  const also = others.length === 0 ? [] : [`also in   ${others.join(', ')}${more > 0 ? ` and ${more} more` : ''}`];
  return [head, ...[...body, ...also].map((line) => `   ${line}`)];
}

function evidenceLines(evidence: Evidence | undefined): string[] {
  if (!evidence) return [];
  const { steps = [], curl, message, kind } = evidence;
  const lines = message === '' ? [] : message.split('\n');
  const shown = lines.slice(0, MESSAGE_LINES_MAX).map((line) => styleText('dim', `${QUOTE}${shorten(line)}`));
  return [
    ...steps.map((step) => `$ ${step}`),
    ...(curl ? [`$ ${curl}`] : []),
    ...(lines.length > 0 ? [`${kind}:`] : []),
    ...shown,
    ...(lines.length > shown.length ? ['  …'] : []),
  ];
}

/** The whole message is in the other reports. */
function shorten(line: string): string {
  return line.length > LINE_LENGTH_MAX ? `${line.slice(0, LINE_LENGTH_MAX)}…` : line;
}

function undeclaredLines({ undeclared }: Report): string[] {
  if (undeclared.length === 0) return [];
  const shown = undeclared
    .slice(0, UNDECLARED_SHOWN)
    .map(({ operation, status, pointer, count }) => `   ${operation} ${status} ${pointer} (${count} times)`);
  const more = undeclared.length - shown.length;
  return [
    "Fields that the contract doesn't declare, which is allowed:",
    ...shown,
    ...(more > 0 ? [`   … and ${more} more`] : []),
    '',
  ];
}

function tableLines({ levels, counts, checks, coverage }: Report): string[] {
  const width = Math.max(0, ...levels.map(({ level }) => level.length)) + 2;
  const exempt = checks.filter(({ exemption }) => exemption !== undefined).length;
  const verdicts = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([verdict, count]) => `${count} ${verdict}`);
  return [
    ...levels.map(({ level, outcome: result }) => `${level.padEnd(width)}${styleText(COLORS[TONES[result]], result)}`),
    '',
    `${checks.length} checks: ${verdicts.join('; ')}${exempt > 0 ? ` (${exempt} known, flaky or not scored)` : ''}`,
    `coverage: ${describeCoverage(coverage)}`,
  ];
}

function outcome(report: Report): string {
  const { failures, notes, levels, requests, webhooks, ms, seed, driver } = report;
  const facts = `${requests} requests, ${webhooks} webhooks, ${(ms / 1_000).toFixed(1)} s, driver ${driver}, seed ${seed}`;
  const verdict = styleText(COLORS[TONES[report.outcome]], `${outcomeSentence(report)}.`);
  const next = nextStep(report);
  const open = levels.filter(({ outcome: result }) => result === 'not shown').map(({ level }) => level);
  // Otherwise a run of few checks would look like one of all.
  const limit =
    report.outcome.startsWith('conforms') && open.length > 0
      ? [`That holds for what was checked. Not shown: ${open.join(', ')}.`]
      : [];
  return [...failures, ...notes, verdict, ...limit, ...(next ? [next] : []), styleText('dim', facts)].join('\n');
}
