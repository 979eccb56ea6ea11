/** A process that judges the trials it is sent by the exit code of the kit, several at a time. */
import { DEFECTS } from '../defects/index.ts';
import { tryEach, workOnTrials } from '../pool.ts';
import { startReference } from '../reference.ts';
import type { Bench } from '../trial.ts';
import { VARIATIONS } from '../variations/index.ts';
import { MUTANTS } from './index.ts';
import type { Recording } from './mutant.ts';
import { type Judged, recordReference, tryByExitCode, tryMutant } from './trial.ts';

const NOTHING_RECORDED: Recording = { library: {}, bodies: [] };

workOnTrials(async (assignment, open) => {
  const bench = { open, shared: await startReference(open) };
  const isGenerated = assignment.ids.some((id) => MUTANTS.some((one) => one.id === id));
  const recording = isGenerated ? await recordReference(bench) : NOTHING_RECORDED;
  await tryEach(assignment, (id) => tryOne(id, bench, recording));
  await bench.shared.close();
});

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
