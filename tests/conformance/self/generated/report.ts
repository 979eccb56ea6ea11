/** The judgements of a run by exit code, counted by kind of fault. */
import { DEFECTS } from '../defects/index.ts';
import { VARIATIONS } from '../variations/index.ts';
import { equivalence, slowness } from './equivalents.ts';
import { MUTANTS } from './index.ts';
import type { Ending, Judged } from './trial.ts';

/** The results of one kind of defect. */
interface Row {
  readonly kind: string;
  readonly reported: number;
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
  readonly rows: readonly Row[];
  /** Defects that the kit didn't report. */
  readonly survivors: readonly { readonly id: string; readonly ending: string; readonly because: string }[];
  /** Valid services of the run. */
  readonly valid: number;
  /** Valid services, unchanged ones behind a defect, and equivalent ones that were reported. */
  readonly falseAlarms: readonly string[];
}

/** Share of the defects that the kit has to report. */
const GOAL = 0.99;

const AREA_OF = new Map(DEFECTS.map(({ id, area }) => [id, area]));
const MUTANT_OF = new Map(MUTANTS.map((mutant) => [mutant.id, mutant]));
/** Planted defects of which no check can say more than that something was not reached. */
const NEVER_DONE = new Set(DEFECTS.filter(({ verdict }) => verdict === 'not reached').map(({ id }) => id));
const VALID = new Set(VARIATIONS.map(({ id }) => id));

/** Classes of judged defects: the counted ones, and the reasons to leave out others. */
type Class = 'defect' | 'not exercised' | 'equivalent' | 'slow';

function findClass({ id, ending, isFalseAlarm }: Judged): Class {
  if (ending === 'not exercised' || isFalseAlarm) return 'not exercised';
  if (whyEquivalent(id) !== undefined) return 'equivalent';
  return reasonToWait(id) !== undefined && ending === 'not shown' ? 'slow' : 'defect';
}

function whyEquivalent(id: string): string | undefined {
  const mutant = MUTANT_OF.get(id);
  return mutant && equivalence(mutant);
}

/** The reason why the defect looks like a slow service; undefined if it doesn't. */
function reasonToWait(id: string): string | undefined {
  const mutant = MUTANT_OF.get(id);
  return mutant
    ? slowness(mutant)
    : NEVER_DONE.has(id)
      ? 'what is never done looks like what is not done yet'
      : undefined;
}

/** Whether the judgement is wrong, whatever the reason: a survivor, or a false alarm. */
export function isUnexpected(one: Judged): boolean {
  if (VALID.has(one.id)) return one.ending !== 'passed';
  if (one.isFalseAlarm) return true;
  const name = findClass(one);
  if (name === 'equivalent') return one.ending === 'reported' || one.ending === 'kit failed';
  return name === 'defect' && one.ending !== 'reported';
}

/** The results of each set. Valid services belong to the planted one. */
export function summarize(judged: readonly Judged[]): SetResult[] {
  const planted = judged.filter(({ id }) => AREA_OF.has(id));
  const generated = judged.filter(({ id }) => MUTANT_OF.has(id));
  const valid = judged.filter(({ id }) => VALID.has(id));
  return [toResult('planted', [...planted, ...valid]), toResult('generated', generated)].filter(
    (result) => result.rows.length + result.valid > 0,
  );
}

function toResult(set: SetResult['set'], judged: readonly Judged[]): SetResult {
  const valid = judged.filter(({ id }) => VALID.has(id));
  const defects = judged.filter(({ id }) => !VALID.has(id));
  const classed = (name: Class) => defects.filter((one) => findClass(one) === name);
  const survivors = classed('defect').filter(isUnexpected);
  const alarms = judged.filter((one) => isUnexpected(one) && !survivors.includes(one));
  return {
    ...{ set, valid: valid.length },
    rows: listRows(defects, ({ id }) => AREA_OF.get(id) ?? MUTANT_OF.get(id)?.fault ?? ''),
    survivors: survivors.map(({ id, ending, because }) => ({ id, ending, because })),
    falseAlarms: alarms.map(({ id, because }) => `${id}: ${because}`),
  };
}

function listRows(judged: readonly Judged[], kindOf: (one: Judged) => string): Row[] {
  return [...Map.groupBy(judged, kindOf)]
    .map(([kind, some]) => {
      const defects = some.filter((one) => findClass(one) === 'defect');
      const ended = (ending: Ending) => defects.filter((one) => one.ending === ending).length;
      const classed = (name: Class) => some.filter((one) => findClass(one) === name).length;
      const seconds = defects.map(({ ms }) => ms / 1_000).sort((one, other) => one - other);
      return {
        kind,
        reported: ended('reported'),
        defects: defects.length,
        notShown: ended('not shown'),
        slow: classed('slow'),
        notExercised: classed('not exercised'),
        equivalent: classed('equivalent'),
        medianSeconds: tenths(seconds[Math.floor(seconds.length / 2)]),
        maxSeconds: tenths(seconds.at(-1)),
      };
    })
    .toSorted((one, other) => one.kind.localeCompare(other.kind));
}

function tenths(value = 0): number {
  return Math.round(value * 10) / 10;
}

/** Reported share of the rows; 1 if they have no defects. */
function formatShare(rows: readonly Row[]): number {
  const addRows = (name: 'reported' | 'defects') => rows.reduce((sum, row) => sum + row[name], 0);
  return addRows('defects') === 0 ? 1 : addRows('reported') / addRows('defects');
}

/** Enough defects were reported, and no valid service was. */
export function isGoalMet({ rows, falseAlarms }: SetResult): boolean {
  return falseAlarms.length === 0 && formatShare(rows) >= GOAL;
}

/** For a terminal: a line for each kind, then the survivors. */
export function formatResult({ set, rows, valid, survivors, falseAlarms }: SetResult): string {
  const total = rows.reduce((sum, { defects }) => sum + defects, 0);
  return [
    ...rows.map(formatRow),
    ...survivors.map(({ id, ending, because }) => `${ending.toUpperCase()} ${id}: ${because}`),
    ...falseAlarms.map((alarm) => `FALSE ALARM ${alarm}`),
    `${set}: ${(formatShare(rows) * 100).toFixed(1)} % of ${total} defects reported by exit code; ${falseAlarms.length} false alarms, with ${valid} valid services`,
  ].join('\n');
}

function formatRow(row: Row): string {
  return [
    `${row.kind}: ${row.reported} of ${row.defects} reported`,
    `${row.notShown} not shown`,
    `${row.slow} like a slow service`,
    `${row.notExercised} not exercised`,
    `${row.equivalent} equivalent`,
    `${row.medianSeconds} s, at most ${row.maxSeconds} s`,
  ].join(', ');
}
