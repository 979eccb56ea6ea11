/** The judgements of a run by exit code, counted by kind of fault. */
import { DEFECTS } from '../defects/index.ts';
import { VARIATIONS } from '../variations/index.ts';
import { equivalence } from './equivalents.ts';
import { MUTANTS } from './index.ts';
import type { Ending, Judged } from './trial.ts';

/** Share of the exercised defects, those that aren't equivalent, that the kit has to convict. */
const GOAL = 0.99;

/** The results of one kind of fault. */
export interface Row {
  readonly kind: string;
  readonly convicted: number;
  /** Defects that took effect and are not equivalent. */
  readonly defects: number;
  readonly notShown: number;
  readonly notExercised: number;
  readonly equivalent: number;
  readonly medianSeconds: number;
  readonly maxSeconds: number;
}

export interface Summary {
  readonly planted: readonly Row[];
  readonly generated: readonly Row[];
  /** Sound variations, and those of them that were convicted. */
  readonly sound: { readonly services: number; readonly falseAlarms: readonly string[] };
  /** Defects that the kit didn't convict. */
  readonly survivors: readonly Pick<Judged, 'id' | 'ending' | 'because'>[];
  /** Generated defects that are equivalent and were convicted: the reason is wrong, or the conviction. */
  readonly disputed: readonly string[];
}

const AREA_OF = new Map(DEFECTS.map(({ id, area }) => [id, area]));
const MUTANT_OF = new Map(MUTANTS.map((mutant) => [mutant.id, mutant]));
const SOUND = new Set(VARIATIONS.map(({ id }) => id));

export function summarize(judged: readonly Judged[]): Summary {
  const planted = judged.filter(({ id }) => AREA_OF.has(id));
  const generated = judged.filter(({ id }) => MUTANT_OF.has(id));
  const sound = judged.filter(({ id }) => SOUND.has(id));
  const alarms = [...sound.filter(({ ending }) => ending !== 'acquitted'), ...judged.filter((one) => one.isFalseAlarm)];
  return {
    planted: rowsOf(planted, ({ id }) => AREA_OF.get(id) ?? ''),
    generated: rowsOf(generated, ({ id }) => MUTANT_OF.get(id)?.fault ?? ''),
    sound: { services: sound.length, falseAlarms: alarms.map(({ id, because }) => `${id}: ${because}`) },
    survivors: [...planted, ...generated]
      .filter((one) => isDefective(one) && one.ending !== 'convicted')
      .map(({ id, ending, because }) => ({ id, ending, because })),
    disputed: generated.filter((one) => reasonOf(one) && one.ending === 'convicted').map(({ id }) => id),
  };
}

function reasonOf({ id }: Judged): string | undefined {
  const mutant = MUTANT_OF.get(id);
  return mutant && equivalence(mutant);
}

/** Whether it took effect, and is not equivalent. */
function isDefective(one: Judged): boolean {
  return one.ending !== 'not exercised' && reasonOf(one) === undefined;
}

function rowsOf(judged: readonly Judged[], kindOf: (one: Judged) => string): Row[] {
  return [...Map.groupBy(judged, kindOf)].map(([kind, some]) => {
    const defects = some.filter(isDefective);
    const count = (ending: Ending) => defects.filter((one) => one.ending === ending).length;
    const seconds = defects.map(({ ms }) => ms / 1_000).sort((one, other) => one - other);
    return {
      kind,
      convicted: count('convicted'),
      defects: defects.length,
      notShown: count('not shown'),
      notExercised: some.filter(({ ending }) => ending === 'not exercised').length,
      equivalent: some.filter((one) => one.ending !== 'not exercised' && !isDefective(one)).length,
      medianSeconds: tenths(seconds[Math.floor(seconds.length / 2)]),
      maxSeconds: tenths(seconds.at(-1)),
    };
  });
}

function tenths(value = 0): number {
  return Math.round(value * 10) / 10;
}

/** Enough defects were convicted, and no sound service was. */
export function isGoalMet(judged: readonly Judged[]): boolean {
  const { planted, generated, sound } = summarize(judged);
  return sound.falseAlarms.length === 0 && [planted, generated].every((rows) => shareOf(rows) >= GOAL);
}

/** Convicted share of the rows; 1 if they have no defects. */
export function shareOf(rows: readonly Row[]): number {
  const total = rows.reduce((sum, { defects }) => sum + defects, 0);
  return total === 0 ? 1 : rows.reduce((sum, { convicted }) => sum + convicted, 0) / total;
}

/** For a terminal: a table of each set, then what survived. */
export function formatJudged(judged: readonly Judged[]): string {
  const { planted, generated, sound, survivors, disputed } = summarize(judged);
  return [
    ...[...planted, ...generated].map(formatRow),
    '',
    ...survivors.map(({ id, ending, because }) => `${ending.toUpperCase()} ${id}: ${because}`),
    ...disputed.map((id) => `EQUIVALENT, BUT CONVICTED ${id}`),
    ...sound.falseAlarms.map((alarm) => `FALSE ALARM ${alarm}`),
    '',
    formatShare('planted', planted),
    formatShare('generated', generated),
    `${sound.falseAlarms.length} false alarms on ${sound.services} sound services`,
  ].join('\n');
}

function formatRow(row: Row): string {
  const { kind, convicted, defects, notShown, notExercised, equivalent, medianSeconds, maxSeconds } = row;
  return [
    `${kind}: ${convicted} of ${defects} convicted`,
    `${notShown} not shown`,
    `${notExercised} not exercised`,
    `${equivalent} equivalent`,
    `${medianSeconds} s, at most ${maxSeconds} s`,
  ].join(', ');
}

function formatShare(set: string, rows: readonly Row[]): string {
  const total = rows.reduce((sum, { defects }) => sum + defects, 0);
  return `${set}: ${(shareOf(rows) * 100).toFixed(1)} % of ${total} defects convicted by exit code`;
}
