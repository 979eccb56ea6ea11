/** A copy of this repository's working tree, including uncommitted changes. */
import { existsSync } from 'node:fs';
import { copyFile, mkdir, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { repositoryFiles } from '../../scripts/tools/files.ts';
import { ROOT, run } from '../../scripts/tools/process.ts';
import { installed } from './installed.ts';

/** Copies the files, without dependencies. */
export async function copyRepository(folder: string): Promise<void> {
  const files = repositoryFiles();
  for (const parent of new Set(files.map((file) => dirname(file))))
    await mkdir(join(folder, parent), { recursive: true });
  await Promise.all(files.map((file) => copyFile(join(ROOT, file), join(folder, file))));
}

/** Makes the folder a clone, if git is installed. `settings` are the user's git settings, such as `core.autocrlf=true`. */
export async function commitAll(folder: string, settings: readonly string[] = []): Promise<void> {
  if (!installed('git')) return;
  const user = ['user.name=reader', 'user.email=reader@example.com'];
  const git = (...args: string[]) =>
    run('git', [...[...user, ...settings].flatMap((setting) => ['-c', setting]), ...args], { cwd: folder });
  await git('init', '--quiet');
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'Clone');
  if (settings.length > 0) await git('checkout-index', '--all', '--force');
}

/** Copies the dependencies. `linked` creates hard links where possible, since copying 1,000 packages is slow. */
export async function copyDependencies(folder: string, { linked = false } = {}): Promise<void> {
  for (const parent of ['.', 'gateway', 'client', 'contract', 'conformance']) {
    const [source, target] = [join(ROOT, parent, 'node_modules'), join(folder, parent, 'node_modules')];
    if (!existsSync(source)) continue;
    const { code } = linked ? await run('cp', ['-al', source, target], { allowFailure: true }) : { code: 1 };
    if (code !== 0) await run('cp', ['-a', source, target]);
  }
  // A copy, since touching a link would change this repository's file.
  const copy = join(folder, 'node_modules/.package-lock.json');
  await run('cp', ['--remove-destination', join(ROOT, 'node_modules/.package-lock.json'), copy]);
  await utimes(copy, new Date(), new Date());
}
