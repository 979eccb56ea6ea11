/** The files of the repository, as opposed to everything that lies in its folder. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './process.ts';

/**
 * The files that git has or would add, below these folders or anywhere, sorted. Databases, builds and what editors leave
 * behind are ignored by git, and so are not among them.
 */
export function repositoryFiles(...folders: string[]): string[] {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...folders];
  const listed = execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }).split('\0');
  // The index still has a file that was deleted and not committed yet.
  return listed.filter((file) => file !== '' && existsSync(join(ROOT, file))).toSorted();
}
