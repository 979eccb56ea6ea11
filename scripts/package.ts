/** `npm run package`: builds what a package publishes, into its dist folder. `npm pack` runs it first. */
import { join } from 'node:path';
import { Argument } from 'commander';
import { CommandLine, runCommand } from '../contract/src/cli.ts';
import { buildGatewayPage } from './reference/gateway-page.ts';
import { ROOT, run } from './tools/process.ts';
import { revision } from './tools/revision.ts';

/** Preparations before a package can be built. */
const PREPARATIONS: Readonly<Record<string, () => Promise<void>>> = {
  gateway: buildGatewayPage,
  client: async () => {},
  contract: async () => {},
  conformance: async () => {},
};

const command = new CommandLine('npm run package --')
  .description('Build a package into its dist folder. npm pack does so first.')
  .addArgument(new Argument('<package>', 'Folder of the package.').choices(Object.keys(PREPARATIONS)))
  .handle(async (_flags, name = '') => {
    await PREPARATIONS[name]?.();
    await run(process.execPath, [join(ROOT, 'node_modules/tsdown/dist/run.mjs'), '--logLevel', 'warn'], {
      cwd: join(ROOT, name),
      live: true,
      env: { PAYMENTS_REVISION: process.env['PAYMENTS_REVISION'] || (revision() ?? '') },
    });
    return 0;
  });

process.exitCode = await runCommand(command);
