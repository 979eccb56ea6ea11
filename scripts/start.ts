/** `npm start`: the sandbox of the gateway, with a reference that is built first if it is stale. */
import { CommandLine, runCommand } from '../contract/src/cli.ts';
import { addSandbox } from '../gateway/src/commands/program.ts';
import { buildGatewayPage } from './reference/gateway-page.ts';
import { importPackagesFromSource } from './tools/packages.ts';

// A config file imports the gateway by name.
importPackagesFromSource();
process.exitCode = await runCommand(addSandbox(new CommandLine('npm start --')).hook('preAction', buildGatewayPage));
