/** `payments-contract`: the tools that come with the contract. */
import contractPackage from '../package.json' with { type: 'json' };
import { CommandLine, parsePort, runCommand, stopSignal } from './cli.ts';
import { addDiffCommand } from './diff/command.ts';
import { startText } from './mock/guide.ts';
import { DEFAULT_HOST, DEFAULT_PORT, startMock } from './mock/server.ts';
import { readBundle } from './model.ts';

interface MockFlags {
  readonly port: number;
  readonly host: string;
  readonly verbose?: boolean;
  /** True, or hosts separated by commas. */
  readonly webhooks?: true | string;
}

const program = new CommandLine('payments-contract')
  .description('Tools for the payments and payouts contract.')
  .version(contractPackage.version, '-v, --version', 'Print the version.');

const print = (line: string) => program.terminal.out(`${line}\n`);

program
  .subcommand('mock', "Start a mock of the contract. It validates requests and responds with the document's examples.")
  .option('--port <port>', 'Port to listen on. 0 selects a free port.', parsePort, DEFAULT_PORT)
  .option('--host <host>', 'Address to listen on.', DEFAULT_HOST)
  .option('--verbose', 'Print a line for each request.')
  .option(
    '--webhooks [hosts]',
    'Send a signed webhook to the callback_url after each creation: on this machine, and to these hosts, separated by commas.',
  )
  .addHelpText('after', '\nAt the start, the mock prints how to select a response. Stop it with Ctrl+C.')
  .handle(async ({ port, host, verbose = false, webhooks }: MockFlags) => {
    const hosts = typeof webhooks === 'string' ? webhooks.split(',') : [];
    const mock = await startMock({
      ...{ port, host, webhooks: { always: webhooks !== undefined, hosts, log: print } },
      ...(verbose && { log: print }),
    });
    print(startText(readBundle(), mock.url));
    await stopSignal();
    await mock.close();
    return 0;
  });

addDiffCommand(program);

process.exitCode = await runCommand(program);
