/** A process that runs the trials it is sent, several at a time, and sends back how they ended. */
import { DEFECTS } from './defects/index.ts';
import { startPrismProxy } from './prism.ts';
import { openPostgresSchema, openSqliteFile, startSound } from './sound.ts';
import { type Bench, type Outcome, tryDefect, tryVariation } from './trial.ts';
import { VARIATIONS } from './variations/index.ts';

/** What the worker is started with. */
export interface Assignment {
  /** URL of a PostgreSQL server; SQLite without one. */
  readonly postgres?: string;
  readonly allChecks: boolean;
  readonly ids: readonly string[];
  readonly concurrent: number;
  /** Has Prism's proxy judge the defects instead of the kit. */
  readonly prism?: boolean;
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

async function carryOut({ postgres, allChecks, ids, concurrent, prism }: Assignment): Promise<void> {
  const open = postgres === undefined ? openSqliteFile : openPostgresSchema(postgres);
  const bench = { open, shared: await startSound(open), allChecks };
  if (prism) return carryOutByPrism(ids, bench);
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

/** One after the other, since they share one Prism. */
async function carryOutByPrism(ids: readonly string[], bench: Bench): Promise<void> {
  const proxy = await startPrismProxy();
  for (const defect of DEFECTS.filter(({ id }) => ids.includes(id))) {
    const outcome = await proxy.try(defect, bench);
    await new Promise((resolve) => process.send?.(outcome, resolve));
  }
  await proxy.close();
  await bench.shared.close();
}

function tryOne(id: string, bench: Bench): Promise<Outcome> {
  const defect = DEFECTS.find((one) => one.id === id);
  if (defect) return tryDefect(defect, bench);
  const variation = VARIATIONS.find((one) => one.id === id);
  if (variation) return tryVariation(variation, bench);
  throw new Error(`no trial has the id '${id}'`);
}
