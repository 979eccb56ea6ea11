/** `payments-gateway`: the gateway and its administration. */
import { type Command, main, parseCommand, UserError } from '../../contract/src/cli.ts';
import { auditStore } from './commands/audit.ts';
import {
  createKeyCommand,
  createMerchantCommand,
  fundCommand,
  listKeysCommand,
  listMerchantsCommand,
  revokeKeyCommand,
  rotateSecretCommand,
} from './commands/merchants.ts';
import { openStore } from './commands/open-store.ts';
import { startCommand } from './commands/start.ts';
import { resumeCommand, stoppedCommand } from './commands/webhooks.ts';
import { CONFIG_OPTIONS, type Config, readConfig } from './config.ts';
import { readReference } from './http/reference.ts';
import type { Store } from './store/store.ts';

interface Subcommand {
  readonly summary: string;
  readonly positionals: string[];
  readonly options?: Command['options'];
  /** Returns the exit code, or what to print. */
  readonly run: (config: Config, args: string[], values: Record<string, unknown>) => Promise<string | number>;
}

const administer =
  (action: (store: Store, ...args: string[]) => Promise<string | number>): Subcommand['run'] =>
  async (config, args) => {
    const store = await openStore(config);
    return action(store, ...args).finally(() => store.close());
  };

const SUBCOMMANDS: Record<string, Subcommand> = {
  start: {
    summary: 'Runs the gateway until it is stopped.',
    positionals: [],
    options: {
      demo: { type: 'boolean', description: 'Create a demo merchant, and print its key and a call that works.' },
    },
    run: async (config, _, values) => {
      await startCommand(config, { demo: values['demo'] === true, reference: await readReference() });
      return 0;
    },
  },
  'merchant create': {
    summary: 'Adds a merchant with a key, a signing secret and wallets in the given currencies.',
    positionals: ['NAME', 'CURRENCIES'],
    run: administer((store, name = '', currencies = '') => createMerchantCommand(store, name, currencies.split(','))),
  },
  'merchant list': {
    summary: 'Lists the merchants and what their wallets hold.',
    positionals: [],
    run: administer(listMerchantsCommand),
  },
  'key create': {
    summary: 'Adds an API key; the others stay valid.',
    positionals: ['MERCHANT_ID'],
    run: administer((store, id = '') => createKeyCommand(store, id)),
  },
  'key list': {
    summary: 'Lists the API keys of a merchant, without the keys.',
    positionals: ['MERCHANT_ID'],
    run: administer((store, id = '') => listKeysCommand(store, id)),
  },
  'key revoke': {
    summary: 'Ends an API key.',
    positionals: ['MERCHANT_ID', 'KEY_ID'],
    run: administer((store, id = '', key = '') => revokeKeyCommand(store, id, key)),
  },
  'secret rotate': {
    summary: 'Adds a signing secret; the one before it stays valid for a day.',
    positionals: ['MERCHANT_ID'],
    run: administer((store, id = '') => rotateSecretCommand(store, id)),
  },
  'webhook stopped': {
    summary: 'Lists the addresses to which nothing is sent any more, since they answered 410.',
    positionals: [],
    run: administer(stoppedCommand),
  },
  'webhook resume': {
    summary: 'Sends to such an address again, from the next event on.',
    positionals: ['MERCHANT_ID', 'URL'],
    run: administer((store, id = '', url = '') => resumeCommand(store, id, url)),
  },
  fund: {
    summary: 'Puts money, in minor units, into a wallet.',
    positionals: ['MERCHANT_ID', 'AMOUNT', 'CURRENCY'],
    run: administer((store, id = '', amount = '', currency = '') => fundCommand(store, id, amount, currency)),
  },
  audit: {
    summary: 'Recomputes every balance from the ledger, and says what differs.',
    positionals: [],
    run: administer(async (store) => {
      const { wallets, entries, differences } = await auditStore(store);
      console.log(
        [...differences, `${wallets} wallets, ${entries} entries, ${differences.length} differences`].join('\n'),
      );
      return differences.length === 0 ? 0 : 1;
    }),
  },
};

await main(async () => {
  const [name, args] = split(process.argv.slice(2));
  const subcommand = SUBCOMMANDS[name];
  if (!subcommand) return overview(name);
  const command = {
    name: `payments-gateway ${name}`,
    summary: subcommand.summary,
    positionals: subcommand.positionals,
    options: { ...subcommand.options, ...CONFIG_OPTIONS },
  };
  const { values, positionals } = parseCommand(command, args);
  const result = await subcommand.run(readConfig(values), positionals, values);
  if (typeof result === 'number') return result;
  console.log(result);
  return 0;
});

/** A subcommand has one or two words. */
function split(argv: string[]): [name: string, args: string[]] {
  const two = argv.slice(0, 2).join(' ');
  return SUBCOMMANDS[two] ? [two, argv.slice(2)] : [argv[0] ?? '', argv.slice(1)];
}

function overview(name: string): number {
  const rows = Object.entries(SUBCOMMANDS).map(
    ([key, { positionals, summary }]) => [[key, ...positionals].join(' '), summary] as const,
  );
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  const text = [
    'A payments and payouts service that implements the contract.',
    '',
    'Usage: payments-gateway COMMAND [options]',
    '',
    'Commands:',
    ...rows.map(([left, right]) => `  ${left.padEnd(width)}${right}`),
    '',
    'Each command has --help.',
  ].join('\n');
  if (name !== '--help' && name !== '-h' && name !== '')
    throw new UserError(`there is no command '${name}'\nTry: payments-gateway --help`, 2);
  console.log(text);
  return name === '' ? 2 : 0;
}
