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
import type { CallManagement } from './call-management.ts';
import type { Author } from './command-services.ts';
import { auditCommand, parseChainLink, restoredCommand } from './maintenance.ts';
import {
  createKeyCommand,
  createMerchantCommand,
  disableMerchantCommand,
  enableMerchantCommand,
  failingCommand,
  listKeysCommand,
  listMerchantsCommand,
  listOperatorsCommand,
  listSecretsCommand,
  type ReplayOptions,
  replayCommand,
  resendCommand,
  resumeCommand,
  revokeKeyCommand,
  revokeSecretCommand,
  rotateSecretCommand,
  stopCommand,
  stoppedCommand,
} from './management-commands.ts';
import { fundCommand } from './merchants.ts';
import {
  createOperatorCommand,
  createOperatorKeyCommand,
  listOperatorKeysCommand,
  revokeOperatorCommand,
  revokeOperatorKeyCommand,
  setOperatorRoleCommand,
} from './operators.ts';
import {
  acceptDifferenceCommand,
  type ListedDifferences,
  listDifferencesCommand,
  reconcileCommand,
} from './reconcile.ts';
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

/** A command. Its `run` gets the arguments as they were typed. */
export type DatabaseCommand = Described &
  (
    | {
        readonly action?: undefined;
        readonly manage?: undefined;
        readonly run: (context: CommandContext, ...args: string[]) => Promise<CommandOutcome>;
      }
    | {
        /** The name under which its change is recorded: an operationId of the management API, or like one. */
        readonly action: string;
        readonly manage?: undefined;
        readonly run: (
          context: CommandContext & { readonly author: Author },
          ...args: string[]
        ) => Promise<CommandOutcome>;
      }
    | {
        /** The operation that makes its change; undefined if it only reads. */
        readonly action?: string;
        /** Calls the management API, over HTTP with `--url`, otherwise on the database. */
        readonly manage: (
          manage: CallManagement,
          context: Pick<CommandContext, 'force' | 'options'> & { readonly reason: string | undefined },
          ...args: string[]
        ) => Promise<CommandOutcome>;
      }
  );

/** Commands of two words, which share the first. */
export interface CommandGroup {
  readonly name: string;
  readonly description: string;
  readonly commands: readonly DatabaseCommand[];
}

/** A command that creates API keys has to know of which kind. */
const KEY_SETTINGS: readonly SettingName[] = [...DATABASE_SETTINGS, 'live'];

