/** `npm run bench`: the performance table, measured in one run on one machine, with ratios first. */
import { rmSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { CommandLine, parseNames, parseNumber, runCommand } from '../../contract/src/cli.ts';
import { ROOT } from '../../scripts/tools/process.ts';
import { alignedTable } from '../tools/aligned-table.ts';
import { temporaryFolder } from '../tools/temporary.ts';
import { measureClient } from './client.ts';
import { measureFlow, measureHeldSnapshot, measureMerchants } from './flow.ts';
import { DURABLE_NOTE } from './gateways.ts';
import type { Bench, Row } from './measure.ts';
import { measureGrowth, measurePostgres, measureRequests } from './requests.ts';
import { measureSandbox } from './sandbox.ts';
import { measureWebhooks } from './webhooks.ts';
import { measureWrites } from './writes.ts';

const PARTS: Readonly<Record<string, (bench: Bench) => Promise<Row[]>>> = {
  writes: measureWrites,
  requests: measureRequests,
  growth: measureGrowth,
  postgres: measurePostgres,
  webhooks: measureWebhooks,
  client: measureClient,
  flow: measureFlow,
  merchants: measureMerchants,
  'held-snapshot': measureHeldSnapshot,
  sandbox: measureSandbox,
};
const NAMES = Object.keys(PARTS);
const NOTE = `${DURABLE_NOTE} The bare flow does only what cannot be left out: see tests/bench/bare-flow.ts.`;

type Flags = Omit<Bench, 'folder' | 'say' | 'atEnd'> & Readonly<{ only?: readonly string[]; write?: boolean }>;

/** The part of the document that `--write` replaces. */
const RESULTS = /(?<=<!-- begin results -->\n)[\s\S]*?(?=<!-- end results -->)/;

const command = new CommandLine('npm run bench --')
  .description('Measure the gateway, its peers and the client, and print a table of ratios and targets.')
  .option('--only <names>', `Parts of the table: ${NAMES.join(', ')}.`, parseNames(NAMES))
  .option('--seconds <seconds>', 'Length of one measurement.', parseNumber({ min: 0.1, max: 600 }), 4)
  .option('--rounds <number>', 'Measurements of each. The table shows medians.', parseNumber({ max: 600 }), 3)
  .option(
    '--payments <number>',
    'Payments of growth. A million take 3 GB.',
    parseNumber({ max: 100_000_000 }),
    1_000_000,
  )
  .option('--backlog <number>', 'Webhooks that wait in webhooks.', parseNumber({ max: 10_000_000 }), 100_000)
  .option('--held <seconds>', 'Length of each half of held-snapshot.', parseNumber({ max: 36_000 }), 600)
  .option('--write', 'Replace the table in docs/performance.md, too.')
  .addHelpText(
    'after',
    `
Everything runs on loopback and in a temporary folder. Close other programs, since they distort the figures.
Exit codes: 0 every target was met, 1 a target was missed or a part failed, 2 the command was called incorrectly.`,
  )
  .handle(async ({ only = NAMES, write, ...size }: Flags) => {
    const root = await temporaryFolder('bench');
    const rows: Row[] = [];
    let hasFailed = false;
    for (const name of only) {
      const folder = join(root, name);
      await mkdir(folder);
      const closes: (() => unknown)[] = [];
      const atEnd = (close: () => unknown) => closes.unshift(close);
      const say = (text: string) => console.error(`… ${text}`);
      try {
        rows.push(...((await PARTS[name]?.({ ...size, folder, say, atEnd })) ?? []));
      } catch (error) {
        hasFailed = true;
        console.error(`${name} failed: ${(error as Error).stack}`);
      }
      for (const close of closes) await close();
      rmSync(folder, { recursive: true, force: true });
    }
    const cells = rows.map((row) => row.cells);
    const table = alignedTable(['What', 'Ratio', 'Figure', 'Peer', 'Target'], cells);
    const [cpu] = cpus();
    const machine = `${cpus().length} × ${cpu?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB`;
    const date = new Date().toISOString().slice(0, 10);
    const text = [table, NOTE, `${machine}, Node ${process.versions.node}, ${date}`].join('\n\n');
    console.log(text);
    if (write) {
      const document = join(ROOT, 'docs/performance.md');
      const old = await readFile(document, 'utf8');
      await writeFile(
        document,
        old.replace(RESULTS, () => `\n${text}\n\n`),
      );
    }
    return hasFailed || rows.some(({ isMissed }) => isMissed) ? 1 : 0;
  });

process.exitCode = await runCommand(command);
