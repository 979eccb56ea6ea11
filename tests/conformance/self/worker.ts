/** A process that runs the trials it is sent, several at a time, and sends back how they ended. */
import { DEFECTS } from './defects/index.ts';
import { tryEach, workOnTrials } from './pool.ts';
import { startReference } from './reference.ts';
import { type Bench, type Outcome, tryDefect, tryVariation } from './trial.ts';
import { VARIATIONS } from './variations/index.ts';

workOnTrials(async ({ ids, concurrent, allChecks = false }, open) => {
  const bench = { open, shared: await startReference(open, { sandbox: true }), allChecks };
  const isDefect = (id: string) => DEFECTS.some((one) => one.id === id);
  const [defects, variations] = [ids.filter(isDefect), ids.filter((id) => !isDefect(id))];
  await tryEach({ ids: defects, concurrent }, (id) => tryOne(id, bench));
  // Each of them runs every check, of which many run side by side.
  await tryEach({ ids: variations, concurrent: Math.ceil(concurrent / 2) }, (id) => tryOne(id, bench));
  await bench.shared.close();
});

function tryOne(id: string, bench: Bench): Promise<Outcome> {
  const trial = [...DEFECTS, ...VARIATIONS].find((one) => one.id === id);
  if (!trial) throw new Error(`no trial has the id '${id}'`);
  return 'foundBy' in trial ? tryDefect(trial, bench) : tryVariation(trial, bench);
}
