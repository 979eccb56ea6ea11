/** `npm run docs`: builds the reference and serves it. */

import { CommandLine, parsePort, runCommand, stopSignal } from '../contract/src/cli.ts';
import { readBundle } from '../contract/src/model.ts';
import { serveSite } from './reference/serve-site.ts';
import { buildSite, SITE } from './reference/site.ts';

const command = new CommandLine('npm run docs --')
  .description('Build the reference and serve it on loopback.')
  .option('--port <port>', 'Port to listen on. 0 selects a free port.', parsePort, 4020)
  .handle(async ({ port }: { port: number }) => {
    await buildSite();
    const site = await serveSite({ folder: SITE, port });
    console.log(`${readBundle().info.title}: ${site.url}/docs`);
    await stopSignal();
    await site.close();
    return 0;
  });

process.exitCode = await runCommand(command);
