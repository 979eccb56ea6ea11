/** A small file system that can be filled, for a user who may mount one. */
import { spawnSync } from 'node:child_process';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../../scripts/tools/process.ts';

export interface Disk {
  fill(): Promise<void>;
  free(): Promise<void>;
  remove(): Promise<void>;
}

/** The system's command, which no package includes. */
const UNMOUNT = 'umount';
const SIZE = '64m';
const CHUNK = Buffer.alloc(65_536);

/** Mounts a small file system at the folder. Undefined if this user may not. */
export async function mountSmallDisk(folder: string): Promise<Disk | undefined> {
  const mounting = run('mount', ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'small-disk', folder], { allowFailure: true });
  const isMounted = await mounting.then(
    ({ code }) => code === 0,
    () => false,
  );
  if (!isMounted) return undefined;
  const filler = join(folder, 'filler');
  const unmount = () => spawnSync(UNMOUNT, ['--lazy', folder]);
  // Unmounts on interruption, since the folder can only be removed afterwards.
  process.prependListener('exit', unmount);
  return {
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

async function writeUntilFull(file: FileHandle, chunk: Buffer): Promise<void> {
  for (;;) {
    try {
      await file.write(chunk);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return;
      throw error;
    }
  }
}
