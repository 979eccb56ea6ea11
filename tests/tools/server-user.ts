/** The user for database servers, which refuse to run as root, and temporary folders accessible to that user. */
import { execFileSync } from 'node:child_process';
import { realpathSync, statSync } from 'node:fs';
import { chown, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Options for `spawn`. Empty for an ordinary user, who can run the server. */
export interface ServerUser {
  readonly uid?: number;
  readonly gid?: number;
}

/** An unprivileged user present on every system, so that no account is needed. */
const UNPRIVILEGED = 'nobody';
const OTHERS_EXECUTE = 0o001;

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

export function serverUser(): ServerUser {
  if (!isRoot()) return {};
  const id = (flag: string) => Number(execFileSync('id', [flag, UNPRIVILEGED], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/** Creates a private folder of the server's user. Ignores TMPDIR if only root can open it. */
export async function serverFolder(prefix: string): Promise<string> {
  const parents = isRoot() ? [tmpdir(), '/tmp', '/var/tmp'].filter(isOpenToOthers) : [tmpdir()];
  if (parents[0] === undefined) throw new Error(`${UNPRIVILEGED} can open no temporary folder. Set TMPDIR to one`);
  const folder = await mkdtemp(join(parents[0], prefix));
  await give(folder);
  return folder;
}

/** Makes the server's user the owner. */
export async function give(path: string): Promise<void> {
  const { uid, gid } = serverUser();
  if (uid !== undefined && gid !== undefined) await chown(path, uid, gid);
}

function isOpenToOthers(folder: string): boolean {
  const isOpen = (path: string) => (statSync(path).mode & OTHERS_EXECUTE) !== 0;
  try {
    let path = realpathSync(folder);
    while (isOpen(path) && path !== dirname(path)) path = dirname(path);
    return isOpen(path);
  } catch {
    return false;
  }
}
