/** Defects of merchants' clocks. */
import { one, type Planted } from './planted-edits.ts';

const CLOCKS = 'sandbox/merchant-clocks.ts';

export const CLOCK_DEFECTS: readonly Planted[] = [
  one(
    'clock-before-unit',
    'A step converts times by the clock that its merchant had before the unit of work',
    'transactions/commit-step.ts',
    'const convert = await time.toStoreTimeIn(db, merchantId, moment.now);',
    'const convert = moment.toStoreTime;',
  ),
  one(
    'clock-runs-on',
    'A step is written that was decided by a clock that another process had stopped long before',
    'transactions/commit-step.ts',
    'const convert = await time.toStoreTimeIn(db, merchantId, moment.now);',
    'const convert = await time.toStoreTimeIn(db, merchantId, 0);',
  ),
  one(
    'pause-runs-on',
    'The pause of a webhook begins by a clock that another process had stopped long before',
    'webhooks/leases.ts',
    'toStoreTimeIn(db, merchantId, pause.decidedAt)',
    'toStoreTimeIn(db, merchantId, 0)',
  ),
  {
    id: 'clock-set-late',
    summary: 'A clock is frozen where it was before the unit of work',
    edits: [
      {
        file: CLOCKS,
        find: 'await settingsCache.change(merchantId, async (settings, db) => {',
        replace:
          'const asked = settingsCache.storeNow(); await settingsCache.change(merchantId, async (settings, db) => {',
      },
      {
        file: CLOCKS,
        find: 'const { now } = momentBy(settings.clock, settingsCache.storeNow());',
        replace: 'const { now } = momentBy(settings.clock, asked);',
      },
    ],
  },
  one(
    'clock-alone',
    'A clock that is set leaves behind what waits for its time',
    CLOCKS,
    'await this.#takeAlong(db, merchantId, settings.clock, clock);',
    '',
  ),
  {
    id: 'clock-hurries',
    summary: 'An advance continues before what is due has happened',
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
  one(
    'clock-skipped',
    "A process that changes settings misses others' earlier changes",
    'sandbox/settings-cache.ts',
    'this.#listener(merchantId);\n  }\n\n  async #follow',
    'this.#listener(merchantId);\n    this.#changed = Math.max(this.#changed, changed);\n  }\n\n  async #follow',
  ),
];
