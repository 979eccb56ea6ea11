/** A fresh clone of the working tree, including uncommitted changes. */
import { join } from 'node:path';
import { commitAll, copyDependencies, copyRepository } from '../../tools/copy-repository.ts';
import { emptyFolder } from './reader.ts';

export interface CloneOptions {
  /** Whether its dependencies are installed, which saves half a minute. Otherwise, its first command installs them. */
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
