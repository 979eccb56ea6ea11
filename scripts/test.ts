/** `npm test`: every check of the project, in the order in which a mistake is cheapest to see. */
import { join } from 'node:path';
import { CommandLine, parseNames, runCommand } from '../contract/src/cli.ts';
import { type Ran, ROOT, run } from './tools/process.ts';

interface Stage {
  name: string;
  args: string[];
  /** Printed as it comes, since it takes longer than two seconds. */
  live?: boolean;
}

const bin = (file: string) => join(ROOT, 'node_modules', file);

/** Long messages, which say what the part that is at fault may import. */
const IMPORTS = [
  ...['--config', 'dependency-cruiser.config.ts', '--output-type', 'err-long'],
  ...['generated', 'openapi', 'contract', 'client', 'conformance', 'gateway', 'scripts', 'tests'],
];

const STAGES: Stage[] = [
  { name: 'lint', args: ['scripts/lint.ts'] },
  { name: 'stale', args: ['scripts/build.ts', '--check'] },
  { name: 'diff', args: ['scripts/diff.ts'] },
  { name: 'types', args: [bin('typescript7/bin/tsc'), '-p', '.'] },
  { name: 'style', args: [bin('@biomejs/biome/bin/biome'), 'ci', '--colors=off'] },
  { name: 'imports', args: [bin('dependency-cruiser/bin/dependency-cruiser.mjs'), ...IMPORTS] },
  { name: 'unused', args: [bin('knip/bin/knip.js'), '--no-progress'] },
  { name: 'tests', args: [bin('vitest/vitest.mjs'), 'run'], live: true },
];

const NAMES = STAGES.map(({ name }) => name);

const command = new CommandLine('npm test --')
  .description(
    'Run every check: lint of the contract, stale artifacts, changes since the release, types, style, imports between parts, unused code, tests.',
  )
  .option('--only <stages>', `Stages to run: ${NAMES.join(', ')}.`, parseNames(NAMES))
  .handle(async ({ only = NAMES }: { only?: string[] }) => {
    const failed: string[] = [];
    for (const stage of STAGES.filter(({ name }) => only.includes(name))) {
      if (!(await passes(stage))) failed.push(stage.name);
    }
    console.log(failed.length === 0 ? '\nall checks passed' : `\nfailed: ${failed.join(', ')}`);
    return failed.length === 0 ? 0 : 1;
  });

process.exitCode = await runCommand(command);

async function passes(stage: Stage): Promise<boolean> {
  const started = performance.now();
  if (stage.live) console.log(`${stage.name} …`);
  const ran: Ran = await run(process.execPath, stage.args, { allowFailure: true, live: stage.live === true });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${ran.code === 0 ? 'ok    ' : 'FAILED'} ${stage.name.padEnd(8)} ${seconds} s`);
  if (ran.code !== 0) console.log(`${ran.stdout}${ran.stderr}`);
  return ran.code === 0;
}
