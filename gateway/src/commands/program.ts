/** The command line `payments-gateway`: which commands there are, and what each one runs. */
import { CommandLine, type Outcome, runCommand, type Terminal } from '../../../contract/src/cli.ts';
import gatewayPackage from '../../package.json' with { type: 'json' };
import { addSettings, DATABASE_SETTINGS, type Flags, readConfig } from '../config.ts';
import type { Store } from '../store/store.ts';
import { auditCommand } from './audit.ts';
import { backupCommand } from './backup.ts';
import {
  createKeyCommand,
  createMerchantCommand,
  fundCommand,
  listKeysCommand,
  listMerchantsCommand,
  revokeKeyCommand,
  rotateSecretCommand,
} from './merchants.ts';
import { describeStore, migrateDatabase, withExistingStore } from './open-store.ts';
import { SANDBOX_DEFAULTS, startCommand } from './start.ts';
import { resumeCommand, stoppedCommand } from './webhooks.ts';

/** What a command line takes from its process. */
export interface Surroundings {
  readonly env?: NodeJS.ProcessEnv;
  readonly terminal?: Terminal;
}

/** Runs a command and returns its exit code. Without a command, it starts the sandbox. */
export function runGateway(argv: readonly string[], surroundings: Surroundings = {}): Promise<number> {
  const namesNone = argv[0] === undefined || (argv[0].startsWith('-') && !/^(-h|--help|-v|--version)$/.test(argv[0]));
  return runCommand(gatewayProgram(surroundings), namesNone ? ['sandbox', ...argv] : argv);
}

function gatewayProgram({ env = process.env, terminal }: Surroundings): CommandLine {
  const program = new CommandLine('payments-gateway', terminal)
    .description('A payments and payouts service that implements the contract. Without a command, it starts a sandbox.')
    .version(gatewayPackage.version, '-v, --version', 'Print the version.')
    .helpCommand('help [command]', 'Show the help of a command.');
  addRunning(program, env);
  addAdministration(program, administration(env));
  addSettings(
    program.subcommand('backup <file>', 'Copy an SQLite database to a new file, while gateways use it.'),
    DATABASE_SETTINGS,
  ).handle((flags: Flags, file = '') => backupCommand(readConfig(flags, env), file));
  return program;
}

/** The commands that run the gateway or prepare its database. */
function addRunning(program: CommandLine, env: NodeJS.ProcessEnv): void {
  addSandbox(program.subcommand('sandbox', ''), env);
  addSettings(program.subcommand('start', 'Run the gateway until it is stopped. Migrates the database.'))
    .option('--demo', 'Create a demo merchant, and print its key and requests to try.')
    .handle(async ({ demo = false, ...flags }: Flags & { demo?: boolean }) => {
      await startCommand(readConfig(flags, env), { demo });
      return 0;
    });
  addSettings(
    program.subcommand('migrate', 'Create the database or upgrade its schema, without running the gateway.'),
    DATABASE_SETTINGS,
  ).handle(async (flags: Flags) => {
    const config = readConfig(flags, env);
    const applied = await migrateDatabase(config);
    return [`${describeStore(config)} is up to date`, ...applied.map((name) => `applied ${name}`)].join('\n');
  });
}

/** Makes the command the one that starts a sandbox: settings for trying things out on one machine. */
export function addSandbox(command: CommandLine, env: NodeJS.ProcessEnv = process.env): CommandLine {
  const defaults = Object.entries(SANDBOX_DEFAULTS).map(([name, value]) => `${name}=${value}`);
  return addSettings(
    command.description('Start a sandbox: the gateway with a demo merchant, and its reference at /docs.'),
    undefined,
    SANDBOX_DEFAULTS,
  )
    .addHelpText(
      'after',
      `\nA sandbox runs on one machine, so it defaults to ${defaults.join(' and ')}.\nStop it with Ctrl+C. Its data stays.`,
    )
    .handle(async (flags: Flags) => {
      await startCommand(readConfig(flags, { ...SANDBOX_DEFAULTS, ...env }), { demo: true });
      return 0;
    });
}

type Administer = (command: CommandLine, action: (store: Store, ...args: string[]) => Promise<Outcome>) => void;

/** Commands on the database of a gateway, whether or not it is running. They name the database that they use. */
function administration(env: NodeJS.ProcessEnv): Administer {
  return (command, action) => {
    addSettings(command, DATABASE_SETTINGS).handle(async (flags: Flags, ...args) => {
      const config = readConfig(flags, env);
      return withExistingStore(config, (store) => {
        command.terminal.err(`database: ${describeStore(config)}\n`);
        return action(store, ...args);
      });
    });
  };
}

function addAdministration(program: CommandLine, administer: Administer): void {
  const merchant = program.subcommand('merchant', 'Create and list merchants.');
  administer(
    merchant.subcommand(
      'create <name> <currencies>',
      'Create a merchant with an API key, a signing secret, and a wallet for each currency of a list such as INR,EGP.',
    ),
    (store, name = '', currencies = '') => createMerchantCommand(store, name, currencies.split(',')),
  );
  administer(merchant.subcommand('list', 'List the merchants and their wallets.'), listMerchantsCommand);

  const key = program.subcommand('key', 'Create, list and revoke API keys.');
  administer(
    key.subcommand('create <merchant-id>', 'Create an API key. The other keys stay valid.'),
    (store, id = '') => createKeyCommand(store, id),
  );
  administer(
    key.subcommand('list <merchant-id>', 'List the API keys of a merchant, without the keys themselves.'),
    (store, id = '') => listKeysCommand(store, id),
  );
  administer(key.subcommand('revoke <merchant-id> <key-id>', 'Revoke an API key.'), (store, id = '', keyId = '') =>
    revokeKeyCommand(store, id, keyId),
  );

  const secret = program.subcommand('secret', 'Rotate signing secrets.');
  administer(
    secret.subcommand('rotate <merchant-id>', 'Create a signing secret. The previous one stays valid for 24 hours.'),
    (store, id = '') => rotateSecretCommand(store, id),
  );

  const webhook = program.subcommand('webhook', 'List and resume callback URLs that were stopped.');
  administer(
    webhook.subcommand('stopped', 'List the callback URLs that get no webhooks because they responded with 410.'),
    stoppedCommand,
  );
  administer(
    webhook.subcommand('resume <merchant-id> <url>', 'Send webhooks to a stopped callback URL again.'),
    (store, id = '', url = '') => resumeCommand(store, id, url),
  );

  administer(
    program.subcommand('fund <merchant-id> <amount> <currency>', 'Add money, in minor units, to a wallet.'),
    (store, id = '', amount = '', currency = '') => fundCommand(store, id, amount, currency),
  );
  administer(
    program.subcommand('audit', 'Recompute every balance from the ledger, and list the differences.'),
    (store) => auditCommand(store, program.terminal.out),
  );
}
