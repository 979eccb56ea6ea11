/** `npm run verify:self`: runs the conformance kit against services with known defects, and against valid variations. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { CommandLine, parseName, parseNames, parseNumber, runCommand, UserError } from '../../../contract/src/cli.ts';
import { CONDITIONS, type Condition, runUnder } from './conditions.ts';
import { DEFECTS } from './defects/index.ts';
import { judgeByExitCode, SETS } from './generated/command.ts';
import { runTrials } from './pool.ts';
import { openSqliteFile } from './reference.ts';
import { formatCondition, formatOutcomes, formatShares } from './report.ts';
import type { Outcome } from './trial.ts';
import { VARIATIONS } from './variations/index.ts';

const WORKER = fileURLToPath(new URL('worker.ts', import.meta.url));
const STORES = ['sqlite', 'postgres'];

const JUDGES = ['check', 'exit-code'] as const;
const SAMPLE_MAX = 1_000_000;

interface Flags {
  readonly store?: string[];
  readonly only?: string;
  readonly concurrent: number;
  readonly processes: number;
  readonly allChecks?: boolean;
  readonly list?: boolean;
  readonly conditions?: boolean;
  readonly times: number;
  readonly set: (typeof SETS)[number];
  readonly by: (typeof JUDGES)[number];
  readonly sample?: number;
  readonly seed: number;
  readonly results?: string;
  readonly again?: boolean;
  readonly minutes?: number;
}

const command = new CommandLine('npm run verify:self --')
  .description('Try the conformance kit on services with planted defects, and on valid services that differ.')
  .option('--store <names>', `Databases. Defaults to ${STORES.join(',')}.`, parseNames(STORES))
  .option('--only <prefixes>', 'Run the trials whose ids begin with these, such as shape,webhooks/signature.')
  .option('--all-checks', 'Run every check on each defect, and name all that report it.')
  .option('--set <set>', `Defects: ${SETS.join(', ')}.`, parseName(SETS), 'planted')
  .option(
    '--by <judge>',
    'Judge a planted defect by its intended check (check), or as all others are, by the exit code of the whole kit at its default settings (exit-code).',
    parseName(JUDGES),
    'check',
  )
  .option('--sample <number>', 'Run so many defects of each set.', parseNumber({ max: SAMPLE_MAX }))
  .option('--seed <number>', 'Seed of the sample.', parseNumber({ min: 0, max: SAMPLE_MAX }), 1)
  .option(
    '--results <file>',
    'Keep each result by exit code in this file, and run only the missing trials, so that a run can be resumed.',
  )
  .option('--again', 'Run the survivors and false alarms in the file of --results again.')
  .option('--minutes <number>', 'Start no trial by exit code after so many minutes.', parseNumber({ max: 1_000 }))
  .option('--list', 'List the trials and run none.')
  .option('--conditions', 'Run the whole kit at its default settings on a valid gateway, under each condition instead.')
  .option('--times <number>', 'Runs under each condition.', parseNumber({ max: 1_000 }), 3)
  .option('--processes <number>', 'Processes that run trials.', parseNumber({ max: 64 }), availableParallelism())
  .option('--concurrent <number>', 'Trials at a time in each process.', parseNumber({ max: 64 }), 4)
  .addHelpText(
    'after',
    `
Goals: every defect is reported by its intended check, and every valid variation passes. Under each condition,
the reference gateway conforms, or is "not shown" where its money settles after the kit's timeout. The conditions:
${CONDITIONS.map(({ id, title }) => `  ${id.padEnd(18)}${title}`).join('\n')}
Exit codes: 0 both goals were met, 1 one was missed, 2 the command was called incorrectly.`,
  )
  .handle(async (flags: Flags) => {
    if (flags.conditions) return tryConditions(flags);
    if (flags.set !== 'planted' || flags.by === 'exit-code') return judgeByExitCode(flags);
    const ids = select(
      [...DEFECTS, ...VARIATIONS].map(({ id }) => id),
      flags.only,
    );
    if (flags.list) return ids.join('\n');
    let missed = false;
    for (const store of flags.store ?? STORES) {
      const outcomes = await tryAll(store, ids, flags);
      console.log(`${formatOutcomes(outcomes)}\n\n${store}: ${formatShares(outcomes)}\n`);
      missed ||= outcomes.some(({ passed }) => !passed);
    }
    return missed ? 1 : 0;
  });

process.exitCode = await runCommand(command);

function select(all: readonly string[], only = ''): string[] {
  const prefixes = only.split(',');
  const ids = all.filter((id) => prefixes.some((prefix) => id.startsWith(prefix)));
  if (ids.length === 0) throw new UserError(`No trial has an id that begins with '${only}'. Try: --list`, 2);
  return ids;
}

/** Waiting conditions run in parallel processes. The busy one runs alone. */
async function tryConditions({ only, list, times }: Flags): Promise<number | string> {
  const ids = select(
    CONDITIONS.map(({ id }) => id),
    only,
  );
  if (list) return ids.join('\n');
  const chosen = CONDITIONS.filter(({ id }) => ids.includes(id));
  const [condition, ...others] = chosen;
  if (condition && others.length === 0) return tryCondition(condition, times);
  const tryInProcess = async ({ id }: Condition): Promise<number> => {
    const child = fork(fileURLToPath(import.meta.url), ['--conditions', '--only', id, '--times', String(times)]);
    const [code] = await once(child, 'exit');
    return code;
  };
  const codes = await Promise.all(chosen.filter(({ isBusy }) => !isBusy).map(tryInProcess));
  for (const busy of chosen.filter(({ isBusy }) => isBusy)) codes.push(await tryInProcess(busy));
  return codes.some((code) => code !== 0) ? 1 : 0;
}

async function tryCondition(condition: Condition, times: number): Promise<number> {
  let missed = false;
  for (let run = 1; run <= times; run += 1) {
    const outcome = await runUnder(condition, openSqliteFile);
    console.log(`${formatCondition(outcome)}\n`);
    missed ||= !outcome.passed;
  }
  return missed ? 1 : 0;
}

async function tryAll(store: string, ids: readonly string[], flags: Flags): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const report = (outcome: Outcome): void => {
    outcomes.push(outcome);
    const line = `${outcomes.length}/${ids.length} ${outcome.passed ? 'ok' : 'MISSED'} ${outcome.id}`;
    process.stderr.write(process.stderr.isTTY ? `\r\u001b[K… ${line}` : `… ${line}\n`);
  };
  const { concurrent, processes, allChecks } = flags;
  await runTrials(WORKER, { ids, store, concurrent, processes, allChecks }, report).finally(() => {
    if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
  });
  return ids.flatMap((id) => outcomes.find((outcome) => outcome.id === id) ?? []);
}
