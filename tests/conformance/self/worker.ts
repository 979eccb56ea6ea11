/** A process that runs the trials it is sent, several at a time, and sends back the outcomes. */
import { DEFECTS } from './defects/index.ts';
import { openSqliteFile, startReference } from './reference.ts';
import { type Bench, type Outcome, tryDefect, tryVariation } from './trial.ts';
import { VARIATIONS } from './variations/index.ts';

export interface Assignment {
  readonly ids: readonly string[];
  /** Trials at a time. */
  readonly concurrent: number;
  /** Runs every check for defects, instead of only the intended ones. */
  readonly allChecks: boolean;
}

process.once('disconnect', () => process.exit(1));
process.once('message', (assignment: Assignment) => {
  run(assignment).then(
    () => process.exit(0),
    (error: Error) => {
      console.error(error);
      process.exit(1);
    },
  );
});

async function run({ ids, concurrent, allChecks }: Assignment): Promise<void> {
  const bench = { open: openSqliteFile, shared: await startReference(openSqliteFile, { sandbox: true }), allChecks };
  const isDefect = (id: string) => DEFECTS.some((one) => one.id === id);
  await tryEach(ids.filter(isDefect), concurrent, bench);
  // Each of them runs every check, many of them at the same time.
  await tryEach(
    ids.filter((id) => !isDefect(id)),
    Math.ceil(concurrent / 2),
    bench,
  );
  await bench.shared.close();
}

async function tryEach(ids: readonly string[], concurrent: number, bench: Bench): Promise<void> {
  const waiting = ids.values();
  const work = async () => {
    for (const id of waiting) {
      const outcome = await tryOne(id, bench);
      await new Promise((resolve) => process.send?.(outcome, resolve));
    }
  };
  await Promise.all(Array.from({ length: concurrent }, work));
}

function tryOne(id: string, bench: Bench): Promise<Outcome> {
  const trial = [...DEFECTS, ...VARIATIONS].find((one) => one.id === id);
  if (!trial) throw new Error(`no trial has the id '${id}'`);
  return 'foundBy' in trial ? tryDefect(trial, bench) : tryVariation(trial, bench);
}
