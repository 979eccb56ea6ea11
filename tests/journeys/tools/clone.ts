/** A fresh clone of this repository, as it is in the working tree: committed or about to be. */
import { join } from 'node:path';
import { commitAll, copyDependencies, copyRepository } from '../../tools/copy-repository.ts';
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
  if (installed) await copyDependencies(folder, { linked: true });
  return folder;
}
