/** Output of `payments-conformance doctor`. */
import { printable } from '../../../contract/src/printable.ts';
import { type Color, type Paint, wrapped } from '../report/paint.ts';
import type { ReachableLevels } from './diagnose.ts';
import type { ExaminationStep, StepState } from './examination.ts';

const COLORS: Readonly<Record<StepState, Color>> = { ok: 'green', problem: 'red', skipped: 'yellow' };
const STATE_WIDTH = 9;
const NAME_WIDTH = 18;

/** One step, with a line break at its end. */
export function stepText({ name, state, text, next, blockedBy }: ExaminationStep, paint: Paint): string {
  // All of them are one line at the end.
  if (blockedBy !== undefined) return '';
  const indent = STATE_WIDTH + NAME_WIDTH;
  const lines = [text, ...(next ? [`Next: ${next}`] : [])].flatMap((part) => wrapped(printable(part), indent));
  const head = `${paint(COLORS[state], state)}${' '.repeat(STATE_WIDTH - state.length)}${name.padEnd(NAME_WIDTH)}`;
  return lines.map((line, index) => `${index === 0 ? head : ' '.repeat(indent)}${line}\n`).join('');
}

/** The summary of all steps. `command` starts a run when the service is ready. */
export function summaryText(
  steps: readonly ExaminationStep[],
  reachable: ReachableLevels,
  command: string,
  paint: Paint,
): string {
  const problems = steps.filter(({ state }) => state === 'problem').length;
  const named = (isWanted: boolean) =>
    [...reachable].filter(([, isReachable]) => isReachable === isWanted).map(([level]) => level);
  const [reached, open] = [named(true), named(false)];
  const levels = [
    `Levels that this setup can reach: ${reached.join(', ') || 'none'}.`,
    ...(open.length > 0 ? [`Not: ${open.join(', ')}.`] : []),
  ];
  const count = problems === 1 ? '1 problem' : `${problems} problems`;
  const outcome =
    problems === 0
      ? [paint('green', 'Ready.'), `Next: ${command}, with the same options.`]
      : [paint('red', `Not ready: ${count}.`), 'Next: solve the first one, and run doctor again.'];
  const blocked = steps.filter(({ blockedBy }) => blockedBy !== undefined).map(({ name }) => name);
  const rest = `Not examined because of the above: ${blocked.join(', ')}.`;
  const [first, ...more] = blocked.length === 0 ? [] : wrapped(rest, STATE_WIDTH);
  const lines = first === undefined ? [] : [`${paint('yellow', 'skipped')}  ${first}`];
  const skipped = [...lines, ...more.map((line) => `${' '.repeat(STATE_WIDTH)}${line}`)];
  return [...skipped, '', ...levels.flatMap((line) => wrapped(line, 0)), '', ...outcome, ''].join('\n');
}
