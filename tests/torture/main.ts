/** `npm run torture`: what the gateway loses when it is killed, cut off from its database, out of disk, or lied to. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Command, main, parseCommand, parseNames, parseNumber } from '../../contract/src/cli.ts';
import { startPostgres } from '../tools/postgres.ts';
import { temporaryFolder } from '../tools/temporary.ts';
import { torturedByFullDisks } from './disk.ts';
import { torturedByKills } from './kill.ts';
import type { Result, Torture } from './part.ts';
import { torturedByOutages } from './postgres.ts';
import { formatReport, type Report } from './report.ts';
import { torturedByRequests } from './requests.ts';

interface Size {
  readonly rounds: number | undefined;
  readonly requests: number;
}

/** The parts by name; the numbers are the rounds of each unless `--rounds` is given. */
const PARTS: Readonly<Record<string, (torture: Torture, size: Size) => Promise<Result>>> = {
  kill: (torture, { rounds = 200 }) => torturedByKills(torture, { rounds, patient: true }),
  'kill-postgres': async (torture, { rounds = 20 }) => {
    const postgres = await startPostgres();
    const options = { rounds, processes: 2, databaseUrl: postgres.url, patient: true };
    return torturedByKills(torture, options).finally(() => postgres.close());
  },
  postgres: (torture, { rounds = 10 }) => torturedByOutages(torture, { rounds }),
  disk: (torture, { rounds = 10 }) => torturedByFullDisks(torture, { rounds }),
  requests: (torture, { requests }) => torturedByRequests(torture, { requests }),
};

const SEED_MAX = 2 ** 32 - 1;

const COMMAND: Command = {
  name: 'npm run torture --',
  summary: 'Tortures gateways in processes of their own, and says what they lost or answered wrongly.',
  options: {
    only: {
      type: 'string',
      value: 'PART[,PART]',
      multiple: true,
      description: `Parts: ${Object.keys(PARTS).join(', ')}.`,
    },
    rounds: {
      type: 'string',
      value: 'NUMBER',
      description: 'Kills, outages and full disks, instead of 200, 20, 10 and 10.',
    },
    requests: { type: 'string', value: 'NUMBER', default: '100000', description: 'Bad requests.' },
    seed: {
      type: 'string',
      value: 'NUMBER',
      description:
        'Repeats the bad requests and the moments of kills of an earlier run; the orders in between come as the network has it.',
    },
  },
  notes: [
    'Everything runs on loopback and in temporary folders. All parts take about five minutes.',
    'The disk is a small file system where this user may mount one, and otherwise a limit on the size of files.',
    'Exit codes: 0 nothing was lost in what could be done here, 1 something was or a part could not go on, 2 called wrongly.',
  ],
};

await main(async () => {
  const given = parseCommand(COMMAND);
  const { only, rounds, seed: repeated } = given.values;
  const wanted = parseNames(COMMAND, only, Object.keys(PARTS));
  const seed = repeated === undefined ? newSeed() : parseNumber(given, 'seed', { least: 0, most: SEED_MAX });
  const size = {
    rounds: rounds === undefined ? undefined : parseNumber(given, 'rounds', { most: 100_000 }),
    requests: parseNumber(given, 'requests', { most: 100_000_000 }),
  };
  console.error(`seed ${seed}`);
  const folder = await temporaryFolder('torture');
  const reports: Report[] = [];
  for (const name of wanted) reports.push(await runPart(name, join(folder, name), seed, size));
  console.log(formatReport(reports, seed));
  return reports.some(({ findings }) => findings.length > 0) ? 1 : 0;
});

async function runPart(name: string, folder: string, seed: number, size: Size): Promise<Report> {
  await mkdir(folder);
  const began = performance.now();
  const say = (text: string) => console.error(`… ${name}: ${text}`);
  say('starting');
  const result = await PARTS[name]?.({ seed, folder, say }, size).catch(unfinished);
  return { name, seconds: (performance.now() - began) / 1_000, ...(result ?? { counts: {}, findings: [] }) };
}

/** A part that could not go on, as when a gateway does not start again, is not one that was survived. */
function unfinished(error: Error): Result {
  return { counts: {}, findings: [`it could not go on: ${error.stack ?? error.message}`] };
}

function newSeed(): number {
  return Math.floor(Math.random() * (SEED_MAX + 1));
}
