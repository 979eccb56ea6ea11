/** `npm test`: every check of the project. Those that take seconds run side by side, then the tests. */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { CommandLine, parseNames, runCommand } from '../contract/src/cli.ts';
import { type Ran, ROOT, run } from './tools/process.ts';

interface Stage {
  name: string;
  args: string[];
}

const bin = (file: string) => join(ROOT, 'node_modules', file);
const VITEST = [bin('vitest/vitest.mjs'), 'run'];

/**
 * The tests that own the rules of states and money. A broken rule would fail many other tests too, so the first failures
 * end `npm test`.
 */
const RULES: Stage = { name: 'rules', args: [...VITEST, '--project=rules', '--bail=2'] };
const SKIPPED = 'The other tests depend on these rules, so they were skipped. To run them: npm test -- --only tests';

/** Long messages that include the allowed imports. */
const IMPORTS = [
  ...['--config', 'dependency-cruiser.config.ts', '--output-type', 'err-long'],
  ...['generated', 'openapi', 'contract', 'client', 'conformance', 'gateway', 'scripts', 'tests'],
];

/** The longest comes first, after the rules, for which the tests wait. */
const CHECKS: Stage[] = [
  RULES,
  { name: 'prose', args: ['scripts/prose.ts'] },
  { name: 'lint', args: ['scripts/lint.ts'] },
  { name: 'stale', args: ['scripts/build.ts', '--check'] },
  // Several checkers would check the types that they share several times, and there are other checks for the other cores.
  { name: 'types', args: [bin('typescript7/bin/tsc'), '-p', '.', '--checkers', '1'] },
  // Code for browsers has other globals.
  { name: 'console', args: [bin('typescript7/bin/tsc'), '-p', 'gateway/tsconfig.console.json'] },
  { name: 'style', args: [bin('@biomejs/biome/bin/biome'), 'ci', '--colors=off'] },
  { name: 'imports', args: [bin('dependency-cruiser/bin/dependency-cruiser.mjs'), ...IMPORTS] },
  { name: 'unused', args: [bin('knip/bin/knip.js'), '--no-progress'] },
];

const TESTS: Stage = { name: 'tests', args: [...VITEST, '--project=!rules', '--project=!long'] };
/** Tests that take minutes, or depend on how busy the machine is. */
const LONG: Stage = { name: 'long', args: [...VITEST, '--project=long'] };

const DEFAULT = [...CHECKS, TESTS].map(({ name }) => name);
const NAMES = [...DEFAULT, LONG.name];

const command = new CommandLine('npm test --')
  .description(
    'Run every check: rules of states and money, lint of the contract, stale artifacts, types, types of the console, style, imports between parts, prose, unused code, tests.',
  )
  .argument('[files...]', 'Test files, or parts of their paths. Then nothing else runs.')
  .option('--only <stages>', `Stages to run: ${NAMES.join(', ')}.`, parseNames(NAMES))
  .option('-t, --test-name <pattern>', 'Run the tests whose name matches.')
  .handle(async ({ only, testName }: { only?: string[]; testName?: string }, ...files) => {
    const chosen = [...files, ...(testName === undefined ? [] : ['-t', testName])];
    const stages = only ?? (chosen.length > 0 ? [] : DEFAULT);
    const failed: string[] = [];
    const note = (name: string, ok: boolean) => ok || failed.push(name);
    const checks = CHECKS.filter(({ name }) => stages.includes(name)).values();
    const outcomes = new Map<string, Promise<boolean>>();
    const runChecks = async () => {
      for (const check of checks) {
        const outcome = passes(check);
        outcomes.set(check.name, outcome);
        note(check.name, await outcome);
      }
    };
    const lanes = Array.from({ length: availableParallelism() }, runChecks);
    // A core without remaining checks starts the tests.
    await Promise.race(lanes);
    const rulesHold = (await outcomes.get(RULES.name)) ?? true;
    if (!rulesHold) console.log(SKIPPED);
    const live = rulesHold ? [TESTS, LONG].filter(({ name }) => stages.includes(name)) : [];
    if (chosen.length > 0) live.push({ name: 'chosen', args: [...VITEST, ...chosen] });
    for (const stage of live) {
      console.log(`${stage.name} …`);
      note(stage.name, await passes(stage, true));
    }
    await Promise.all(lanes);
    console.log(failed.length === 0 ? '\nall checks passed' : `\nfailed: ${failed.join(', ')}`);
    return failed.length === 0 ? 0 : 1;
  });

process.exitCode = await runCommand(command);

/** Runs a stage. What takes longer than a few seconds is printed as it comes. */
async function passes({ name, args }: Stage, live = false): Promise<boolean> {
  const started = performance.now();
  const ran: Ran = await run(process.execPath, args, { allowFailure: true, live });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${ran.code === 0 ? 'ok    ' : 'FAILED'} ${name.padEnd(8)} ${seconds} s`);
  if (ran.code !== 0) console.log(`${ran.stdout}${ran.stderr}`);
  return ran.code === 0;
}
