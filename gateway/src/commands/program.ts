/** The command line `payments-gateway` with all its commands. */
import { CommandLine, parseName, requireParsed, runCommand, type Terminal } from '../../../contract/src/cli.ts';
import { addCompletion } from '../../../contract/src/completion.ts';
import { addSettings, readConfig, type SettingFlags } from '../config/read-config.ts';
import { DATABASE_SETTINGS, type SettingName } from '../config/settings.ts';
import { readSharedClock } from '../database/shared-clock.ts';
import { checkMode, MODES, type Mode, toMode } from '../merchants/mode.ts';
import { gatewayVersion } from '../platform/version.ts';
import { EXPORT, SETTLEMENT } from './accounting.ts';
import { managementOnDatabase, managementOverHttp, needsOnlyDatabase } from './call-management.ts';
import { addIntegratorCommands } from './client/integrator-commands.ts';
import { createAuthor } from './command-services.ts';
import type { CommandContext, DatabaseCommand, DatabaseGroup } from './database-commands.ts';
import { deriveCommand, type ManagementCommand } from './document-commands.ts';
import { AUDIT, backupCommand, RESTORED } from './maintenance.ts';
import { MANAGEMENT_COMMANDS, MANAGEMENT_GROUPS, type ManagementGroup } from './management-commands.ts';
import { FUND } from './merchants.ts';
import { describeStore, migrateDatabase, withExistingStore } from './open-store.ts';
import { OPERATOR_COMMANDS, OPERATOR_KEY_COMMANDS } from './operators.ts';
import { RECONCILE_COMMANDS } from './reconcile.ts';
import { explainSecrets, SECRET_COMMANDS } from './secrets.ts';
import { SANDBOX_DEFAULTS, startCommand } from './start.ts';

/** Commands on the database, in the order of the help. */
export const DATABASE_COMMANDS: readonly (DatabaseGroup | DatabaseCommand)[] = [
  ...[SECRET_COMMANDS, OPERATOR_COMMANDS, OPERATOR_KEY_COMMANDS, RECONCILE_COMMANDS],
  ...[EXPORT, FUND, AUDIT, RESTORED, SETTLEMENT],
];

const REASON_CHARS = 500;
/** As the management API takes it. */
const parseReason = requireParsed(
  (text) => (text.trim() !== '' && text.length <= REASON_CHARS ? text : undefined),
  `It must have 1 to ${REASON_CHARS} characters.`,
);

/** Both default to the process's streams. */
export interface ProgramOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly terminal?: Terminal;
}

/** Runs a command and returns its exit code. Without a command, it starts the sandbox. */
export function runGateway(argv: readonly string[], surroundings: ProgramOptions = {}): Promise<number> {
  const namesNone = argv[0] === undefined || (argv[0].startsWith('-') && !/^(-h|--help|-v|--version)$/.test(argv[0]));
  return runCommand(gatewayProgram(surroundings), namesNone ? ['sandbox', ...argv] : argv);
}

function gatewayProgram({ env = process.env, terminal }: ProgramOptions): CommandLine {
  const program = new CommandLine('payments-gateway', terminal)
    .description('A payments and payouts service that implements the contract. Without a command, it starts a sandbox.')
    .version(gatewayVersion(), '-v, --version', 'Print the version.')
    .helpCommand('help [command]', 'Show the help of a command.');
  program.commandsGroup('Integrators:');
  addSandbox(program.subcommand('sandbox', ''), env);
  addIntegratorCommands(program, env);
  addCompletion(program);
  program.commandsGroup('Operators:');
  const administered = [...MANAGEMENT_GROUPS, ...MANAGEMENT_COMMANDS, ...DATABASE_COMMANDS];
  const isMaintenance = (command: Group | Command) =>
    MAINTENANCE.has('commands' in command ? command.name : command.usage);
  for (const command of administered.filter((one) => !isMaintenance(one))) addGroupOrCommand(program, command, env);
  program.commandsGroup('Maintenance:');
  addRunning(program, env);
  for (const command of administered.filter(isMaintenance)) addGroupOrCommand(program, command, env);
  addSettings(
    program.subcommand('backup <file>', 'Copy an SQLite database to a new file, while gateways use it.'),
    DATABASE_SETTINGS,
  ).handle((flags: SettingFlags, file = '') => backupCommand(readConfig(flags, env), file));
  return program;
}

/** Commands for operators of the gateway. */
const MAINTENANCE: ReadonlySet<string> = new Set(['operator', 'operator-key', 'audit', 'restored']);

type Group = DatabaseGroup | ManagementGroup;
type Command = DatabaseCommand | ManagementCommand;

function addGroupOrCommand(program: CommandLine, added: Group | Command, env: NodeJS.ProcessEnv): void {
  const parent = 'commands' in added ? findOrAddGroup(program, added) : program;
  for (const command of 'commands' in added ? added.commands : [added]) {
    if ('operation' in command) addManaged(parent, command, env);
    else addAdministered(parent, command, env);
  }
}

function findOrAddGroup(program: CommandLine, { name, description = '' }: Group): CommandLine {
  const found = program.commands.find((command) => command.name() === name);
  return (found as CommandLine | undefined) ?? program.subcommand(name, description);
}

