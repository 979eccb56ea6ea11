/** Examines a service before a run: whether it can be tested, and which levels this setup can reach. */
import { printable } from '../../../contract/src/printable.ts';
import type { Level } from '../core/settings.ts';
import { loadContract } from '../document/contract.ts';
import { type Color, type Paint, wrapped } from '../report/paint.ts';
import { type ConformanceOptions, toSettings } from '../run/options.ts';
import { openConnection, openReceiver } from '../run/verify.ts';
import { openJournal } from '../service/journal.ts';
import type { Examination, ExaminationStep, Setup, StepState } from './examination.ts';
import {
  LEVEL_STEPS,
  takeAccessSteps,
  takeAddressStep,
  takeDriverStep,
  takeTrafficSteps,
  takeTransactionSteps,
} from './steps.ts';

/** The claimed levels, and whether this setup can reach each of them. */
export type ReachableLevels = ReadonlyMap<Level, boolean>;

/** Takes every step. `driver` is null if it can't be loaded. Rejects with a UserError if the options are wrong. */
export async function diagnose(
  examination: Examination,
  { driver: chosen, ...options }: Omit<ConformanceOptions, 'driver'> & { driver: Setup['chosen'] },
): Promise<ReachableLevels> {
  const settings = toSettings(options);
  const journal = openJournal();
  const receiver = await openReceiver(options, journal);
  try {
    const setup: Setup = {
      ...{ contract: loadContract(), settings, chosen, journal, receiver, examination },
      ...{ connection: openConnection(options, settings, journal), probes: [], created: [], unsupported: new Set() },
    };
    await takeAddressStep(setup);
    await takeDriverStep(setup);
    await takeAccessSteps(setup);
    await takeTransactionSteps(setup);
    await takeTrafficSteps(setup);
    return new Map(settings.levels.map((level) => [level, isReachable(setup, level)]));
  } finally {
    await receiver.close();
  }
}

function isReachable({ examination, driver, created, unsupported }: Setup, level: Level): boolean {
  if (unsupported.has(level)) return false;
  if (driver?.followsPrefer) return examination.isOk('Service');
  const step = LEVEL_STEPS[level];
  // Repeats need a creation, of whatever kind.
  return step === undefined ? created.length > 0 : examination.isOk(step);
}

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
