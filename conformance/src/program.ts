/** The command line. Loads the modules of a run on demand, so that `--help` is fast. */
import { CommandLine, type Terminal } from '../../contract/src/cli.ts';
import conformancePackage from '../package.json' with { type: 'json' };
import { addCheckHarCommand } from './command/check-har.ts';
import { addFlags, type Flags } from './command/flags.ts';
import { addInitCommand } from './command/init.ts';
import { addTableCommand } from './command/table.ts';
import { addReceiverCommand } from './endpoint-checks/command.ts';

const EXIT_CODES = `
Exit codes:
  0  the service conforms
  1  it doesn't conform, or doesn't respond
  2  usage error, or a failure of the kit
  3  not shown: nothing is violated, but a check of a claimed level was not
     reached`;

export function createProgram(terminal?: Terminal): CommandLine {
  const program = new CommandLine('payments-conformance', terminal, { styles: true });
  program
    .description('Verify a running service against the contract.')
    .version(conformancePackage.version, '-v, --version', 'Print the version.')
    .argument('[base-url]', 'Base URL of the service, such as http://127.0.0.1:4010.')
    .addHelpText('after', EXIT_CODES);
  addFlags(program).handle(async (flags: Flags, baseUrl?: string) => {
    const { verifyCommand } = await import('./command/verify-command.ts');
    return verifyCommand(flags, baseUrl, program.terminal);
  });
  addInitCommand(program.enablePositionalOptions() as CommandLine);
  addReceiverCommand(program);
  addCheckHarCommand(program);
  addTableCommand(program);
  return program;
}