/** The commands that run the gateway or prepare its database. */
function addRunning(program: CommandLine, env: NodeJS.ProcessEnv): void {
  addSettings(
    program.subcommand('start', 'Run the gateway until it is stopped. Migrates the database, unless MIGRATE is false.'),
  ).handle(async (flags: SettingFlags) => {
    await startCommand(readConfig(flags, env), { demo: false, terminal: program.terminal });
    return 0;
  });
  addSettings(
    program.subcommand('migrate', 'Create the database or upgrade its schema, without running the gateway.'),
    DATABASE_SETTINGS,
  )
    .option(
      `--mode <${MODES.join('|')}>`,
      'Record permanently whether the database is live or for tests. Without it, the first start or API key decides.',
      parseName(MODES),
    )
    .handle(async ({ mode, ...flags }: SettingFlags & { mode?: Mode }) => {
      const config = readConfig(flags, env);
      const applied = await migrateDatabase(config, mode);
      const decided = mode && (mode === 'live' ? 'the database is live' : 'the database is for tests');
      return [
        ...applied.map((name) => `applied ${name}`),
        ...(decided ? [decided] : []),
        `${describeStore(config)} is up to date`,
      ].join('\n');
    });
}

/** Makes the command start a sandbox, with settings for one machine. */
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
    .option('--examples', "Create the transactions of the reference's examples, with their IDs, for the demo merchant.")
    .handle(async ({ examples = false, ...flags }: SettingFlags & { readonly examples?: boolean }) => {
      const config = readConfig(flags, env, SANDBOX_DEFAULTS);
      await startCommand(config, { demo: true, examples, terminal: command.terminal });
      return 0;
    });
}

interface AdministeredFlags {
  readonly force?: boolean;
  readonly reason?: string;
}

/** Adds a command on the database of a gateway, whether or not one is running. It names the database that it uses. */
function addAdministered(parent: CommandLine, administered: DatabaseCommand, env: NodeJS.ProcessEnv): void {
  const { usage, description, settings = DATABASE_SETTINGS, force: forced, options = [], action } = administered;
  const { isDefault = false } = administered;
  const command = addSettings(parent.subcommand(usage, description, { isDefault }), settings);
  if (action !== undefined) command.option('--reason <text>', 'Reason for the audit log.', parseReason);
  if (forced !== undefined) command.option('--force', forced);
  for (const { form, description: what, parse } of options) {
    if (parse) command.option(form, what, parse as (text: string, previous: unknown) => unknown);
    else command.option(form, what);
  }
  command.handle(({ force = false, reason, ...flags }: SettingFlags & AdministeredFlags, ...args) =>
    withDatabase(command, { flags, env, settings }, async (opened) => {
      const context = { ...opened, force, options: flags };
      if (administered.action === undefined) return administered.run(context, ...args);
      return administered.run(
        { ...context, author: await createAuthor(context, administered.action, reason) },
        ...args,
      );
    }),
  );
}

interface DatabaseFlags {
  readonly flags: SettingFlags;
  readonly env: NodeJS.ProcessEnv;
  readonly settings: readonly SettingName[];
}

type OpenedDatabase = Omit<CommandContext, 'force' | 'options'> & { readonly operatorKey: string | undefined };

function withDatabase<T>(
  { terminal }: CommandLine,
  { flags, env, settings }: DatabaseFlags,
  work: (opened: OpenedDatabase) => Promise<T>,
): Promise<T> {
  const config = readConfig(flags, env);
  return withExistingStore(config, async (store) => {
    terminal.err(`database: ${describeStore(config)}\n`);
    // Before anything else that may be wrong with a database of the other mode, such as the keys of its secrets.
    if (settings.includes('live')) await checkMode(store.read, toMode(config));
    const clock = await readSharedClock(store);
    return work({ store, clock, config, operatorKey: env['OPERATOR_KEY'], terminal }).catch((error: unknown) => {
      throw explainSecrets(error);
    });
  });
}

/** Operations that create API keys, of the kind that the setting selects. */
const CREATING_KEYS: readonly string[] = ['createMerchant', 'createApiKey'];

/** Adds a command of the management API, which is called over HTTP or, if the operation needs nothing else, on the database. */
function addManaged(parent: CommandLine, row: ManagementCommand, env: NodeJS.ProcessEnv): void {
  const command = parent.subcommand(row.usage, '');
  const { read, run } = deriveCommand(command, row);
  const isLocal = needsOnlyDatabase(row.operation);
  const settings: readonly SettingName[] = CREATING_KEYS.includes(row.operation)
    ? [...DATABASE_SETTINGS, 'live']
    : DATABASE_SETTINGS;
  command.option('--url <url>', isLocal ? INSTEAD_OF_DATABASE : 'Base URL of the gateway. (env: GATEWAY_URL)');
  if (isLocal) addSettings(command, settings);
  else command.addHelpText('after', OPERATOR_KEY);
  command.handle(async ({ url, json = false, ...flags }: SettingFlags & { url?: string; json?: boolean }, ...args) => {
    const request = read(flags, args);
    const isRemote = !isLocal || url !== undefined || (env['OPERATOR_KEY'] && env['GATEWAY_URL']);
    if (isRemote) return run(managementOverHttp({ ...(url !== undefined && { url }) }, env), request, { json });
    return withDatabase(command, { flags, env, settings }, (opened) =>
      run(managementOnDatabase(opened), request, { json }),
    );
  });
}

const INSTEAD_OF_DATABASE =
  'Call this gateway with the key in OPERATOR_KEY, instead of using the database. (env: GATEWAY_URL, with OPERATOR_KEY)';
const OPERATOR_KEY = "\nThe operator's key is taken from OPERATOR_KEY. payments-gateway operator create prints one.";
