/** `npm start`: the sandbox of the gateway. A separate process builds the reference, if it is stale. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { showProgress } from './tools/progress.mjs';

const BUILDER = fileURLToPath(new URL('reference/build-gateway-page.ts', import.meta.url));

const print = process.stderr.write.bind(process.stderr);
const log = { write: (text: string) => print(text) };

showStart();
// Node compiles a thousand modules at the first start. The progress is shown before they are loaded.
const { importPackagesFromSource } = await import('./tools/packages.ts');
const { CommandLine, runCommand } = await import('../contract/src/cli.ts');
const { addSandbox } = await import('../gateway/src/commands/program.ts');
const { isStale } = await import('./reference/gateway-page.ts');
const { revision } = await import('./tools/revision.ts');

process.env['PAYMENTS_REVISION'] ??= revision() ?? '';
// A config file imports the gateway by name.
importPackagesFromSource();
process.exitCode = await runCommand(addSandbox(new CommandLine('npm start --')).hook('preAction', buildReference));

async function buildReference(): Promise<void> {
  if (!(await isStale('sandbox'))) return;
  const builder = spawn(process.execPath, [BUILDER], { stdio: ['ignore', 'ignore', 'inherit'] });
  // As in a log, since the gateway prints lines at the same time.
  const end = showProgress('Building the reference', { out: log });
  builder.on('exit', end);
  // A refused start doesn't wait for it.
  builder.unref();
  process.once('exit', () => builder.kill());
}

/** Shows progress until the gateway prints something. */
function showStart(): void {
  const end = showProgress('Starting the gateway', { out: { ...log, isTTY: process.stderr.isTTY } });
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
    stream.write = (...args: unknown[]) => {
      end();
      return write(...args);
    };
  }
}
