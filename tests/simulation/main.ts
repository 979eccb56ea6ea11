/** `npm run simulate`: the gateway's own code in virtual time, in an environment determined by a seed. */
import { availableParallelism } from 'node:os';
import { CommandLine, parseNumber, runCommand } from '../../contract/src/cli.ts';
import { alignedTable } from '../tools/aligned-table.ts';
import { formatCounts, formatFailure, runJob } from './crew.ts';
import { DEFECTS } from './defects.ts';

const SEED_MAX = 2 ** 31 - 1;

interface Flags {
  readonly seed?: number;
  readonly runs: number;
  readonly defects?: true;
}

const command = new CommandLine('npm run simulate --')
  .description('Run the gateway in virtual time, inject faults around it, and check its writes.')
  .option('--seed <number>', 'Seed of the first run; each further run has the next.', parseNumber({ max: SEED_MAX }))
  .option('--runs <number>', 'Runs.', parseNumber({ max: 10_000_000 }), 1_000)
  .option('--defects', 'Inject defects into the gateway one by one, and print after how many runs each is found.')
  .addHelpText(
    'after',
    `
Each step is an action or a fault: a request, a transfer, a crash, a failing disk, a jump of the
clock. Between steps, some of the ready tasks run in a random order. The seed makes the run repeatable.
Exit codes: 0 no rule was broken, 1 a rule was broken, 2 the command was called incorrectly.`,
  )
  .handle(async ({ seed = newSeed(), runs, defects }: Flags) => {
    if (defects) return findDefects(seed, runs);
    const began = performance.now();
    let saidAt = began;
    const onRun = (finished: number) => {
      if (performance.now() < saidAt + 10_000) return;
      saidAt = performance.now();
      console.error(`… ${finished} of ${runs} runs`);
    };
    const { runs: finished, counts, failure } = await runJob({ seed, runs, onRun, shrinks: true });
    console.log(`seed ${seed}: ${formatCounts(finished, counts, (performance.now() - began) / 1_000)}`);
    if (!failure) return 0;
    console.log(formatFailure(failure));
    return 1;
  });

process.exitCode = await runCommand(command);

/** Searches for each known defect on a separate thread, so that the number of runs is deterministic. */
async function findDefects(seed: number, runs: number): Promise<number> {
  const rows: string[][] = [];
  const waiting = DEFECTS.entries();
  const work = async () => {
    for (const [index, defect] of waiting) {
      const { failure } = await runJob({ seed, runs, defect, threads: 1 });
      const found = failure ? String(failure.outcome.seed - seed + 1) : 'not found';
      rows[index] = [defect.summary, found, failure?.outcome.broken?.rule ?? ''];
      console.error(`… ${defect.id}: ${found}`);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  console.log(alignedTable(['Defect', 'Runs', 'Broken rule'], rows));
  return rows.every(([, , rule]) => rule) ? 0 : 1;
}

function newSeed(): number {
  return Math.floor(Math.random() * 1_000_000) + 1;
}
