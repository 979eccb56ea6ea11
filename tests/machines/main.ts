/** `npm run test:machines`: the README's two commands in fresh copies of the repository, on readers' machines. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { chmod, mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandLine, runCommand, UserError } from '../../contract/src/cli.ts';
import { run } from '../../scripts/tools/process.ts';
import { commitAll, copyRepository } from '../tools/copy-repository.ts';
import { isRoot, serverUser } from '../tools/server-user.ts';
import { temporaryFolder } from '../tools/temporary.ts';

/** The checks that list files and compare them byte for byte, and the tests that depend on the machine. */
const SELECTED = [
  ...['--only', 'style,stale'],
  'tests/gateway/checkout/browser.test.ts',
  'tests/gateway/commands/database-properties.test.ts',
  'tests/gateway/deploy/samples.test.ts',
  'tests/gateway/store/database-file.test.ts',
  'tests/gateway/store/disk-failures.test.ts',
  'tests/gateway/store/pooler.test.ts',
  'tests/scripts/documents.test.ts',
  'tests/scripts/run.test.ts',
];

interface Machine {
  readonly description: string;
  /** Whether root runs the commands, and not an ordinary user, whose home only that user can open. */
  readonly isRoot?: boolean;
  /** The name of the repository's folder. */
  readonly folder?: string;
  /** Settings of the user's git. With `false`, the copy has no `.git`. */
  readonly git?: false | readonly string[];
  /** Variables that differ. An undefined one is removed. `outside` is a folder outside of the home. */
  readonly env?: (outside: string) => Promise<NodeJS.ProcessEnv>;
  /** The command that runs another one on such a machine. It needs root unless it is `taskset`. */
  readonly within?: readonly string[];
  /** Whether the machine has no network. The dependencies are installed before. */
  readonly isOffline?: boolean;
}

const shell = (script: string) => ['sh', '-c', `${script} && exec "$@"`, 'sh'];

const MACHINES: Readonly<Record<string, Machine>> = {
  'root-private': {
    description: 'root, in a private folder, with umask 077',
    isRoot: true,
    within: shell('umask 077'),
  },
  'user-private': { description: 'an ordinary user whose home has mode 700' },
  spaces: { description: 'a folder whose name has spaces', folder: 'payments kit (1)' },
  'no-git': { description: 'no .git, as in an archive', git: false },
  autocrlf: { description: 'git with core.autocrlf=true', git: ['core.autocrlf=true'] },
  'no-home': { description: 'HOME is not set', env: async () => ({ HOME: undefined, npm_config_cache: undefined }) },
  'read-only-home': {
    description: 'HOME is read-only',
    async env(outside) {
      const home = join(outside, 'read-only');
      await mkdir(home, { mode: 0o555 });
      return { HOME: home, npm_config_cache: undefined };
    },
  },
  'no-ipv6': {
    description: 'loopback without IPv6, and no network',
    isOffline: true,
    within: ['unshare', '--net', ...shell('ip link set lo up && echo 1 >/proc/sys/net/ipv6/conf/all/disable_ipv6')],
  },
  'one-core': { description: 'one core', within: ['taskset', '--cpu-list', '0'] },
  'other-tmpdir': {
    description: 'TMPDIR is on another file system',
    async env() {
      const folder = await mkdtemp('/dev/shm/machine-');
      await chmod(folder, 0o777);
      return { TMPDIR: folder };
    },
  },
  'node-20': { description: 'Node 20', env: (outside) => withNode(20, outside) },
  'node-22': { description: 'Node 22', env: (outside) => withNode(22, outside) },
  'node-24': { description: 'Node 24', env: (outside) => withNode(24, outside) },
};

/** The path of this process without what npm has put there. */
const PATH = (process.env['PATH'] ?? '')
  .split(':')
  .filter((folder) => !folder.includes('node_modules'))
  .join(':');

/** Puts the newest Node of a major version first on the path. */
async function withNode(major: number, outside: string): Promise<NodeJS.ProcessEnv> {
  const name = `node-${process.platform}-${process.arch}`;
  await run('npm', ['install', '--no-save', '--prefix', outside, `${name}@${major}`], { cwd: outside });
  return { PATH: `${join(outside, 'node_modules', name, 'bin')}:${PATH}` };
}

const command = new CommandLine('npm run test:machines --')
  .description("Run the README's two commands in fresh copies of this repository, on machines like those of readers.")
  .argument('[cases...]', `Some of: ${Object.keys(MACHINES).join(', ')}. All by default.`)
  .addHelpText('after', '\nRun it as root, which can become an ordinary user.')
  .handle(async (_flags: object, ...names) => {
    const unknown = names.find((name) => !Object.hasOwn(MACHINES, name));
    if (unknown) throw new UserError(`There is no case '${unknown}'. Cases: ${Object.keys(MACHINES).join(', ')}.`, 2);
    const base = await temporaryFolder('machines');
    await chmod(base, 0o755);
    const failed: string[] = [];
    for (const [name, machine] of Object.entries(MACHINES)) {
      if (names.length > 0 && !names.includes(name)) continue;
      if (!isRoot() && (machine.isRoot || machine.isOffline)) console.log(`skipped ${name}: needs root`);
      else if (!(await passes(name, machine, base))) failed.push(name);
    }
    console.log(failed.length === 0 ? '\nall cases passed' : `\nfailed: ${failed.join(', ')}`);
    return failed.length === 0 ? 0 : 1;
  });

process.exitCode = await runCommand(command);

async function passes(name: string, machine: Machine, base: string): Promise<boolean> {
  const log = `${base}-${name}.log`;
  console.log(`${name}: ${machine.description}; output in ${log}`);
  const [home, outside] = [join(base, name, 'home'), join(base, name, 'outside')];
  const clone = join(home, machine.folder ?? 'payments-kit');
  const { uid, gid } = machine.isRoot ? {} : serverUser();
  // Shared by the cases, so that each package is fetched once.
  const cache = join(base, `npm-${uid ?? 'own'}`);
  for (const folder of [clone, outside, cache]) await mkdir(folder, { recursive: true });
  await copyRepository(clone);
  if (machine.git !== false) await commitAll(clone, machine.git);
  const own = { ...machineEnvironment(), PATH, HOME: home, npm_config_cache: cache };
  const env = { ...own, ...(await machine.env?.(outside)) };
  if (uid !== undefined) await run('chown', ['-R', `${uid}:${gid}`, home, outside, cache]);
  await chmod(home, 0o700);
  const become = uid === undefined ? [] : ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
  const output = createWriteStream(log);
  const runs = (within: readonly string[], ...args: string[]) => {
    const script = join(clone, 'tests/machines/two-commands.mjs');
    return succeeds([...within, ...become, 'node', script, ...args], { cwd: clone, env, output });
  };
  const { isOffline = false, within = [] } = machine;
  const passed = (!isOffline || (await runs([], '--install'))) && (await runs(within, ...SELECTED));
  await once(output.end(), 'close');
  console.log(`${passed ? 'ok     ' : 'FAILED '} ${name}`);
  return passed;
}

/** The variables of this process, without the ones set by npm and parent commands. */
function machineEnvironment(): NodeJS.ProcessEnv {
  const isOwn = (name: string) => /^(npm_|INIT_CWD$|NODE$|NODE_COMPILE_CACHE$|DATABASE_URL$|CI$)/.test(name);
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !isOwn(name)));
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
