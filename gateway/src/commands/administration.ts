/** The commands on the database of a gateway, as data. */
import type { Outcome, Terminal } from '../../../contract/src/cli.ts';
import type { Config } from '../config.ts';
import type { Store } from '../store/store.ts';
import { auditCommand } from './audit.ts';
import { failingCommand } from './failing.ts';
import {
  createKeyCommand,
  createMerchantCommand,
  fundCommand,
  listKeysCommand,
  listMerchantsCommand,
  revokeKeyCommand,
  rotateSecretCommand,
} from './merchants.ts';
import { resumeCommand, stoppedCommand } from './webhooks.ts';

/** What a command works with. */
export interface Workplace {
  readonly store: Store;
  readonly config: Config;
  readonly terminal: Terminal;
}

export interface Administered {
  /** Name and arguments, such as `revoke <merchant-id> <key-id>`. */
  readonly usage: string;
  readonly description: string;
  /** Gets the arguments as they were typed. */
  readonly run: (workplace: Workplace, ...args: string[]) => Promise<Outcome>;
}

interface Group {
  readonly name: string;
  readonly description: string;
  readonly commands: readonly Administered[];
}

/** Commands of two words. */
export const GROUPS: readonly Group[] = [
  {
    name: 'merchant',
    description: 'Create and list merchants.',
    commands: [
      {
        usage: 'create <name> <currencies>',
        description:
          'Create a merchant with an API key, a signing secret, and a wallet for each currency of a list such as INR,EGP.',
        run: ({ store }, name = '', currencies = '') => createMerchantCommand(store, name, currencies.split(',')),
      },
      {
        usage: 'list',
        description: 'List the merchants and their wallets.',
        run: ({ store }) => listMerchantsCommand(store),
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
        run: ({ store }, id = '') => createKeyCommand(store, id),
      },
      {
        usage: 'list <merchant-id>',
        description: 'List the API keys of a merchant, without the keys themselves.',
        run: ({ store }, id = '') => listKeysCommand(store, id),
      },
      {
        usage: 'revoke <merchant-id> <key-id>',
        description: 'Revoke an API key.',
        run: ({ store }, id = '', keyId = '') => revokeKeyCommand(store, id, keyId),
      },
    ],
  },
  {
    name: 'secret',
    description: 'Rotate signing secrets.',
    commands: [
      {
        usage: 'rotate <merchant-id>',
        description: 'Create a signing secret. The previous one stays valid for 24 hours.',
        run: ({ store }, id = '') => rotateSecretCommand(store, id),
      },
    ],
  },
  {
    name: 'webhook',
    description: 'List and resume callback URLs that were stopped.',
    commands: [
      {
        usage: 'stopped',
        description: 'List the callback URLs that get no webhooks because they responded with 410.',
        run: ({ store }) => stoppedCommand(store),
      },
      {
        usage: 'resume <merchant-id> <url>',
        description: 'Send webhooks to a stopped callback URL again.',
        run: ({ store }, id = '', url = '') => resumeCommand(store, id, url),
      },
    ],
  },
];

/** Commands of one word. */
export const COMMANDS: readonly Administered[] = [
  {
    usage: 'fund <merchant-id> <amount> <currency>',
    description: 'Add money, in minor units, to a wallet.',
    run: ({ store }, id = '', amount = '', currency = '') => fundCommand(store, id, amount, currency),
  },
  {
    usage: 'audit',
    description: 'Compare every transaction, ledger entry and wallet, and list the differences.',
    run: ({ store, terminal }) => auditCommand(store, terminal.out),
  },
  {
    usage: 'failing',
    description: 'List the transactions whose next step fails, with the error and the next attempt.',
    run: ({ store }) => failingCommand(store),
  },
];
