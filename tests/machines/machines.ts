/** Machines on which the README's two commands have to work. */
import { chmod, mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../../scripts/tools/process.ts';

/** Folders of a case: its home, which only its user can open, and one outside of it. */
export interface Place {
  readonly home: string;
  readonly outside: string;
}

export interface Machine {
  readonly description: string;
  /** Whether root runs the commands, and not an ordinary user. */
  readonly isRoot?: boolean;
  /** The name of the repository's folder. */
  readonly folder?: string;
  /** Settings of the user's git. With `false`, the copy has no `.git`. */
  readonly git?: false | readonly string[];
  /** Variables that differ. An undefined one is removed. */
  readonly env?: (place: Place) => Promise<NodeJS.ProcessEnv>;
  /** The command that runs another one on such a machine. It needs root unless it is `taskset`. */
  readonly within?: readonly string[];
  /** Whether the machine has no network. The dependencies are installed before. */
  readonly isOffline?: boolean;
}

const shell = (script: string) => ['sh', '-c', `${script} && exec "$@"`, 'sh'];
const OTHER_FILE_SYSTEM = '/dev/shm';

export const MACHINES: Readonly<Record<string, Machine>> = {
  'root-private': {
    description: 'root, in a folder of mode 700 and with umask 077',
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
    async env({ outside }) {
      const home = join(outside, 'read-only');
      await mkdir(home);
      await chmod(home, 0o555);
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
      const folder = await mkdtemp(join(OTHER_FILE_SYSTEM, 'machine-'));
      await chmod(folder, 0o777);
      return { TMPDIR: folder };
    },
  },
  'node-20': { description: 'Node 20', env: (place) => withNode(20, place) },
  'node-22': { description: 'Node 22', env: (place) => withNode(22, place) },
  'node-24': { description: 'Node 24', env: (place) => withNode(24, place) },
};

/** Puts the newest Node of a major version first on the path. */
async function withNode(major: number, { outside }: Place): Promise<NodeJS.ProcessEnv> {
  const name = `node-${process.platform}-${process.arch}`;
  const prefix = join(outside, 'node');
  await run('npm', ['install', '--no-save', '--prefix', prefix, `${name}@${major}`], { cwd: outside });
  return { PATH: `${join(prefix, 'node_modules', name, 'bin')}:${machinePath()}` };
}

/** The path of this process without what npm has put there. */
export function machinePath(): string {
  const folders = (process.env['PATH'] ?? '').split(':');
  return folders.filter((folder) => !folder.includes('node_modules')).join(':');
}
