/** `npm run torture`: losses of a gateway that is killed, disconnected from its database, or out of disk space. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandLine, parseNames, parseNumber, runCommand } from '../../contract/src/cli.ts';
import { alignedTable } from '../tools/aligned-table.ts';
import { temporaryFolder } from '../tools/temporary.ts';
import { fillDisk } from './disk.ts';
import { failOver } from './failover.ts';
import type { Result, Torture } from './gateways.ts';
import { killGateways, killGatewaysOnPostgres } from './kill.ts';
import { stopDatabase } from './stop.ts';

interface Part {
  readonly rounds: number;
  readonly run: (torture: Torture, rounds: number) => Promise<Result>;
}

const PARTS: Readonly<Record<string, Part>> = {
  kill: { rounds: 200, run: killGateways },
  'kill-postgres': { rounds: 20, run: killGatewaysOnPostgres },
  stop: { rounds: 10, run: stopDatabase },
  failover: { rounds: 10, run: failOver },
  disk: { rounds: 10, run: fillDisk },
};
const DEFAULT_ROUNDS = Object.entries(PARTS).map(([name, { rounds }]) => `${name} ${rounds}`);

const command = new CommandLine('npm run torture --')
  .description('Break gateways in their own processes under load, and report what they lost or got wrong.')
  .option('--only <parts>', `Parts to run: ${Object.keys(PARTS).join(', ')}.`, parseNames(Object.keys(PARTS)))
  .option('--rounds <number>', `Rounds of each part. Default: ${DEFAULT_ROUNDS.join(', ')}.`, parseNumber({ max: 1e5 }))
  .option('--seed <number>', 'Repeat the fault times of an earlier run.', parseNumber({ min: 0, max: 2 ** 32 - 1 }))
  .addHelpText(
    'after',
    `
Everything runs on loopback and in temporary folders. All parts take about seven minutes.
The full disk is a small file system if this user may mount one, and a limit on the size of files otherwise.
Exit codes: 0 nothing was lost, 1 something was lost or a part failed, 2 the command was called incorrectly.`,
  )
  .handle(async (flags: { only?: string[]; rounds?: number; seed?: number }) => {
    const { only = Object.keys(PARTS), rounds, seed = Math.floor(Math.random() * 2 ** 32) } = flags;
    console.error(`seed ${seed}`);
    const folder = await temporaryFolder('torture');
    const rows: string[][] = [];
    const findings: string[] = [];
    for (const name of only) {
      const began = performance.now();
      const result = await runPart(name, rounds, { seed, folder: join(folder, name) });
      const verdict = result.findings.length === 0 ? 'nothing lost' : `${result.findings.length} findings`;
      rows.push([name, verdict, `${((performance.now() - began) / 1_000).toFixed(1)} s`]);
      rows.push(...Object.entries(result.counts).map(([count, value]) => ['', count, value.toLocaleString('en-US')]));
      findings.push(...result.findings.map((finding) => `${name}: ${finding}`));
    }
    console.log([alignedTable(['Part', 'Count', 'Figure'], rows), ...findings].join('\n'));
    if (findings.length > 0) console.log(`Repeat it with --seed ${seed}`);
    return findings.length > 0 ? 1 : 0;
  });

process.exitCode = await runCommand(command);

/** A part that can't continue, for instance because a gateway doesn't restart, has failed. */
async function runPart(name: string, rounds: number | undefined, torture: Omit<Torture, 'say'>): Promise<Result> {
  const part = PARTS[name] as Part;
  await mkdir(torture.folder);
  const say = (text: string) => console.error(`… ${name}: ${text}`);
  say('starting');
  return part.run({ ...torture, say }, rounds ?? part.rounds).catch((error: Error) => {
    return { counts: {}, findings: [`it could not continue: ${error.stack ?? error.message}`] };
  });
}
