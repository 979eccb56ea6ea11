/** `npm run bench`: the performance table, measured in one run on one machine, with ratios first. */
import { rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { CommandLine, parseNames, parseNumber, runCommand } from '../../contract/src/cli.ts';
import { temporaryFolder } from '../tools/temporary.ts';
import { measureClient } from './client.ts';
import { DURABLE_NOTE } from './clusters.ts';
import { measureCosts } from './costs.ts';
import { FLOW_NOTE, measureFlow } from './flow.ts';
import { measureGrowth } from './growth.ts';
import { measureMerchants } from './merchants.ts';
import type { Bench } from './part.ts';
import { measurePhone } from './phone.ts';
import { measurePostgres } from './postgres.ts';
import { measureProcesses } from './processes.ts';
import { profileFlow } from './profile.ts';
import { measureRequests } from './requests.ts';
import { measureSandbox } from './sandbox.ts';
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
  flow: measureFlow,
  merchants: measureMerchants,
  sandbox: measureSandbox,
};

/** Tables without targets, created only on request. */
const TABLES: Readonly<Record<string, (bench: Bench) => Promise<string>>> = {
  costs: measureCosts,
  processes: measureProcesses,
  phone: measurePhone,
};

/** Notes for readers of a part's rows. */
const NOTES: Readonly<Record<string, string>> = { postgres: DURABLE_NOTE, flow: FLOW_NOTE, merchants: DURABLE_NOTE };

interface Flags {
  readonly only?: string[];
  readonly seconds: number;
  readonly rounds: number;
  readonly payments: number;
  readonly backlog: number;
  readonly against?: string;
  readonly profile?: string;
  readonly output?: string;
}

const command = new CommandLine('npm run bench --')
  .description('Measure the gateway, its peers and the reference, and print a table of ratios and targets.')
  .option(
    '--only <names>',
    `Parts of the table: ${Object.keys(PARTS).join(', ')}. Separate tables: ${Object.keys(TABLES).join(', ')}.`,
    parseNames(Object.keys({ ...PARTS, ...TABLES })),
  )
  .option('--seconds <seconds>', 'Length of one measurement.', parseNumber({ min: 0.1, max: 600 }), 4)
  .option('--rounds <number>', 'Measurements of each. The table shows medians.', parseNumber({ max: 600 }), 3)
  .option(
    '--payments <number>',
    'Payments in the database of growth. A million take 3 GB of the temporary folder.',
    parseNumber({ max: 100_000_000 }),
    1_000_000,
  )
  .option('--backlog <number>', 'Webhooks that wait in backlog.', parseNumber({ max: 10_000_000 }), 100_000)
  .option('--against <ref>', 'Revision of this repository with whose flow to compare.')
  .option('--output <file>', 'Write the tables to this Markdown file, too.')
  .option('--profile <file>', 'Write a flame graph of the flow on SQLite to this SVG file, and print times by folder.')
  .addHelpText(
    'after',
    `
Everything runs on loopback and in a temporary folder. Close other programs, since they distort the figures.
Exit codes: 0 every target was met, 1 a target was missed or a part failed, 2 the command was called incorrectly.`,
  )
  .handle(async ({ only, profile, output, ...size }: Flags) => {
    if (profile === undefined) return measure(only ?? Object.keys(PARTS), size, output);
    const folder = await temporaryFolder('profile');
    console.log(await profileFlow({ ...size, folder, say }, profile));
    return 0;
  });

process.exitCode = await runCommand(command);

function say(text: string): void {
  console.error(`… ${text}`);
}

async function measure(
  names: readonly string[],
  size: Omit<Flags, 'only' | 'profile' | 'output'>,
  output: string | undefined,
): Promise<number> {
  const folder = await temporaryFolder('bench');

  const rows: Row[] = [];
  const texts: string[] = [];
  const failed: string[] = [];
  for (const name of names) {
    const bench = { ...size, folder: join(folder, name), say };
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
  const text = shown.filter((part) => part !== '').join('\n\n');
  console.log(text);
  if (output !== undefined) {
    await writeFile(output, `# Results of the bench\n\nWritten by \`npm run bench -- --output\`.\n\n${text}\n`);
  }
  for (const line of failed) console.error(line);
  return failed.length > 0 || rows.some(({ target }) => target && !target.met) ? 1 : 0;
}

function machine(): string {
  const [cpu] = cpus();
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  const date = new Date().toISOString().slice(0, 10);
  return [`${cpus().length} × ${cpu?.model.trim()}`, memory, `Node ${process.versions.node}`, date].join(', ');
}
