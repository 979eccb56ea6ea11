/** The methods and channels of a command: from a config file, which is required with LIVE. */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { UserError } from '../../../contract/src/cli.ts';
import { readMethodsAndChannels } from '../../../gateway/src/commands/methods-and-channels.ts';
import { DEFAULTS } from '../../../gateway/src/config/settings.ts';
import { sandboxMethods } from '../../../gateway/src/domain/methods.ts';
import * as gateway from '../../../gateway/src/index.ts';
import { run } from '../../../scripts/tools/process.ts';
import { temporaryFolder } from '../harness.ts';
import { createRunner } from './run-command.ts';

const LIVE_CONFIG = new URL('../harness/live.config.ts', import.meta.url).pathname;
const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64');
/** It would fail only at its port. */
const START_ARGS = ['start', '--host', '203.0.113.1', '--port', '0', '--log-level', 'silent'];

/** Writes a config file with this text, and returns its path. */
async function configFile(text: string, name = 'gateway.config.mjs'): Promise<string> {
  const file = join(await temporaryFolder(), name);
  await writeFile(file, text);
  return file;
}

/** A config file with the definition, with no-op functions. */
function definitionFile(definition: object): Promise<string> {
  return configFile(`const call = () => undefined;
export default ${JSON.stringify(definition).replaceAll('"call"', 'call')};`);
}

const CALLS = ['initiate', 'clarify', 'verify', 'cancel', 'payOut', 'verifyPayout'];
const bank = (changes: object = {}) => {
  return { name: 'bank', sandbox: false, ...Object.fromEntries(CALLS.map((name) => [name, 'call'])), ...changes };
};
const [wallet = sandboxMethods[0]] = sandboxMethods.filter((method) => method.sandbox);

async function readMessage(config: string, changes: object = {}): Promise<string> {
  const error = await readMethodsAndChannels({ ...DEFAULTS, config, ...changes }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UserError);
  expect(error).toMatchObject({ exitCode: 2 });
  return (error as UserError).message;
}

it('a live start without channels is refused before it opens the database, and lists the missing configuration', async () => {
  const file = join(await temporaryFolder(), 'live.db');
  const start = createRunner({ DATABASE_FILE: file, LIVE: 'true', SECRETS_KEY });
  const refused = await start(...START_ARGS);
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  for (const line of [
    'LIVE is set, but no channel moves money:',
    '- the payment method UPI_IN names the channel upi-standard; there are no channels',
    '- the payout method IMPS_IN names the channel imps-trusted; there are no channels',
    'payments-gateway start --config gateway.config.ts',
    "export default defineGateway({ methods: withChannel(contractMethods, 'bank'), channels: [bank] });",
  ])
    expect(refused.stderr).toContain(line);
  expect(existsSync(file)).toBe(false);
});

const SANDBOX_ONLY = {
  methods: [{ ...wallet, account: undefined, channels: { standard: 'bank' } }],
  channels: [bank()],
};

it.each([
  ['a simulated channel', { channels: [bank({ sandbox: true })] }, 'the channel bank is simulated'],
  ['a channel with test data', { channels: [bank({ testData: {} })] }, 'the channel bank is simulated'],
  ['a method of sandboxes', SANDBOX_ONLY, `the payment method ${wallet?.name} exists only in sandboxes`],
  ['no methods', { methods: [], channels: [bank()] }, 'there are no methods'],
  ['a method without its channel', { channels: [bank()] }, 'the payment method UPI_IN names the channel upi-standard'],
])('a live start refuses %s', async (_what, definition, problem) => {
  const message = await readMessage(await definitionFile(definition), { live: true });
  expect(message).toContain(`- ${problem}`);
  expect(message).toContain("can't be used with LIVE:");
});

it.each([
  ['an unknown member', { channel: [] }, '- channel is unknown; the members of the definition are methods, channels'],
  ['no channels', {}, '- channels is missing; it must be an array of channels'],
  ['a channel without a call', { channels: [bank({ cancel: 1 })] }, '- channels[0].cancel must be a function'],
  ['a channel with a slash in its name', { channels: [bank({ name: 'a/b' })] }, '- channels[0].name must be 1 to 64'],
  ['two channels of a name', { channels: [bank(), bank()] }, '- two channels are named bank'],
])('errors name the member of %s', async (_what, definition, problem) => {
  expect(await readMessage(await definitionFile(definition))).toContain(problem);
});

it('a config file without a default export is refused', async () => {
  expect(await readMessage(await configFile('export const gateway = {};'))).toContain('has no default export');
});

it('a config file can import the package, which a clone resolves to its source', async () => {
  const file = await configFile("import * as own from 'payments-gateway'; throw new Error(Object.keys(own).sort());");
  const env = { DATABASE_FILE: join(await temporaryFolder(), 'clone.db') };
  const ran = await run(process.execPath, ['scripts/start.ts', '--config', file, '--port', '0'], {
    env,
    allowFailure: true,
  });
  // A slow start also shows its progress.
  expect(ran).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`Can't load ${file}: ${Object.keys(gateway).sort()}\n`),
  });
});

it('secrets of simulated channels are refused with a config file', async () => {
  const channelSecrets = [['upi-standard', '0123456789abcdef']] as const;
  expect(await readMessage(LIVE_CONFIG, { channelSecrets })).toContain('Remove CHANNEL_SECRETS.');
});
