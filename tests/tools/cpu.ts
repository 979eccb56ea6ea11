/** Processor time of processes, as Linux accounts for it. */
import { readdir, readFile } from 'node:fs/promises';

/** The duration of a tick in `/proc`, on every Linux. */
const TICK_MS = 10;
/** Positions in /proc/PID/stat after the command's name, which is in parentheses. */
const PARENT = 1;
const TIMES = [11, 12];
const TIMES_OF_ENDED_CHILDREN = [13, 14];

/**
 * User and system milliseconds of the processes and their descendants. NaN if the system doesn't report them. An ended
 * process counts toward its parent, so a difference of two readings is complete.
 */
export async function cpuMs(pids: readonly number[]): Promise<number> {
  const stats = await readStats();
  const isOurs = (pid: number): boolean =>
    pid > 1 && (pids.includes(pid) || isOurs(Number(stats.get(pid)?.[PARENT] ?? 0)));
  const ours = [...stats.keys()].filter(isOurs);
  if (!pids.every((pid) => stats.has(pid))) return Number.NaN;
  const places = [...TIMES, ...TIMES_OF_ENDED_CHILDREN];
  const ticks = ours.flatMap((pid) => places.map((place) => Number(stats.get(pid)?.[place])));
  return ticks.reduce((sum, one) => sum + one, 0) * TICK_MS;
}

/** The fields of each process after its name. */
async function readStats(): Promise<Map<number, string[]>> {
  const pids = (await readdir('/proc').catch(() => [])).map(Number).filter(Number.isInteger);
  const entries = await Promise.all(
    pids.map(async (pid): Promise<[number, string[]][]> => {
      // A process can end in between.
      const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
      return text ? [[pid, text.slice(text.lastIndexOf(')') + 2).split(' ')]] : [];
    }),
  );
  return new Map(entries.flat());
}
