/** A fresh clone of this repository, as it is in the working tree: committed or about to be. */
import { existsSync } from 'node:fs';
import { copyFile, mkdir, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ROOT, run } from '../../../scripts/tools/process.ts';
import { emptyFolder } from './reader.ts';

export interface CloneOptions {
  /** Whether its dependencies are there already, which saves half a minute. Without, its first command installs them. */
  readonly installed: boolean;
}

/** Returns the clone's folder. */
export async function freshClone({ installed }: CloneOptions): Promise<string> {
  const folder = join(await emptyFolder(), 'payments-kit');
  const { stdout } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard']);
  const files = stdout.split('\0').filter((file) => file !== '' && existsSync(join(ROOT, file)));
  for (const parent of new Set(files.map((file) => dirname(file))))
    await mkdir(join(folder, parent), { recursive: true });
  await Promise.all(files.map((file) => copyFile(join(ROOT, file), join(folder, file))));
  const git = (...args: string[]) =>
    run('git', ['-c', 'user.name=reader', '-c', 'user.email=reader@example.com', ...args], { cwd: folder });
  await git('init', '--quiet');
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'Clone');
  if (installed) await linkDependencies(folder);
  return folder;
}

/** Hard links, since 700 packages take long to copy; copies where the temporary folder is on another disk. */
async function linkDependencies(folder: string): Promise<void> {
  for (const parent of ['.', 'gateway', 'client', 'contract', 'conformance']) {
    const [source, target] = [join(ROOT, parent, 'node_modules'), join(folder, parent, 'node_modules')];
    if (!existsSync(source)) continue;
    const linked = await run('cp', ['-al', source, target], { allowFailure: true });
    if (linked.code !== 0) await run('cp', ['-a', source, target]);
  }
  // A copy, so that touching it doesn't change this repository's file.
  const copy = join(folder, 'node_modules/.package-lock.json');
  await run('cp', ['--remove-destination', join(ROOT, 'node_modules/.package-lock.json'), copy]);
  await utimes(copy, new Date(), new Date());
}
