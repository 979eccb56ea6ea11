/** `npm run package`: builds and packs packages. `npm pack` and `npm publish` only build, by `--no-pack`. */
import { join } from 'node:path';
import { Argument } from 'commander';
import { CommandLine, runCommand } from '../contract/src/cli.ts';
import { PACKAGES } from './artifacts/installation.ts';
import { buildGatewayPage } from './reference/gateway-page.ts';
import { ROOT, run } from './tools/process.ts';
import { revision } from './tools/revision.ts';

const command = new CommandLine('npm run package --')
  .description('Build packages, and pack each into a file that npm can install.')
  .addArgument(new Argument('<packages...>', 'Folders of the packages.').choices(PACKAGES))
  .option('--no-pack', 'Only build into the dist folders.')
  .handle(async ({ pack }: { pack: boolean }, ...names) => {
    for (const name of names) await buildPackage(name);
    if (!pack) return 0;
    const tarballs = await packPackages(names);
    return [...tarballs, '', 'Install in your project:', `  npm install ${tarballs.join(' ')}`].join('\n');
  });

process.exitCode = await runCommand(command);

async function buildPackage(name: string): Promise<void> {
  if (name === 'gateway') await buildGatewayPage();
  await run(process.execPath, [join(ROOT, 'node_modules/tsdown/dist/run.mjs'), '--logLevel', 'warn'], {
    cwd: join(ROOT, name),
    live: true,
    env: { PAYMENTS_REVISION: process.env['PAYMENTS_REVISION'] || (revision() ?? '') },
  });
}

/** Returns the paths of the files. What they contain is built already. */
async function packPackages(names: readonly string[]): Promise<string[]> {
  const args = ['pack', '--json', '--ignore-scripts', ...names.map((name) => `--workspace=${name}`)];
  // On Windows, npm is a script.
  const npm = process.env['npm_execpath'];
  const { stdout } = await (npm?.endsWith('js') ? run(process.execPath, [npm, ...args]) : run('npm', args));
  return (JSON.parse(stdout) as { filename: string }[]).map(({ filename }) => join(ROOT, filename));
}
