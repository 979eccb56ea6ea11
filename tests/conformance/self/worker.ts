/** A process that runs the trials it is sent, several at a time, and sends back how they ended. */
import { startExaminer } from './compare/examine.ts';
import { DEFECTS } from './defects/index.ts';
import { openPostgresSchema, openSqliteFile, startSound } from './sound.ts';
import { type Bench, type Defect, type Outcome, tryDefect, tryVariation, type Variation } from './trial.ts';
import { VARIATIONS } from './variations/index.ts';

/** What the worker is started with. */
export interface Assignment {
  /** URL of a PostgreSQL server; SQLite without one. */
  readonly postgres?: string;
  readonly allChecks: boolean;
  readonly ids: readonly string[];
  readonly concurrent: number;
  /** Judges instead of the kit. */
  readonly tool?: string;
}

process.once('message', (assignment: Assignment) => {
  carryOut(assignment).then(
    () => process.disconnect(),
    (error: Error) => {
      console.error(error);
      process.exit(1);
    },
  );
});

async function carryOut({ postgres, allChecks, ids, concurrent, tool }: Assignment): Promise<void> {
  const open = postgres === undefined ? openSqliteFile : openPostgresSchema(postgres);
  const bench = { open, shared: await startSound(open), allChecks };
  if (tool !== undefined) return carryOutBy(tool, ids, bench);
  const tryAll = async (some: readonly string[], atATime: number) => {
    const waiting = some.values();
    const work = async () => {
      for (const id of waiting) {
        const outcome = await tryOne(id, bench);
        await new Promise((resolve) => process.send?.(outcome, resolve));
      }
    };
    await Promise.all(Array.from({ length: atATime }, work));
  };
  const isDefect = (id: string) => DEFECTS.some((one) => one.id === id);
  await tryAll(ids.filter(isDefect), concurrent);
  // Each of them runs every check, of which many run side by side.
  await tryAll(
    ids.filter((id) => !isDefect(id)),
    Math.ceil(concurrent / 2),
  );
  await bench.shared.close();
}

/** One after the other, since they share one tool. */
async function carryOutBy(tool: string, ids: readonly string[], bench: Bench): Promise<void> {
  const examiner = await startExaminer(tool, bench);
  for (const id of ids) {
    const outcome = await examiner.examine(found(id));
    await new Promise((resolve) => process.send?.(outcome, resolve));
  }
  await examiner.close();
  await bench.shared.close();
}

function tryOne(id: string, bench: Bench): Promise<Outcome> {
  const trial = found(id);
  return 'convictedBy' in trial ? tryDefect(trial, bench) : tryVariation(trial, bench);
}

function found(id: string): Defect | Variation {
  const trial = [...DEFECTS, ...VARIATIONS].find((one) => one.id === id);
  if (!trial) throw new Error(`no trial has the id '${id}'`);
  return trial;
}
