/** A fresh clone of this repository, as it is in the working tree: committed or about to be. */
import { existsSync } from 'node:fs';
import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT, run } from '../../../scripts/tools/process.ts';
import { commitAll, copyRepository } from '../../tools/copy-repository.ts';
import { emptyFolder } from './reader.ts';

export interface CloneOptions {
  /** Whether its dependencies are there already, which saves half a minute. Without, its first command installs them. */
  readonly installed: boolean;
}

/** Returns the clone's folder. */
export async function freshClone({ installed }: CloneOptions): Promise<string> {
  const folder = join(await emptyFolder(), 'payments-kit');
  await copyRepository(folder);
  await commitAll(folder);
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
