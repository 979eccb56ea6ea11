/** `npm run bench`: the performance table, all measured in one run on one machine, ratios first. */
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { measureClient } from './bench/client.ts';
import { measureRequests } from './bench/requests.ts';
import { formatTable, type Row } from './bench/table.ts';
import { measureWebhooks } from './bench/webhooks.ts';
import { type Command, main, parseCommand, UserError } from './tools/cli.ts';

const COMMAND: Command = {
  name: 'npm run bench --',
  summary: 'Measures the gateway against Prism, against a floor and against an echo, and prints a table.',
  options: {
    seconds: { type: 'string', value: 'SECONDS', default: '4', description: 'Length of one measurement.' },
    rounds: { type: 'string', value: 'ROUNDS', default: '3', description: 'Measurements of each; medians are shown.' },
  },
  notes: ['Everything runs on loopback and in a temporary folder. Close other programs: the machine is the measure.'],
};

await main(async () => {
  const { values } = parseCommand(COMMAND);
  const seconds = whole(values['seconds'], 'seconds');
  const rounds = whole(values['rounds'], 'rounds');
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  const say = (text: string) => console.error(`… ${text}`);
  try {
    const rows: Row[] = [
      ...(await measureRequests({ folder, seconds, rounds, say })),
      ...(await measureWebhooks({ folder, seconds, say })),
      ...(await measureClient({ folder, say })),
    ];
    const [cpu] = cpus();
    console.log(`${formatTable(rows)}\n`);
    console.log(
      `${cpus().length} × ${cpu?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}`,
    );
    return rows.some(({ target }) => target && !target.met) ? 1 : 0;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

function whole(text: unknown, name: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1 || number > 600)
    throw new UserError(`--${name} is '${text}'; it must be 1 to 600`, 2);
  return number;
}
