/**
 * npm sends SIGTERM to its shell but not to the shell's children, and a killed npm sends no signal at all. Commands
 * started by npm therefore watch their ancestors up to npm and shut down when one of them ends. A process that was
 * detached deliberately, by `setsid` or by a script that has ended, is no longer below npm and keeps running.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

export interface ProcessInfo {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

export type FindProcess = (pid: number) => ProcessInfo | undefined;

const LOOK_EVERY_MS = 500;
/** Exit code of a process that SIGTERM ends. */
const TERMINATED = 143;
/** As a title, such as `npm start`, or as a script, such as `/usr/lib/node_modules/npm/bin/npm-cli.js`. */
const RUNNER = /(^|[\s/\\])(npm|npx|pnpm|yarn)(-cli)?(\.c?js)?(\s|$)/;

/** Ends this process as after SIGTERM when the npm that runs it has ended, however that happened. */
export async function endWithNpm(): Promise<void> {
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const chain = upToNpm(process.ppid, await ancestorLookUp());
  if (chain.length === 0) return;
  const timer = setInterval(() => {
    if (!isBroken(chain)) return;
    clearInterval(timer);
    if (!process.emit('SIGTERM', 'SIGTERM')) process.exit(TERMINATED);
  }, LOOK_EVERY_MS).unref();
}

/** The ancestors from this one up to the outermost npm; none if there is no npm. */
export function upToNpm(parent: number, lookUp: FindProcess): ProcessInfo[] {
  const chain: ProcessInfo[] = [];
  for (let next = lookUp(parent); next; next = lookUp(next.parent)) chain.push(next);
  return chain.slice(0, chain.findLastIndex(({ command }) => RUNNER.test(command)) + 1);
}

/** Whether one of them has ended. Its children then get another parent, even while it is a zombie. */
function isBroken(chain: readonly ProcessInfo[]): boolean {
  if (process.ppid !== chain[0]?.pid) return true;
  if (process.platform !== 'linux') return !chain.every(({ pid }) => exists(pid));
  return chain.slice(0, -1).some(({ pid, parent }) => readStat(pid)?.parent !== parent);
}

async function ancestorLookUp(): Promise<FindProcess> {
  if (process.platform === 'linux') return lookUpInProc;
  // Windows has no quick way to look further than the parent.
  if (process.platform === 'win32')
    return (pid) => (pid === process.ppid ? { pid, parent: 0, command: 'npm' } : undefined);
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,command=']);
  const rows = [...stdout.matchAll(/^\s*(\d+)\s+(\d+)\s+(.*)$/gm)];
  const table = new Map(
    rows.map(([, pid, parent, command = '']) => [Number(pid), { pid: Number(pid), parent: Number(parent), command }]),
  );
  return (pid) => table.get(pid);
}

/** Ancestors of another session don't count: `setsid` has detached this process from them. */
function lookUpInProc(pid: number): ProcessInfo | undefined {
  const stat = readStat(pid);
  if (!stat || stat.session !== readStat('self')?.session) return undefined;
  return { pid, parent: stat.parent, command: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ') };
}

function readStat(pid: number | 'self'): { parent: number; session: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The program's name comes first, in parentheses, and may contain spaces and parentheses.
    const [, parent, , session] = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    return { parent: parent ?? 0, session: session ?? 0 };
  } catch {
    return undefined;
  }
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
