/** `npm run bench`: the performance table, all measured in one run on one machine, ratios first. */
import { rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { type Command, main, parseCommand, parseNames, parseNumber } from '../../contract/src/cli.ts';
import { temporaryFolder } from '../tools/temporary.ts';
import { measureClient } from './client.ts';
import { DURABLE_NOTE } from './clusters.ts';
import { measureCosts } from './costs.ts';
import { measureGrowth } from './growth.ts';
import type { Bench } from './part.ts';
import { measurePostgres } from './postgres.ts';
import { measureProcesses } from './processes.ts';
import { measureRequests } from './requests.ts';
import { formatTable, type Row } from './table.ts';
import { measureBacklog, measureWebhooks } from './webhooks.ts';

/** The parts of the performance table. */
const PARTS: Readonly<Record<string, (bench: Bench) => Promise<Row[]>>> = {
  requests: measureRequests,
  growth: measureGrowth,
  postgres: measurePostgres,
  webhooks: measureWebhooks,
  backlog: measureBacklog,
  client: measureClient,
};

/** Tables of their own, without targets; they are made when they are asked for. */
const TABLES: Readonly<Record<string, (bench: Bench) => Promise<string>>> = {
  costs: measureCosts,
  processes: measureProcesses,
};

/** What a reader of a part's rows has to know. */
const NOTES: Readonly<Record<string, string>> = { postgres: DURABLE_NOTE };

const COMMAND: Command = {
  name: 'npm run bench --',
  summary: 'Measures the gateway beside its peers, and prints a table of ratios and targets.',
  options: {
    only: {
      type: 'string',
      value: 'NAME[,NAME]',
      multiple: true,
      description: `Parts of the table: ${Object.keys(PARTS).join(', ')}; or tables of their own: ${Object.keys(TABLES).join(', ')}.`,
    },
    seconds: { type: 'string', value: 'SECONDS', default: '4', description: 'Length of one measurement.' },
    rounds: { type: 'string', value: 'ROUNDS', default: '3', description: 'Measurements of each; medians are shown.' },
    payments: {
      type: 'string',
      value: 'NUMBER',
      default: '1000000',
      description: 'Payments in the file of growth; a million take 3 GB of the temporary folder.',
    },
    backlog: { type: 'string', value: 'NUMBER', default: '100000', description: 'Webhooks that wait in backlog.' },
  },
  notes: [
    'Everything runs on loopback and in a temporary folder. Close other programs: the machine is the measure.',
    'Exit codes: 0 every target was met, 1 one was not or a part failed, 2 called wrongly.',
  ],
};

await main(async () => {
  const given = parseCommand(COMMAND);
  const { only = Object.keys(PARTS) } = given.values;
  const wanted = parseNames(COMMAND, only, Object.keys({ ...PARTS, ...TABLES }));
  const size = {
    seconds: parseNumber(given, 'seconds', { least: 0.1, most: 600 }),
    rounds: parseNumber(given, 'rounds', { most: 600 }),
    payments: parseNumber(given, 'payments', { most: 100_000_000 }),
    backlog: parseNumber(given, 'backlog', { most: 10_000_000 }),
  };
  const folder = await temporaryFolder('bench');

  const rows: Row[] = [];
  const texts: string[] = [];
  const failed: string[] = [];
  for (const name of wanted) {
    const bench = { ...size, folder: join(folder, name), say: (text: string) => console.error(`… ${text}`) };
    await mkdir(bench.folder);
    try {
      rows.push(...((await PARTS[name]?.(bench)) ?? []));
      texts.push((await TABLES[name]?.(bench)) ?? NOTES[name] ?? '');
    } catch (error) {
      failed.push(`${name} failed: ${(error as Error).message}`);
    }
    rmSync(bench.folder, { recursive: true, force: true });
  }
  const shown = [rows.length > 0 ? formatTable(rows) : '', ...texts, machine()];
  console.log(shown.filter((text) => text !== '').join('\n\n'));
  for (const line of failed) console.error(line);
  return failed.length > 0 || rows.some(({ target }) => target && !target.met) ? 1 : 0;
});

function machine(): string {
  const [cpu] = cpus();
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  const date = new Date().toISOString().slice(0, 10);
  return [`${cpus().length} × ${cpu?.model.trim()}`, memory, `Node ${process.versions.node}`, date].join(', ');
}
