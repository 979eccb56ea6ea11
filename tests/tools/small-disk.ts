/**
 * A folder on a disk that can be filled. With permission to mount, it is a small file system filled by a file (ENOSPC).
 * Otherwise the size of the gateway's files is limited (`prlimit --fsize`, EFBIG).
 */
import { spawnSync } from 'node:child_process';
import { open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../../scripts/tools/process.ts';

export interface Disk {
  readonly kind: string;
  /** Leaves the process no room. */
  fill(pid: number): Promise<void>;
  free(pid: number): Promise<void>;
  remove(): Promise<void>;
}

export type Way = 'mount' | 'prlimit';

const WAYS: readonly Way[] = ['mount', 'prlimit'];
/** The system's command, which no package includes. */
const UNMOUNT = 'umount';
const SIZE = '64m';
const CHUNK = Buffer.alloc(65_536);

/** Makes the folder a fillable disk in the best available way, if any. */
export async function limitedDisk(folder: string, ways: readonly Way[] = WAYS): Promise<Disk | undefined> {
  const works = (command: string, ...args: string[]) =>
    run(command, args, { allowFailure: true }).then(
      ({ code }) => code === 0,
      () => false,
    );
  if (ways.includes('mount') && (await works('mount', '-t', 'tmpfs', '-o', `size=${SIZE}`, 'torture', folder)))
    return mountedDisk(folder);
  return ways.includes('prlimit') && (await works('prlimit', '--version')) ? limitedFiles(folder) : undefined;
}

function mountedDisk(folder: string): Disk {
  const filler = join(folder, 'filler');
  const unmount = () => spawnSync(UNMOUNT, ['--lazy', folder]);
  // Unmounts on interruption, since the folder can only be removed afterwards.
  process.prependListener('exit', unmount);
  return {
    kind: `a file system of ${SIZE}`,
    async fill() {
      const file = await open(filler, 'a');
      try {
        // Fills the last pages with single bytes.
        for (const chunk of [CHUNK, CHUNK.subarray(0, 4_096), CHUNK.subarray(0, 1)]) await writeUntilFull(file, chunk);
      } finally {
        await file.close();
      }
    },
    free: () => rm(filler, { force: true }),
    async remove() {
      process.off('exit', unmount);
      unmount();
    },
  };
}

async function writeUntilFull(file: Awaited<ReturnType<typeof open>>, chunk: Buffer): Promise<void> {
  for (;;) {
    try {
      await file.write(chunk);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return;
      throw error;
    }
  }
}

function limitedFiles(folder: string): Disk {
  const limit = (pid: number, bytes: number | 'unlimited') =>
    run('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`]);
  return {
    kind: 'a limit on the size of files',
    async fill(pid) {
      const files = await readdir(folder);
      const sizes = await Promise.all(files.map(async (file) => (await stat(join(folder, file))).size));
      await limit(pid, Math.max(...sizes));
    },
    async free(pid) {
      await limit(pid, 'unlimited');
    },
    async remove() {},
  };
}
