/** Commands that call the management API, over HTTP or on the database. */
import { parseArgument, parseNames, parseNumber, UserError } from '../../../contract/src/cli.ts';
import { currencies } from '../../../generated/currencies.ts';
import type {
  ExceptionalTransaction,
  FailingTransaction,
  Merchant,
  OperatorKey,
  SigningSecret,
} from '../../../generated/management/types.ts';
import type { Currency } from '../../../generated/types.ts';
import { timestamp } from '../transactions/view.ts';
import { type CallManagement, listAll } from './call-management.ts';
import { describeException, describeFailingStep } from './client/operator-views.ts';

const parseMerchant = parseNumber({ min: 1, max: 999_999_999_999 });

/** Parses the number of a merchant. Throws a UserError. */
const toMerchantId = (text: string): number => parseArgument('The merchant', text, parseMerchant);

/** Lists the stopped callback URLs with the event that stopped each. */
export async function stoppedCommand(manage: CallManagement): Promise<string> {
  const stopped = await listAll((query) => manage('listStoppedUrls', { query }));
  const lines = stopped.map(({ merchant_id: merchant, stopped_at: at, event_id: event, url, stopped_by: by }) =>
    [merchant, at, event, url, ...(by ? [`by ${by.name}`] : [])].join('  '),
  );
  return lines.join('\n') || 'no callback URL is stopped';
}

/** Resumes webhooks to the URL. */
export async function resumeCommand(manage: CallManagement, merchant: string, url: string): Promise<string> {
  await manage('resumeUrl', { body: { merchant_id: toMerchantId(merchant), url } });
  return `events are sent to ${url} again, from the next one on`;
}

/** Stops webhooks to the URL until it is resumed. */
export async function stopCommand(manage: CallManagement, merchant: string, url: string): Promise<string> {
  await manage('stopUrl', { body: { merchant_id: toMerchantId(merchant), url } });
  return `nothing is sent to ${url} until: payments-gateway webhook resume ${merchant} ${url}`;
}

/** Sends an event again; a running gateway takes it within a second. */
export async function resendCommand(manage: CallManagement, id: string): Promise<string> {
  const { url } = await manage('resendEvent', { path: { event_id: id } });
  return `${id} is sent to ${url} again`;
}

/** The options of a replay. */
export interface ReplayOptions {
  /** Milliseconds since 1970. */
  readonly since?: number;
  readonly merchant?: string;
  readonly callbackUrl?: string;
  readonly stopped?: boolean;
}

/** Sends undelivered or stopped events again; a running gateway takes them within a second. */
export async function replayCommand(
  manage: CallManagement,
  { since, merchant, callbackUrl: url, stopped }: ReplayOptions,
): Promise<string> {
  if (since === undefined)
    throw new UserError('--since is missing. Pass a time, such as --since 2026-03-02T08:00:00Z.', 2);
  const { events, waiting } = await manage('replayEvents', {
    body: {
      since: timestamp(since),
      ...(stopped && { state: 'stopped' }),
      ...(merchant !== undefined && { merchant_id: toMerchantId(merchant) }),
      ...(url !== undefined && { url }),
    },
  });
  return `webhooks sent again: ${events}, of which ${waiting} were waiting for their next attempt`;
}

const LISTED_MAX = 100;

/** Lists transactions whose next step fails or is missing, and those whose channel contradicts how they have ended. */
export async function failingCommand(manage: CallManagement): Promise<string> {
  const query = { limit: LISTED_MAX };
  const { data: failing } = await manage('listFailingTransactions', { query });
  const { data: exceptional } = await manage('listExceptions', { query });
  const lines = [...failing.map(describeFailing), ...exceptional.flatMap(describeExceptions)];
  return lines.join('\n') || 'no transaction is failing';
}

function describeFailing({ merchant_id: merchant, transaction_id: id, status, failing }: FailingTransaction): string {
  if (!failing) return `${merchant}  ${id}  ${status}  it has no next step`;
  return `${merchant}  ${id}  ${status}  ${describeFailingStep(failing)}`;
}

function describeExceptions(transaction: ExceptionalTransaction): string[] {
  const { merchant_id: merchant, transaction_id: id, status, exceptions } = transaction;
  const open = exceptions.filter(({ resolution }) => resolution === undefined);
  return open.map(
    (exception) => `${merchant}  ${id}  ${status}  exception  ${describeException(exception, transaction)}`,
  );
}

/** Creates a merchant, and prints its key and secret once. */
export async function createMerchantCommand(
  manage: CallManagement,
  name: string,
  currencyList: string,
): Promise<string> {
  const known = parseArgument('The currency', currencyList, parseNames(currencies)) as Currency[];
  const { merchant, api_key, signing_secret } = await manage('createMerchant', { body: { name, currencies: known } });
  return [
    `merchant        ${merchant.id}  ${merchant.name}`,
    `API key         ${api_key.key}  (${api_key.id}, shown only now)`,
    `signing secret  ${signing_secret}`,
  ].join('\n');
}

/** Rejects the merchant's API keys within a second. Open transactions continue. */
export async function disableMerchantCommand(manage: CallManagement, merchant: string): Promise<string> {
  const { id } = await manage('disableMerchant', { path: { merchant_id: toMerchantId(merchant) } });
  return `disabled merchant ${id}: its API keys get 401. Its transactions and webhooks continue.`;
}

