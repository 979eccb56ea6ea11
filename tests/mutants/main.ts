/** `npm run mutants`: small changes of the code, each of which should make a test fail. */
import { globSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { LogLevel, MutantResult, PartialStrykerOptions } from '@stryker-mutator/api/core';
import { Stryker } from '@stryker-mutator/core';
import { CommandLine, parseNumber, runCommand, UserError } from '../../contract/src/cli.ts';
import { ROOT } from '../../scripts/tools/process.ts';
import { alignedTable } from '../tools/aligned-table.ts';
import { temporaryFolder } from '../tools/temporary.ts';
import { AREAS, type Area } from './areas.ts';
import { OUTSIDE, type Sample, selectSample } from './sample.ts';

interface Flags {
  readonly sample?: number;
  readonly seed: number;
  readonly concurrency: number;
}

const MAX = 1e6;
const HEAD = ['File', 'Killed', 'Survived', 'Timeout', 'Score'];
const SOURCES = AREAS.map(({ source }) => source);

const command = new CommandLine('npm run mutants --')
  .description('Change the code in small ways, one at a time, and list the changes that no test notices.')
  .argument('[path]', 'A folder or a file of these areas. By default, each of them, which takes hours.')
  .option('--sample <number>', 'Mutants of each area to try. Default: all.', parseNumber({ max: MAX }))
  .option('--seed <number>', 'Selects the sample.', parseNumber({ min: 0, max: MAX }), 1)
  .option('--concurrency <number>', 'Processes that run tests.', parseNumber({ max: 64 }), 1)
  .addHelpText(
    'after',
    `
Areas: ${SOURCES.join(', ')}.
Their tests are in tests/mutants/areas.ts. Run it with a low priority, such as nice -n 15.
Exit codes: 0 every mutant was killed, 1 some survived, 2 the command was called incorrectly.`,
  )
  .handle(async (flags: Flags, path?: string) => {
    const lines: string[][] = [];
    const survivors: string[] = [];
    for (const area of selectAreas(path)) {
      console.error(`… ${area.mutate}`);
      const mutants = await tryMutants(area, flags);
      lines.push(...tabulate(mutants));
      survivors.push(...mutants.filter(survives).map(describeSurvivor));
    }
    console.log([alignedTable(HEAD, lines), ...survivors].join('\n'));
    return survivors.length > 0 ? 1 : 0;
  });

process.exitCode = await runCommand(command);

/** The areas with the files to mutate: everything, one area, or one folder or file in it. */
function selectAreas(path: string | undefined): (Area & { mutate: string })[] {
  if (path === undefined) return AREAS.map((area) => ({ ...area, mutate: area.source }));
  const chosen = relative(ROOT, resolve(path));
  const contains = (folder: string, inner: string) => inner === folder || inner.startsWith(`${folder}/`);
  const area = AREAS.find(({ source }) => contains(source, chosen));
  if (area) return [{ ...area, mutate: chosen }];
  const inside = AREAS.filter(({ source }) => contains(chosen, source));
  if (inside.length > 0) return inside.map((each) => ({ ...each, mutate: each.source }));
  throw new UserError(`${path} is in none of the areas: ${SOURCES.join(', ')}. Add it to tests/mutants/areas.ts.`, 2);
}

async function tryMutants({ mutate, tests }: Area & { mutate: string }, flags: Flags): Promise<MutantResult[]> {
  const include = tests.flatMap((pattern) => globSync(pattern, { cwd: ROOT }).toSorted());
  // Read by vitest.config.ts. Stryker's own selection of test files would let module-level mutants survive.
  process.env['MUTANTS_TESTS'] = JSON.stringify([...new Set(include)]);
  const sample: Sample = { size: flags.sample ?? MAX, seed: flags.seed };
  const options: PartialStrykerOptions = {
    mutate: [mutate.endsWith('.ts') ? mutate : `${mutate}/**/*.ts`],
    testRunner: 'vitest',
    vitest: { configFile: 'tests/mutants/vitest.config.ts', related: false },
    plugins: ['@stryker-mutator/vitest-runner', resolve(ROOT, 'tests/mutants/sample.ts')],
    checkers: ['sample'],
    sample,
    concurrency: flags.concurrency,
    // Machines stall.
    timeoutMS: 45_000,
    dryRunTimeoutMinutes: 30,
    disableTypeChecks: false,
    ignorePatterns: ['data', 'dist', 'docs/pictures', 'generated/site'],
    tempDirName: await temporaryFolder('mutants'),
    reporters: ['progress-append-only'],
    logLevel: 'warn' as LogLevel,
    warnings: false,
  };
  const results = await new Stryker(options).runMutationTest();
  const selected = selectSample(results, sample);
  if (selected.some(({ statusReason }) => statusReason === OUTSIDE)) throw new Error('Two samples were selected.');
  return selected;
}

function survives({ status }: MutantResult): boolean {
  return status === 'Survived' || status === 'NoCoverage';
}

/** A line per file, and the total. */
function tabulate(mutants: readonly MutantResult[]): string[][] {
  const line = (name: string, of: readonly MutantResult[]) => {
    const survived = of.filter(survives).length;
    const timeouts = of.filter(({ status }) => status === 'Timeout').length;
    const killed = of.length - survived - timeouts;
    const score = of.length === 0 ? '' : `${((100 * (killed + timeouts)) / of.length).toFixed(1)} %`;
    return [name, ...[killed, survived, timeouts].map(String), score];
  };
  const byFile = Object.entries(Object.groupBy(mutants, ({ fileName }) => relative(ROOT, fileName)));
  return [...byFile.toSorted().map(([file, of = []]) => line(file, of)), line('Total', mutants)];
}

function describeSurvivor({ status, replacement, mutatorName, fileName, location: { start } }: MutantResult): string {
  const change = (replacement ?? '').replaceAll(/\s+/g, ' ').slice(0, 100);
  const place = `${relative(ROOT, fileName)}:${start.line}:${start.column}`;
  return `${place} ${mutatorName} → ${change}${status === 'NoCoverage' ? ' (reached by no test)' : ''}`;
}
