/** A process that runs the trials it is sent, several at a time, and sends back how they ended. */
import { DEFECTS } from './defects/index.ts';
import { openPostgresSchema, openSqliteFile, startSound } from './sound.ts';
import { type Bench, type Outcome, tryDefect, tryVariation } from './trial.ts';
import { VARIATIONS } from './variations/index.ts';

/** The work of one worker process. */
export interface Assignment {
  /** URL of a PostgreSQL server; SQLite without one. */
  readonly postgres?: string;
  readonly allChecks: boolean;
  readonly ids: readonly string[];
  readonly concurrent: number;
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

async function carryOut({ postgres, allChecks, ids, concurrent }: Assignment): Promise<void> {
  const open = postgres === undefined ? openSqliteFile : openPostgresSchema(postgres);
  const bench = { open, shared: await startSound(open), allChecks };
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

function tryOne(id: string, bench: Bench): Promise<Outcome> {
  const trial = [...DEFECTS, ...VARIATIONS].find((one) => one.id === id);
  if (!trial) throw new Error(`no trial has the id '${id}'`);
  return 'convictedBy' in trial ? tryDefect(trial, bench) : tryVariation(trial, bench);
}
