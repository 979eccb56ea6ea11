/** The files of the repository, as opposed to everything that lies in its folder. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './process.ts';

/**
 * Returns the files that git tracks or would add, optionally below some folders, sorted. Ignored files such as
 * databases and build output are excluded.
 */
export function repositoryFiles(...folders: string[]): string[] {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...folders];
  const listed = execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }).split('\0');
  // The index may still list a deleted file.
  return listed.filter((file) => file !== '' && existsSync(join(ROOT, file))).toSorted();
}
