/** Defects of merchants' clocks. */
import { one, type Planted } from './planted-edits.ts';

const CLOCKS = 'sandbox/merchant-clocks.ts';

export const CLOCK_DEFECTS: readonly Planted[] = [
  one(
    'clock-before-unit',
    'A step converts times by the clock that its merchant had when it began to wait for the commit',
    'transactions/commit-step.ts',
    'const convert = conversionOf(merchantId);',
    'const convert = moment.toStoreTime;',
  ),
  one(
    'clock-not-held',
    'A clock moves while a unit of work writes times by it',
    'sandbox/sandbox-state.ts',
    'await Promise.all(this.#writes.get(merchantId) ?? []);',
    '',
  ),
  one(
    'clock-forgotten',
    'A clock change with an unknown outcome counts as not made',
    'sandbox/sandbox-state.ts',
    'if (!(error instanceof ProblemError)) this.#unsure.add(merchantId);',
    '',
  ),
  {
    id: 'clock-set-late',
    summary: 'A clock is frozen where it was before the unit of work',
    edits: [
      {
        file: CLOCKS,
        find: 'await sandboxState.change(merchantId, async (settings, db) => {',
        replace:
          'const asked = sandboxState.storeNow(); await sandboxState.change(merchantId, async (settings, db) => {',
      },
      {
        file: CLOCKS,
        find: 'const { now } = readClock(settings.clock, sandboxState.storeNow());',
        replace: 'const { now } = readClock(settings.clock, asked);',
      },
    ],
  },
  one(
    'clock-alone',
    'Setting a clock leaves due times unchanged',
    CLOCKS,
    'await this.#takeAlong(db, merchantId, settings.clock, clock);',
    '',
  ),
  {
    id: 'clock-hurries',
    summary: 'An advance continues before due work is done',
    edits: [
      {
        file: CLOCKS,
        find: 'if (!(await hasDueBefore(store.read, merchantId, FROZEN_OFFSET_MS, withEvents))) return true;',
        replace: 'return true;',
      },
      {
        file: CLOCKS,
        find: 'if (await hasDueBefore(db, merchantId, FROZEN_OFFSET_MS, withEvents)) return clock;',
        replace: '',
      },
    ],
  },
  one(
    'history-goes-back',
    'A change after a release is earlier than the one before it',
    'domain/history.ts',
    'return Math.max(now, createdAt + (history.at(-1)?.[1] ?? 0));',
    'return now;',
  ),
];
