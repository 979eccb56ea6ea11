/** `npm run verify:self`: runs the conformance kit against services with known defects, and against valid variations. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { CommandLine, parseNumber, runCommand, UserError } from '../../../contract/src/cli.ts';
import { CONDITIONS, type ConditionOutcome, runUnder } from './conditions.ts';
import { DEFECTS } from './defects/index.ts';
import { openSqliteFile } from './reference.ts';
import { NOT_EXERCISED, type Outcome } from './trial.ts';
import { VARIATIONS } from './variations/index.ts';
import type { Assignment } from './worker.ts';

const WORKER = fileURLToPath(new URL('worker.ts', import.meta.url));
const IS_DEFECT = new Set(DEFECTS.map(({ id }) => id));

interface Flags {
  readonly only?: string;
  readonly concurrent: number;
  readonly processes: number;
  readonly allChecks?: boolean;
  readonly list?: boolean;
  readonly conditions?: boolean;
  readonly times: number;
}

const command = new CommandLine('npm run verify:self --')
  .description('Run the conformance kit against services with defects, and against valid variations.')
  .option('--only <prefixes>', 'Run the trials whose ids begin with these, such as shape,webhooks/signature.')
  .option('--all-checks', 'Run every check on each defect, and name all that report it.')
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
    const ids = select([...DEFECTS, ...VARIATIONS], flags.only);
    if (flags.list) return ids.join('\n');
    const outcomes = await tryAll(ids, flags);
    console.log(formatOutcomes(outcomes));
    return outcomes.every(({ passed }) => passed) ? 0 : 1;
  });

process.exitCode = await runCommand(command);

function select(all: readonly { readonly id: string }[], only = ''): string[] {
  const prefixes = only.split(',');
  const ids = all.map(({ id }) => id).filter((id) => prefixes.some((prefix) => id.startsWith(prefix)));
  if (ids.length === 0)
    throw new UserError(`No trial has an id that begins with '${only}'. Try: npm run verify:self -- --list`, 2);
  return ids;
}

/** Runs the trials in several processes, each with its share of them. */
async function tryAll(ids: readonly string[], { processes, concurrent, allChecks = false }: Flags): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const report = (outcome: Outcome): void => {
    outcomes.push(outcome);
    const verdict = outcome.passed ? `ok ${outcome.id}` : `MISSED ${outcome.id}: ${outcome.because}`;
    process.stderr.write(`… ${outcomes.length}/${ids.length} ${verdict}\n`);
  };
  const shares = Array.from({ length: Math.min(processes, ids.length) }, (_, index) =>
    ids.filter((_id, position) => position % processes === index),
  );
  await Promise.all(
    shares.map(async (share) => {
      const child = fork(WORKER);
      child.on('message', report);
      child.send({ ids: share, concurrent, allChecks } satisfies Assignment);
      const [code] = await once(child, 'exit');
      if (code !== 0) throw new Error(`a process of the trial ended with ${code}; see its messages above`);
    }),
  );
  return ids.flatMap((id) => outcomes.find((outcome) => outcome.id === id) ?? []);
}

async function tryConditions({ only, list, times }: Flags): Promise<number | string> {
  const ids = select(CONDITIONS, only);
  if (list) return ids.join('\n');
  let passed = true;
  for (const condition of CONDITIONS.filter(({ id }) => ids.includes(id))) {
    for (let run = 1; run <= times; run += 1) {
      const outcome = await runUnder(condition, openSqliteFile);
      console.log(`${formatCondition(outcome)}\n`);
      passed &&= outcome.passed;
    }
  }
  return passed ? 0 : 1;
}

/** A line for each trial, with failed ones last, and the shares of each area. */
function formatOutcomes(outcomes: readonly Outcome[]): string {
  const lines = outcomes
    .toSorted((one, other) => Number(other.passed) - Number(one.passed))
    .map((outcome) => `${nameVerdict(outcome)} ${outcome.id}: ${outcome.because} [${outcome.ms} ms]`);
  const areas = [...Map.groupBy(outcomes, ({ id }) => id.split('/')[0] ?? '')];
  const share = (all: readonly Outcome[]) => `${all.filter(({ passed }) => passed).length}/${all.length}`;
  return [...lines, '', ...areas.map(([area, all]) => `${area} ${share(all)}`)].join('\n');
}

function nameVerdict({ id, passed, because }: Outcome): string {
  if (because.startsWith(NOT_EXERCISED)) return 'unused  ';
  if (IS_DEFECT.has(id)) return passed ? 'reported' : 'MISSED  ';
  return passed ? 'passed  ' : 'FALSE   ';
}

/** A run under a condition, with a line for each reason why checks don't conform. */
function formatCondition({ id, passed, exitCode, ms, seed, others }: ConditionOutcome): string {
  const head = `${passed ? 'ok   ' : 'FALSE'} ${id}: exit code ${exitCode}, ${Math.round(ms / 1_000)} s, seed ${seed}`;
  const byReason = Map.groupBy(others, ({ verdict, detail }) => `${verdict}: ${detail}`);
  const lines = [...byReason].map(([reason, checks]) => {
    const more = checks.length > 1 ? ` and ${checks.length - 1} more` : '';
    return `      ${checks[0]?.check}${more}, ${reason}`;
  });
  return [head, ...lines].join('\n');
}
