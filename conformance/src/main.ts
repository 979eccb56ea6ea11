#!/usr/bin/env node
/** `payments-conformance`: verifies that a running service keeps the contract. What runs is loaded when it is needed. */
import { CommandLine, runCommand } from '../../contract/src/cli.ts';
import conformancePackage from '../package.json' with { type: 'json' };
import { addFlags, type Flags } from './command/flags.ts';
import { addReceiverCommand } from './receivers/command.ts';

const EXIT_CODES = `
Exit codes:
  0  the service conforms
  1  it doesn't: a check is violated or a claimed level needs one that was not reached; or nothing responds
  2  the command was used incorrectly, or the kit itself failed`;

const program = new CommandLine('payments-conformance')
  .description('Verify a running service against the contract.')
  .version(conformancePackage.version, '-v, --version', 'Print the version.')
  .argument('[base-url]', 'Base URL of the service, such as http://127.0.0.1:4010.')
  .addHelpText('after', EXIT_CODES) as CommandLine;

addFlags(program).handle(async (flags: Flags, baseUrl?: string) => {
  const { verifyCommand } = await import('./command/verify-command.ts');
  return verifyCommand(flags, baseUrl, program.terminal);
});

addReceiverCommand(program.enablePositionalOptions() as CommandLine);

process.exitCode = await runCommand(program);
