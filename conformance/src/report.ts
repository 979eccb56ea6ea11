/** Results as counts and as text. */
import type { Result, State } from './check.ts';
import { allAnswers, type Contract } from './contract.ts';
import type { Settings } from './settings.ts';

export interface Counts {
  passed: number;
  failed: number;
  notReached: number;
}

export interface Report {
  contract: { title: string; version: string };
  baseUrl: string;
  mode: Settings['mode'];
  ok: boolean;
  totals: Counts & {
    operations: number;
    requestExamplesReplayed: number;
    responseExamplesSeen: number;
    responseExamplesDocumented: number;
  };
  operations: ({ operation: string } & Counts)[];
  results: Result[];
}

/** Counts the results. */
export function summarize(contract: Contract, settings: Settings, results: Result[]): Report {
  const ids = [...new Set(results.map((result) => result.operation))];
  const verified = contract.operations.filter(({ id }) => ids.includes(id));
  const { title, version } = contract.bundle.info;
  const totals = count(results);
  return {
    contract: { title, version },
    baseUrl: settings.baseUrl,
    mode: settings.mode,
    ok: totals.failed === 0 && totals.passed > 0,
    totals: {
      ...totals,
      operations: ids.length,
      requestExamplesReplayed: results.filter(({ kind, state }) => kind === 'request' && state !== 'not reached')
        .length,
      responseExamplesSeen: new Set(results.flatMap(({ seen }) => seen)).size,
      responseExamplesDocumented: verified.flatMap(allAnswers).length,
    },
    operations: ids.map((id) => ({ operation: id, ...count(results.filter(({ operation }) => operation === id)) })),
    results,
  };
}

/** The report as it is read: counts, what was not reached, failures, totals. */
export function formatReport(report: Report): string {
  const how = {
    examples: 'It follows the Prefer header: every named example was asked for by its name.',
    replay: 'It does not follow the Prefer header: the request examples were replayed under new order ids.',
  };
  return [
    `Verified ${report.baseUrl} against ${report.contract.title} ${report.contract.version}.`,
    how[report.mode],
    '',
    ...table(report),
    ...notReachedLines(report),
    ...failureLines(report),
    '',
    totalLine(report),
    report.ok ? 'The service conforms in all that was reached.' : 'The service does not conform.',
  ].join('\n');
}

function count(results: Result[]): Counts {
  const having = (state: State) => results.filter((result) => result.state === state).length;
  return { passed: having('passed'), failed: having('failed'), notReached: having('not reached') };
}

function table(report: Report): string[] {
  const rows = [
    ['operation', 'passed', 'failed', 'not reached'],
    ...report.operations.map((row) => [row.operation, `${row.passed}`, `${row.failed}`, `${row.notReached}`]),
  ];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  '),
  );
}

function notReachedLines({ results, operations }: Report): string[] {
  const missed = results.filter(({ state }) => state === 'not reached');
  const reasons = [...new Set(missed.map(({ reason = '' }) => reason))];
  if (missed.length === 0) return [];
  return ['', 'Not reached:'].concat(
    reasons.flatMap((reason) => [
      `  ${reason}`,
      ...operations.flatMap(({ operation }) => {
        const titles = missed
          .filter((result) => result.reason === reason && result.operation === operation)
          .map(({ title }) => title.replace(`${operation} `, ''));
        return titles.length > 0 ? [`    ${operation}: ${titles.join(', ')}`] : [];
      }),
    ]),
  );
}

function failureLines({ results }: Report): string[] {
  return results
    .filter(({ state }) => state === 'failed')
    .flatMap(({ operation, title, example, pointer, problems }) => [
      '',
      `FAILED ${title}`,
      `  operation ${operation}, example ${example}`,
      `  contract ${pointer}`,
      ...problems.map(({ at, expected, found }) => `  ${at}: expected ${expected}, found ${found}`),
    ]);
}

function totalLine({ totals }: Report): string {
  return [
    `Operations: ${totals.operations}`,
    `request examples replayed: ${totals.requestExamplesReplayed}`,
    `response examples seen: ${totals.responseExamplesSeen} of ${totals.responseExamplesDocumented}`,
    `checks: ${totals.passed} passed, ${totals.failed} failed, ${totals.notReached} not reached`,
  ].join('; ');
}
