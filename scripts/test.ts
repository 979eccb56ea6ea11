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
  .argument('[files...]', 'Test files, or parts of their paths. Then nothing else runs.')
  .option('--only <stages>', `Stages to run: ${NAMES.join(', ')}.`, parseNames(NAMES))
  .option('-t, --test-name <pattern>', 'Run the tests whose name matches.')
  .handle(async ({ only, testName }: { only?: string[]; testName?: string }, ...files) => {
    const chosen = [...files, ...(testName === undefined ? [] : ['-t', testName])];
    const stages = only ?? (chosen.length > 0 ? ['tests'] : NAMES);
    const failed: string[] = [];
    for (const { name, args, live = false } of STAGES.filter((stage) => stages.includes(stage.name))) {
      if (!(await passes(name, name === 'tests' ? [...args, ...chosen] : args, live))) failed.push(name);
    }
    console.log(failed.length === 0 ? '\nall checks passed' : `\nfailed: ${failed.join(', ')}`);
    return failed.length === 0 ? 0 : 1;
  });

process.exitCode = await runCommand(command);

async function passes(name: string, args: string[], live: boolean): Promise<boolean> {
  const started = performance.now();
  if (live) console.log(`${name} …`);
  const ran: Ran = await run(process.execPath, args, { allowFailure: true, live });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${ran.code === 0 ? 'ok    ' : 'FAILED'} ${name.padEnd(8)} ${seconds} s`);
  if (ran.code !== 0) console.log(`${ran.stdout}${ran.stderr}`);
  return ran.code === 0;
}
