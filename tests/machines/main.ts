/** `npm run test:machines`: the README's two commands in fresh copies of the repository, on readers' machines. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandLine, runCommand, UserError } from '../../contract/src/cli.ts';
import { run } from '../../scripts/tools/process.ts';
import { commitAll, copyDependencies, copyRepository } from '../tools/copy-repository.ts';
import { isRoot, type ServerUser, serverUser } from '../tools/server-user.ts';
import { temporaryFolder } from '../tools/temporary.ts';
import { MACHINES, type Machine, machinePath, type Place } from './machines.ts';

/** Tests of what depends on the machine: databases, the browser, the network, installed programs and files. */
const TESTS = [
  'tests/gateway/checkout/browser.test.ts',
  'tests/gateway/commands/database-properties.test.ts',
  'tests/gateway/deploy/samples.test.ts',
  'tests/gateway/store/database-file.test.ts',
  'tests/gateway/store/full-disk.test.ts',
  'tests/gateway/store/pooler.test.ts',
  'tests/pictures/pictures.test.ts',
  'tests/scripts/documents.test.ts',
  'tests/scripts/run.test.ts',
];
/** With the checks that list files and compare them byte for byte. */
const SELECTED = ['--only', 'style,stale', ...TESTS];
const SCRIPT = 'tests/machines/two-commands.mjs';

interface Flags {
  readonly full?: boolean;
  readonly installed?: boolean;
}

const command = new CommandLine('npm run test:machines --')
  .description("Run the README's two commands in fresh copies of this repository, on machines like those of readers.")
  .argument('[cases...]', 'Names of cases. All by default.')
  .option('--full', 'Run the whole `npm test`, and not only what depends on the machine.')
  .option('--installed', "Copy this repository's dependencies, and don't install them again.")
  .addHelpText(
    'after',
    `
Cases:
${Object.entries(MACHINES)
  .map(([name, { description }]) => `  ${name.padEnd(16)}${description}`)
  .join('\n')}

Each case installs the dependencies unless they are copied, waits until \`npm start\` is ready, and runs \`npm test\`.
Run it as root, which can become an ordinary user. Another user can run the cases of an ordinary user but no-ipv6.`,
  )
  .handle(async ({ full = false, installed = false }: Flags, ...names) => {
    const unknown = names.find((name) => !Object.hasOwn(MACHINES, name));
    if (unknown) throw new UserError(`There is no case '${unknown}'. Cases: ${Object.keys(MACHINES).join(', ')}.`, 2);
    const base = await temporaryFolder('machines');
    await chmod(base, 0o755);
    const failed: string[] = [];
    for (const [name, machine] of Object.entries(MACHINES)) {
      if (names.length > 0 && !names.includes(name)) continue;
      if (!isRoot() && (machine.isRoot || machine.isOffline)) {
        console.log(`skipped ${name.padEnd(16)} needs root`);
      } else if (!(await passes(name, machine, { base, full, installed }))) failed.push(name);
    }
    console.log(failed.length === 0 ? '\nall cases passed' : `\nfailed: ${failed.join(', ')}`);
    return failed.length === 0 ? 0 : 1;
  });

process.exitCode = await runCommand(command);

interface Run {
  /** The folder of all cases. */
  readonly base: string;
  readonly full: boolean;
  readonly installed: boolean;
}

async function passes(name: string, machine: Machine, { base, full, installed }: Run): Promise<boolean> {
  const began = performance.now();
  const log = `${base}-${name}.log`;
  console.log(`${name}: ${machine.description}; output in ${log}`);
  const place: Place = { home: join(base, name, 'home'), outside: join(base, name, 'outside') };
  const clone = join(place.home, machine.folder ?? 'payments-kit');
  for (const folder of [clone, place.outside]) await mkdir(folder, { recursive: true });
  await copyRepository(clone);
  if (installed) await copyDependencies(clone);
  if (machine.git !== false) await commitAll(clone, machine.git);
  const owner = machine.isRoot ? {} : serverUser();
  // Shared by the cases, so that each package is fetched once.
  const cache = join(base, `npm-${owner.uid ?? 'own'}`);
  await mkdir(cache, { recursive: true });
  const usual = { HOME: place.home, npm_config_cache: cache };
  const env = { ...machineEnvironment(), ...usual, ...(await machine.env?.(place)) };
  await prepareFolders(owner, place, cache);
  const output = createWriteStream(log);
  const runs = (within: readonly string[], ...args: string[]) => {
    const commands = ['node', join(clone, SCRIPT), ...args];
    return succeeds([...within, ...become(owner), ...commands], { cwd: clone, env, output });
  };
  const { isOffline = false, within = [] } = machine;
  const passed = (!isOffline || (await runs([], '--install'))) && (await runs(within, ...(full ? [] : SELECTED)));
  await once(output.end(), 'close');
  console.log(
    `${passed ? 'ok     ' : 'FAILED '} ${name.padEnd(16)} ${Math.round((performance.now() - began) / 1_000)} s`,
  );
  return passed;
}

/** Gives the folders to the user, who alone can open the home. */
async function prepareFolders({ uid, gid }: ServerUser, { home, outside }: Place, cache: string): Promise<void> {
  if (uid !== undefined) await run('chown', ['-R', `${uid}:${gid}`, home, outside, cache]);
  await chmod(home, 0o700);
}

/** The command with which root becomes the user. */
function become({ uid, gid }: ServerUser): string[] {
  return uid === undefined ? [] : ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
}

/** The variables of this process, without the ones set by npm and parent commands. */
function machineEnvironment(): NodeJS.ProcessEnv {
  const isOwn = (name: string) => /^(npm_|INIT_CWD$|NODE$|NODE_COMPILE_CACHE$|DATABASE_URL$|CI$)/.test(name);
  const others = Object.entries(process.env).filter(([name]) => !isOwn(name));
  return { ...Object.fromEntries(others), PATH: machinePath() };
}

interface Surroundings {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly output: WriteStream;
}

async function succeeds([command = '', ...args]: readonly string[], { output, ...at }: Surroundings): Promise<boolean> {
  const child = spawn(command, args, { ...at, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr]) stream.pipe(output, { end: false });
  const [code] = await once(child, 'close');
  return code === 0;
}
