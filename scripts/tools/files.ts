/** The files of the repository. Git isn't asked, since an archive has no `.git`, and a fresh machine may have no git. */
import { type Dirent, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ignore from 'ignore';
import { ROOT } from './process.ts';

/**
 * The files below these folders, or all, sorted, except those matched by .gitignore, such as databases, builds and
 * editors' files.
 */
export function repositoryFiles(...folders: string[]): string[] {
  const ignored = ignore()
    .add('.git')
    .add(readFileSync(join(ROOT, '.gitignore'), 'utf8'));
  const files = (folder: string): string[] =>
    readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry: Dirent) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (ignored.ignores(entry.isDirectory() ? `${path}/` : path)) return [];
      return entry.isDirectory() ? files(path) : [path];
    });
  return (folders.length === 0 ? [''] : folders).flatMap(files).toSorted();
}