const DIFFERENCE_STATES = ['open', 'matched', 'accepted'] as const;

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
export const GROUPS: readonly CommandGroup[] = [
  {
    name: 'merchant',
    description: 'Create, list, disable and enable merchants.',
    commands: [
      {
        usage: 'create <name> <currencies>',
        description:
          'Create a merchant with an API key, a signing secret, and a wallet for each currency of a list such as INR,EGP.',
        settings: KEY_SETTINGS,
        action: 'createMerchant',
        manage: (manage, _context, name = '', currencies = '') => createMerchantCommand(manage, name, currencies),
      },
      {
        usage: 'list',
        description: 'List the merchants and their wallets.',
        manage: listMerchantsCommand,
      },
      {
        usage: 'disable <merchant-id>',
        description:
          'Respond to all API keys of a merchant with 401. Its transactions continue, and its webhooks are still sent.',
        action: 'disableMerchant',
        manage: (manage, _context, id = '') => disableMerchantCommand(manage, id),
      },
      {
        usage: 'enable <merchant-id>',
        description: 'Accept the API keys of a disabled merchant again.',
        action: 'enableMerchant',
        manage: (manage, _context, id = '') => enableMerchantCommand(manage, id),
      },
    ],
  },
  {
    name: 'key',
    description: 'Create, list and revoke API keys.',
    commands: [
      {
        usage: 'create <merchant-id>',
        description: 'Create an API key. The other keys stay valid.',
        settings: KEY_SETTINGS,
        action: 'createApiKey',
        manage: (manage, _context, id = '') => createKeyCommand(manage, id),
      },
      {
        usage: 'list <merchant-id>',
        description: 'List the API keys of a merchant, without the keys themselves.',
        manage: (manage, _context, id = '') => listKeysCommand(manage, id),
      },
      {
        usage: 'revoke <merchant-id> <key-id>',
        description: 'Revoke an API key.',
        action: 'revokeApiKey',
        manage: (manage, _context, id = '', keyId = '') => revokeKeyCommand(manage, id, keyId),
      },
    ],
  },
  {
    name: 'secret',
    description: 'Rotate, list, revoke and re-encrypt signing secrets.',
    commands: [
      {
        usage: 'rotate <merchant-id>',
        description: 'Create a signing secret. The previous one stays valid for 24 hours.',
        action: 'rotateSigningSecret',
        manage: (manage, _context, id = '') => rotateSecretCommand(manage, id),
      },
      {
        usage: 'list <merchant-id>',
        description: 'List the signing secrets of a merchant, without the secrets themselves.',
        manage: (manage, _context, id = '') => listSecretsCommand(manage, id),
      },
      {
        usage: 'revoke <merchant-id> <secret-id>',
        description:
          'Revoke a signing secret. If the previous secret is still valid, it stays valid until the next rotation.',
        force:
          "Revoke the secret even if it is the only valid one. The merchant's webhooks then wait for the next rotation.",
        action: 'revokeSigningSecret',
        manage: (manage, context, id = '', secretId = '') => revokeSecretCommand(manage, id, secretId, context),
      },
      {
        usage: 'reencrypt',
        description:
          'Encrypt all signing secrets with SECRETS_KEY, including unencrypted ones. Gateways may be running.',
        action: 'reencryptSigningSecrets',
        run: ({ store, config, author }) => reencryptCommand(store, readSecretKeys(config), author),
      },
    ],
  },
  {
    name: 'operator',
    description: 'Create, list and revoke operators, who use the management API.',
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
        usage: 'list',
        description: 'List the operators with their roles and the last use of their keys.',
        manage: listOperatorsCommand,
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
    name: 'webhook',
    description: 'Send webhooks again, and stop, list and resume callback URLs.',
    commands: [
      {
        usage: 'stopped',
        description: 'List stopped callback URLs: their endpoint responded with 410, or an operator stopped them.',
        manage: stoppedCommand,
      },
      {
        usage: 'stop <merchant-id> <url>',
        description: 'Stop webhooks to a callback URL. After you resume it, replay them with --stopped.',
        action: 'stopUrl',
        manage: (manage, _context, id = '', url = '') => stopCommand(manage, id, url),
      },
      {
        usage: 'resume <merchant-id> <url>',
        description: 'Resume webhooks to a stopped callback URL.',
        action: 'resumeUrl',
        manage: (manage, _context, id = '', url = '') => resumeCommand(manage, id, url),
      },
      {
        usage: 'resend <event-id>',
        description: 'Send a webhook of any merchant again, whether or not it was delivered.',
        action: 'resendEvent',
        manage: (manage, _context, id = '') => resendCommand(manage, id),
      },
      {
        usage: 'replay',
        description:
          'Send undelivered webhooks again now, abandoned or waiting for their next attempt, at most 10,000.',
        options: [
          {
            form: '--since <time>',
            description: 'Only webhooks created at or after this time, such as 2026-03-02T08:00:00Z.',
            parse: parseTime,
          },
          { form: '--merchant <merchant-id>', description: 'Only webhooks of this merchant.' },
          { form: '--callback-url <url>', description: 'Only webhooks for this callback URL.' },
          { form: '--stopped', description: 'Send webhooks of stopped callback URLs instead.' },
        ],
        action: 'replayEvents',
        manage: (manage, { options }) => replayCommand(manage, options as ReplayOptions),
      },
    ],
  },
  {
    name: 'reconcile',
    description: 'Compare the ledger with statements of channels, and list and accept the differences.',
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
      {
        usage: 'list',
        description: 'List open differences.',
        options: [
          { form: '--channel <channel>', description: 'Only differences of this channel.' },
          {
            form: `--state <${DIFFERENCE_STATES.join('|')}>`,
            description: 'Differences in this state instead.',
            parse: parseName(DIFFERENCE_STATES),
          },
        ],
        manage: (manage, { options }) => listDifferencesCommand(manage, options as ListedDifferences),
      },
      {
        usage: 'accept <difference-id>',
        description: 'Close a difference without a change of money. --reason is required.',
        action: 'acceptDifference',
        manage: (manage, { reason }, id = '') => acceptDifferenceCommand(manage, id, reason),
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
  {
    usage: 'failing',
    description:
      'List the transactions whose next step fails, with the error and the next attempt, and open exceptions.',
    manage: failingCommand,
  },
];
