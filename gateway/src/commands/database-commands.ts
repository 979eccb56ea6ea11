/** The commands on the database of a gateway, as data. */
import {
  type CommandOutcome,
  type CommandTerminal,
  parseArgument,
  parseName,
  parseTime,
  requireParsed,
} from '../../../contract/src/cli.ts';
import { DATABASE_SETTINGS, type GatewayConfig, type SettingName } from '../config/settings.ts';
import type { Store } from '../database/store.ts';
import { milliseconds } from '../management/parameters.ts';
import type { ChainLink } from '../operators/audit-log.ts';
import { ROLES, type Role } from '../operators/operators.ts';
import type { Clock } from '../platform/clock.ts';
import type { Author } from './command-services.ts';
import { auditCommand, parseChainLink, restoredCommand } from './maintenance.ts';
import { fundCommand } from './merchants.ts';
import {
  createOperatorCommand,
  createOperatorKeyCommand,
  listOperatorKeysCommand,
  revokeOperatorCommand,
  revokeOperatorKeyCommand,
  setOperatorRoleCommand,
} from './operators.ts';
import { reconcileCommand } from './reconcile.ts';
import { readSecretKeys, reencryptCommand } from './secrets.ts';

export interface CommandContext {
  readonly store: Store;
  /** The database's. */
  readonly clock: Clock;
  readonly config: GatewayConfig;
  readonly terminal: CommandTerminal;
  /** Whether `--force` was given. */
  readonly force: boolean;
  /** The values of the command's own options. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** An option of one command. */
export interface OwnOption {
  /** As in the help, such as `--to <database>`. */
  readonly form: string;
  readonly description: string;
  /** Gets the text, and the value so far if the option is given several times. */
  readonly parse?: (text: string, previous: never) => unknown;
}

interface Described {
  /** Name and arguments, such as `revoke <merchant-id> <key-id>`. */
  readonly usage: string;
  readonly description: string;
  /** Runs if no command of its group is named. */
  readonly isDefault?: true;
  /** Settings with options. Defaults to the database settings. */
  readonly settings?: readonly SettingName[];
  /** Description of `--force`, if the command has it. */
  readonly force?: string;
  readonly options?: readonly OwnOption[];
}

/** A command on the database. Its `run` gets the arguments as they were typed. */
export type DatabaseCommand = Described &
  (
    | {
        readonly action?: undefined;
        readonly run: (context: CommandContext, ...args: string[]) => Promise<CommandOutcome>;
      }
    | {
        /** The name under which its change is recorded, like an operationId of the management API. */
        readonly action: string;
        readonly run: (
          context: CommandContext & { readonly author: Author },
          ...args: string[]
        ) => Promise<CommandOutcome>;
      }
  );

/** Commands of two words, which share the first. */
export interface DatabaseGroup {
  readonly name: string;
  /** Missing if the group also has commands of the management API, and its description there. */
  readonly description?: string;
  readonly commands: readonly DatabaseCommand[];
}

const parseRole = parseName(ROLES);

const HOUR_MS = 60 * 60_000;
const LIFETIME_MS_MAX = 366 * 24 * HOUR_MS;

/** The option for the lifetime of an operator's key. */
const EXPIRES: OwnOption = {
  form: '--expires <duration>',
  description: 'The key is refused after this time, from 1h to 366d. (default: 90d)',
  parse: requireParsed((text) => {
    const lifetime = /^\d{1,9}(m|h|d)$/.test(text) ? milliseconds(text) : 0;
    return lifetime >= HOUR_MS && lifetime <= LIFETIME_MS_MAX ? lifetime : undefined;
  }, 'It must be a duration from 1h to 366d, such as 12h or 90d.'),
};

/** Commands of two words. */
export const GROUPS: readonly DatabaseGroup[] = [
  {
    name: 'secret',
    commands: [
      {
        usage: 'reencrypt',
        description:
          'Encrypt all signing secrets and personal data with SECRETS_KEY, including unencrypted ones. Gateways may be running.',
        force: 'Delete personal data whose key is lost.',
        action: 'reencryptSecrets',
        run: ({ config, ...context }) => reencryptCommand({ ...context, keys: readSecretKeys(config) }),
      },
    ],
  },
  {
    name: 'operator',
    commands: [
      {
        usage: 'create <name>',
        description: 'Create an operator with a unique name, and print a key for the management API at /management.',
        options: [
          {
            form: `--role <${ROLES.join('|')}>`,
            description:
              'read: read only. support: also resend webhooks. act: also make other changes (default). approve: also approve changes of money proposed by others.',
            parse: parseRole,
          },
          EXPIRES,
        ],
        action: 'createOperator',
        run: ({ store, options, author }, name = '') =>
          createOperatorCommand(store, name, author, options as { role?: Role; expires?: number }),
      },
      {
        usage: 'set-role <operator-id> <role>',
        description: `Change the role of an operator to ${ROLES.join(', ')}.`,
        action: 'setOperatorRole',
        run: ({ store, author }, id = '', role = '') =>
          setOperatorRoleCommand(store, id, parseArgument('The role', role, parseRole), author),
      },
      {
        usage: 'revoke <operator-id>',
        description: "Revoke all keys of an operator. The audit log keeps the operator's changes.",
        action: 'revokeOperator',
        run: ({ store, author }, id = '') => revokeOperatorCommand(store, id, author),
      },
    ],
  },
  {
    name: 'operator-key',
    description: 'Create, list and revoke keys of operators.',
    commands: [
      {
        usage: 'create <operator-id>',
        description: 'Create a key, and print it. The other keys of the operator stay valid.',
        options: [EXPIRES],
        action: 'createOperatorKey',
        run: ({ store, options, author }, operatorId = '') =>
          createOperatorKeyCommand(store, operatorId, author, options as { expires?: number }),
      },
      {
        usage: 'list <operator-id>',
        description: 'List the keys of an operator with their last use and expiry, without the keys themselves.',
        run: ({ store, clock }, operatorId = '') => listOperatorKeysCommand(store, operatorId, clock.now()),
      },
      {
        usage: 'revoke <key-id>',
        description: 'Revoke a key. The other keys of the operator stay valid.',
        action: 'revokeOperatorKey',
        run: ({ store, author }, id = '') => revokeOperatorKeyCommand(store, id, author),
      },
    ],
  },
  {
    name: 'reconcile',
    commands: [
      {
        usage: 'import <channel> [statement]',
        isDefault: true,
        description:
          'Import a statement file of the channel, and list its open differences. Without a file, compare those again.',
        settings: [...DATABASE_SETTINGS, 'config'],
        options: [
          {
            form: '--from <time>',
            description: 'Start of the statement, such as 2026-03-02. Earlier ledger entries may be missing from it.',
            parse: parseTime,
          },
          {
            form: '--to <time>',
            description: 'End of the statement, by default now. Later ledger entries may be missing from it.',
            parse: parseTime,
          },
        ],
        action: 'importStatement',
        run: ({ terminal, options, ...context }, channel = '', file) =>
          reconcileCommand({ ...context, print: terminal.out }, channel, file, options),
      },
    ],
  },
];

/** Commands of one word. */
export const COMMANDS: readonly DatabaseCommand[] = [
  {
    usage: 'fund <merchant-id> <amount> <currency>',
    description: 'Add money, in minor units, to a wallet.',
    action: 'fundWallet',
    run: ({ store, author }, id = '', amount = '', currency = '') => fundCommand(store, id, amount, currency, author),
  },
  {
    usage: 'audit',
    description:
      "Compare every transaction, ledger entry and wallet, verify the operators' audit log, and list the differences.",
    options: [
      {
        form: '--log-end <link>',
        description: 'End of the audit log by an earlier audit. Report if the log no longer contains it.',
        parse: parseChainLink,
      },
    ],
    run: ({ store, config, options, terminal }) =>
      auditCommand(store, config, options['logEnd'] as ChainLink | undefined, terminal.out),
  },
  {
    usage: 'restored',
    description: 'Pause payouts after a restore from a backup. Run it before you start a gateway.',
    options: [
      {
        form: '--complete',
        description:
          'Resume payouts instead, because no commit was lost, such as after a failover to a synchronous standby.',
      },
    ],
    action: 'recordRestore',
    run: ({ store, options, author }) => restoredCommand(store, { isComplete: options['complete'] === true }, author),
  },
];
