/** `npm start`: the gateway's sandbox. A child process rebuilds the reference if it is stale. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { CommandLine, runCommand } from '../contract/src/cli.ts';
import { addSandbox } from '../gateway/src/commands/program.ts';
import { isStale } from './reference/gateway-page.ts';
import { importPackagesFromSource } from './tools/packages.ts';
import { revision } from './tools/revision.ts';

const BUILDER = fileURLToPath(new URL('reference/build-gateway-page.ts', import.meta.url));

process.env['PAYMENTS_REVISION'] ??= revision();
// A config file imports the gateway by name.
importPackagesFromSource();
process.exitCode = await runCommand(addSandbox(new CommandLine('npm start --')).hook('preAction', buildReference));

async function buildReference(): Promise<void> {
  if (!(await isStale('sandbox'))) return;
  const builder = spawn(process.execPath, [BUILDER], { stdio: ['ignore', 'ignore', 'inherit'] });
  // A start that fails doesn't wait for the build.
  builder.unref();
  process.once('exit', () => builder.kill());
}
