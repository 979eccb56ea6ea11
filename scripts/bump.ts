/** `npm run bump`: the next versions of the packages and their changelogs, from what .changeset/ says has changed. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandLine, runCommand } from '../contract/src/cli.ts';
import { ROOT, run } from './tools/process.ts';

const CHANGESETS = join(ROOT, 'node_modules/@changesets/cli/bin.js');

const command = new CommandLine('npm run bump --')
  .description(
    'Apply the files in .changeset/: raise versions, write changelogs. The release workflow proposes the result.',
  )
  .handle(async () => {
    await run(process.execPath, [CHANGESETS, 'version'], { live: true });
    await stampClient();
    await run('npm', ['install', '--package-lock-only', '--ignore-scripts'], { live: true });
    return 0;
  });

process.exitCode = await runCommand(command);

/** The client sends its version to the service, and can't read package.json in a browser. */
async function stampClient(): Promise<void> {
  const { version } = JSON.parse(await readFile(join(ROOT, 'client/package.json'), 'utf8')) as { version: string };
  const file = join(ROOT, 'client/src/version.ts');
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace(/'.*'/, `'${version}'`));
}
