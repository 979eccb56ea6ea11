/** A process that judges the trials it is sent by the exit code of the kit, several at a time. */
import { DEFECTS } from '../defects/index.ts';
import { openPostgresSchema, openSqliteFile, startSound } from '../sound.ts';
import type { Bench } from '../trial.ts';
import { VARIATIONS } from '../variations/index.ts';
import { MUTANTS } from './index.ts';
import type { Recording } from './mutant.ts';
import { type Judged, recordSound, tryByExitCode, tryMutant } from './trial.ts';

const NOTHING_RECORDED: Recording = { library: {}, bodies: [] };

/** The work of one worker process. */
export interface Assignment {
  /** URL of a PostgreSQL server; SQLite without one. */
  readonly postgres?: string;
  readonly ids: readonly string[];
  readonly concurrent: number;
  /** Milliseconds since 1970 after which no trial starts. */
  readonly until?: number;
}

process.once('disconnect', () => process.exit(1));
process.once('message', (assignment: Assignment) => {
  carryOut(assignment).then(
    () => process.exit(0),
    (error: Error) => {
      console.error(error);
      process.exit(1);
    },
  );
});

async function carryOut({ postgres, ids, concurrent, until = Number.POSITIVE_INFINITY }: Assignment): Promise<void> {
  const open = postgres === undefined ? openSqliteFile : openPostgresSchema(postgres);
  const bench = { open, shared: await startSound(open) };
  const isGenerated = ids.some((id) => MUTANTS.some((one) => one.id === id));
  const recording = isGenerated ? await recordSound(bench) : NOTHING_RECORDED;
  const waiting = ids.values();
  const work = async () => {
    for (const id of waiting) {
      if (Date.now() > until) return;
      const judged = await tryOne(id, bench, recording);
      await new Promise((resolve) => process.send?.(judged, resolve));
    }
  };
  await Promise.all(Array.from({ length: concurrent }, work));
  await bench.shared.close();
}

function tryOne(id: string, bench: Bench, recording: Recording): Promise<Judged> {
  const mutant = MUTANTS.find((one) => one.id === id);
  if (mutant) return tryMutant(mutant, bench, recording);
  const defect = DEFECTS.find((one) => one.id === id);
  if (defect) return tryByExitCode(id, defect.alter, bench);
  const variation = VARIATIONS.find((one) => one.id === id);
  if (!variation) throw new Error(`no trial has the id '${id}'`);
  // A service that differs from an assumption has been built from the source alone.
  const options = { ...(variation.differs && { profile: 'source' as const }), ...variation.options };
  return tryByExitCode(id, variation.alter, bench, options);
}
