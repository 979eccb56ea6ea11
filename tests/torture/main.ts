/**
 * `npm run torture`: losses of a gateway that is killed, disconnected from its database, out of disk space, or sent bad requests.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandLine, parseNames, parseNumber, runCommand } from '../../contract/src/cli.ts';
import { startPostgres } from '../tools/postgres.ts';
import { temporaryFolder } from '../tools/temporary.ts';
import { torturedByFullDisks } from './disk.ts';
import { torturedByFailovers } from './failover.ts';
import { torturedByKills } from './kill.ts';
import type { Result, Torture } from './part.ts';
import { torturedByOutages } from './postgres.ts';
import { formatReport, type Report } from './report.ts';
import { torturedByRequests } from './requests.ts';

interface Size {
  readonly rounds: number | undefined;
  readonly requests: number;
}

/** The parts by name. The numbers are the rounds of each, unless `--rounds` is given. */
const PARTS: Readonly<Record<string, (torture: Torture, size: Size) => Promise<Result>>> = {
  kill: (torture, { rounds = 200 }) => torturedByKills(torture, { rounds, patient: true }),
  'kill-postgres': async (torture, { rounds = 20 }) => {
    const postgres = await startPostgres();
    const options = { rounds, processes: 2, databaseUrl: postgres.url, patient: true };
    return torturedByKills(torture, options).finally(() => postgres.close());
  },
  postgres: (torture, { rounds = 10 }) => torturedByOutages(torture, { rounds }),
  failover: (torture, { rounds = 10 }) => torturedByFailovers(torture, { rounds, patient: true }),
  disk: (torture, { rounds = 10 }) => torturedByFullDisks(torture, { rounds }),
  requests: (torture, { requests }) => torturedByRequests(torture, { requests }),
};

const SEED_MAX = 2 ** 32 - 1;

interface Flags {
  readonly only?: string[];
  readonly rounds?: number;
  readonly requests: number;
  readonly seed?: number;
}

const command = new CommandLine('npm run torture --')
  .description('Kill, starve and attack gateways in their own processes, and report what they lost or got wrong.')
  .option('--only <parts>', `Parts to run: ${Object.keys(PARTS).join(', ')}.`, parseNames(Object.keys(PARTS)))
  .option(
    '--rounds <number>',
    'Rounds of each part, instead of 200 kills, 20 kills on PostgreSQL, 10 outages, 10 failovers and 10 full disks.',
    parseNumber({ max: 100_000 }),
  )
  .option('--requests <number>', 'Bad requests.', parseNumber({ max: 100_000_000 }), 100_000)
  .option(
    '--seed <number>',
    'Repeat the bad requests and the kill times of an earlier run. How requests interleave is not repeated.',
    parseNumber({ min: 0, max: SEED_MAX }),
  )
  .addHelpText(
    'after',
    `
Everything runs on loopback and in temporary folders. All parts take about seven minutes.
The full disk is a small file system if this user may mount one, and a limit on the size of files otherwise.
Exit codes: 0 nothing was lost, 1 something was lost or a part failed, 2 the command was called incorrectly.`,
  )
  .handle(async ({ only = Object.keys(PARTS), rounds, requests, seed = newSeed() }: Flags) => {
    console.error(`seed ${seed}`);
    const folder = await temporaryFolder('torture');
    const reports: Report[] = [];
    for (const name of only) reports.push(await runPart(name, join(folder, name), seed, { rounds, requests }));
    console.log(formatReport(reports, seed));
    return reports.some(({ findings }) => findings.length > 0) ? 1 : 0;
  });

process.exitCode = await runCommand(command);

async function runPart(name: string, folder: string, seed: number, size: Size): Promise<Report> {
  await mkdir(folder);
  const began = performance.now();
  const say = (text: string) => console.error(`… ${name}: ${text}`);
  say('starting');
  const result = await PARTS[name]?.({ seed, folder, say }, size).catch(unfinished);
  return { name, seconds: (performance.now() - began) / 1_000, ...(result ?? { counts: {}, findings: [] }) };
}

/** A part that could not continue, for instance because a gateway doesn't restart, counts as failed. */
function unfinished(error: Error): Result {
  return { counts: {}, findings: [`it could not continue: ${error.stack ?? error.message}`] };
}

function newSeed(): number {
  return Math.floor(Math.random() * (SEED_MAX + 1));
}
