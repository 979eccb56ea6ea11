/** Output of `payments-conformance receiver`. */
import { verdictLabel } from '../report/words.ts';
import type { ReceiverFinding, ReceiverResult } from './check.ts';

/** The results that are not conforming, each with what was sent, and a summary. */
export function printReceiver(url: string, results: readonly ReceiverResult[]): string {
  const others = results.filter(({ verdict }) => verdict !== 'conforming');
  // A check that was not reached is a consequence of something else.
  const failing = others.filter(({ verdict }) => verdict !== 'not reached');
  const unreached = others.filter(({ verdict }) => verdict === 'not reached');
  const parts = [...failing.map((result) => printFailure(url, result)), ...printUnreached(unreached), count(results)];
  return parts.join('\n\n');
}

function printFailure(url: string, { verdict, id, title, clause, findings, reason }: ReceiverResult): string {
  const lines = findings.map(({ at, expected, found }) => `  ${at}: expected ${expected}, found ${found}`);
  const [first] = findings;
  return [
    `${verdictLabel(verdict, 'document')}  ${id}`,
    `  ${title}`,
    `  Rests on ${clause.rests}, ${clause.pointer}`,
    ...lines,
    ...(reason === undefined ? [] : [`  ${reason}`]),
    ...(first ? [`  ${curl(url, first)}`] : []),
  ].join('\n');
}

/** One line for each reason, since many checks have the same one. */
function printUnreached(results: readonly ReceiverResult[]): string[] {
  const groups = Map.groupBy(results, ({ reason, remedy }) => `${reason}: ${remedy}`);
  return [...groups].map(
    ([why, { length }]) => `not reached  ${length} ${length === 1 ? 'check' : 'checks'}\n  ${why}`,
  );
}

function count(results: readonly ReceiverResult[]): string {
  const groups = Map.groupBy(results, ({ verdict }) => verdict);
  const counts = [...groups].map(([verdict, { length }]) => `${length} ${verdictLabel(verdict, 'document')}`);
  return `${results.length} checks: ${counts.join('; ')}`;
}

/** The request as a command. Timestamps are part of the signature, so it shows the same for 5 minutes. */
function curl(url: string, { sent }: ReceiverFinding): string {
  const headers = Object.entries(sent.headers).map(([name, value]) => `-H ${quote(headerText(name, value))}`);
  return ['curl -i', ...headers, `--data-binary ${quote(sent.body)}`, quote(url)].join(' ');
}

/** curl sends an empty header only if it ends with a semicolon. */
function headerText(name: string, value: string): string {
  return value === '' ? `${name};` : `${name}: ${value}`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