/** Accepts the merchant's API keys again. */
export async function enableMerchantCommand(manage: CallManagement, merchant: string): Promise<string> {
  const { id } = await manage('enableMerchant', { path: { merchant_id: toMerchantId(merchant) } });
  return `enabled merchant ${id}: its API keys are accepted again, except revoked ones`;
}

/** Adds a key; the others stay valid. */
export async function createKeyCommand(manage: CallManagement, merchant: string): Promise<string> {
  const { id, key } = await manage('createApiKey', { path: { merchant_id: toMerchantId(merchant) } });
  return `API key  ${key}  (${id}, shown only now)`;
}

/** Lists the keys, without the keys themselves. */
export async function listKeysCommand(manage: CallManagement, merchant: string): Promise<string> {
  const { data } = await manage('listApiKeys', { path: { merchant_id: toMerchantId(merchant) } });
  return data
    .map(({ id, hint, created_at: at, revoked_at: end }) => `${id}  ${hint}  ${at}${end ? `  revoked ${end}` : ''}`)
    .join('\n');
}

/** Ends a key; it is refused from within a second on. */
export async function revokeKeyCommand(manage: CallManagement, merchant: string, keyId: string): Promise<string> {
  await manage('revokeApiKey', { path: { merchant_id: toMerchantId(merchant), key_id: keyId } });
  return `revoked ${keyId}`;
}

/** Lists the merchants with their wallets, amounts in minor units. */
export async function listMerchantsCommand(manage: CallManagement): Promise<string> {
  const merchants = await listAll((query) => manage('listMerchants', { query }));
  const lines = [];
  for (const merchant of merchants) lines.push(...(await describeMerchant(manage, merchant)));
  return lines.join('\n') || 'No merchants yet. Create one: payments-gateway merchant create NAME';
}

async function describeMerchant(
  manage: CallManagement,
  { id, name, disabled_at: disabledAt }: Merchant,
): Promise<string[]> {
  const { data: wallets } = await manage('listWallets', { path: { merchant_id: id } });
  return [
    `${id}  ${name}${disabledAt === undefined ? '' : `  disabled ${disabledAt}`}`,
    ...wallets.map(
      ({ currency, available, pending, reserved }) =>
        `       ${currency}  available ${available}, pending ${pending}, reserved ${reserved}`,
    ),
  ];
}

/** Lists the operators with their roles and the use of their keys. */
export async function listOperatorsCommand(manage: CallManagement): Promise<string> {
  const operators = await listAll((query) => manage('listOperators', { query }));
  const lines = operators.map(
    ({ id, name, role, created_at: at, keys }) => `${id}  ${at}  ${role.padEnd(7)}  ${name}  ${describeUse(keys)}`,
  );
  return lines.join('\n') || 'No operators yet. Create one: payments-gateway operator create NAME';
}

function describeUse(keys: readonly OperatorKey[]): string {
  const valid = keys.filter(({ revoked_at: revokedAt }) => revokedAt === undefined);
  if (valid.length === 0) return 'revoked';
  const [lastUse] = keys
    .flatMap(({ last_used_at: at }) => at ?? [])
    .toSorted()
    .toReversed();
  const expiry = valid
    .map(({ expires_at: at }) => at)
    .toSorted()
    .at(-1);
  return `${valid.length === 1 ? '1 key' : `${valid.length} keys`}, ${lastUse === undefined ? 'never used' : `last used ${lastUse}`}, expires ${expiry}`;
}

/** Adds a signing secret; the one before it stays valid for a day, so that receivers can change over. */
export async function rotateSecretCommand(manage: CallManagement, merchant: string): Promise<string> {
  const { secret } = await manage('rotateSigningSecret', { path: { merchant_id: toMerchantId(merchant) } });
  return `signing secret  ${secret}\nThe one before it stays valid for 24 hours.`;
}

/** Lists the secrets of a merchant, without the secrets themselves. */
export async function listSecretsCommand(manage: CallManagement, merchant: string): Promise<string> {
  const { data } = await manage('listSigningSecrets', { path: { merchant_id: toMerchantId(merchant) } });
  return data.map(describeSecret).join('\n') || `merchant ${merchant} has no signing secret`;
}

function describeSecret({
  id,
  created_at: at,
  expires_at: expiresAt,
  valid,
  encrypted_with: key,
}: SigningSecret): string {
  const validity = expiresAt === undefined ? 'valid' : `${valid ? 'valid until' : 'expired'} ${expiresAt}`;
  return `${id}  ${at}  ${validity}  ${key === undefined ? 'in the clear' : `encrypted with key ${key}`}`;
}

/** Ends a secret, within a second. */
export async function revokeSecretCommand(
  manage: CallManagement,
  merchant: string,
  secretId: string,
  { force }: { readonly force: boolean },
): Promise<string> {
  const path = { merchant_id: toMerchantId(merchant), secret_id: secretId };
  await manage('revokeSigningSecret', { path, body: force ? { force } : {} });
  return `revoked ${secretId}`;
}
