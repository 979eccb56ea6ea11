/** The commands about signing secrets, and the keys that encrypt them in the database. */
import { UserError } from '../../../contract/src/cli.ts';
import type { GatewayConfig } from '../config/settings.ts';
import type { Store } from '../database/store.ts';
import { revokeSecret, rotateSecret } from '../management/signing-secrets.ts';
import {
  readSigningSecrets,
  reencryptSecrets,
  requireReadableSecrets,
  type SecretListing,
  UnusableSecrets,
} from '../merchants/signing-secrets.ts';
import type { Clock } from '../platform/clock.ts';
import { KeyRing, UndecryptableSecret } from '../platform/key-ring.ts';
import { timestamp } from '../transactions/view.ts';
import { type Author, commandServices } from './command-services.ts';
import { requireMerchant } from './merchants.ts';

/** Secrets in a unit of work. */
const BATCH = 100;

/** The keys that the settings name. */
export function readSecretKeys({ secretsKey, secretsKeyPrevious }: GatewayConfig): KeyRing {
  return new KeyRing([...secretsKey, ...secretsKeyPrevious]);
}

/** A UserError for secrets that the keys of the settings can't decrypt. Other errors stay unchanged. */
export function explainSecrets(error: unknown): unknown {
  if (!(error instanceof UnusableSecrets || error instanceof UndecryptableSecret)) return error;
  const next = /in the clear/.test(error.message)
    ? 'Encrypt them: payments-gateway secret reencrypt'
    : 'Set SECRETS_KEY to the key of the gateways, and SECRETS_KEY_PREVIOUS to keys that it replaces.';
  return new UserError(`Can't use the signing secrets of the database:\n${error.message}\n${next}`);
}

/**
 * Runs a command that writes signing secrets, if its keys can decrypt the existing ones. Otherwise it would write
 * secrets that the gateways can't decrypt.
 */
export async function withSecretKeys<T>(
  config: GatewayConfig,
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  work: (secretKeys: KeyRing) => Promise<T>,
): Promise<T> {
  const secretKeys = readSecretKeys(config);
  try {
    await requireReadableSecrets(store.read, secretKeys, clock.now());
    return await work(secretKeys);
  } catch (error) {
    throw explainSecrets(error);
  }
}

/** Adds a signing secret; the one before it stays valid for a day, so that receivers can change over. */
export async function rotateSecretCommand(
  store: Store,
  merchantId: string,
  secretKeys: KeyRing,
  { record, clock }: Author,
): Promise<string> {
  const merchant = await requireMerchant(store, merchantId);
  const { secret } = await rotateSecret(commandServices(store, clock, secretKeys), merchant.id, undefined, record);
  return `signing secret  ${secret}\nThe one before it stays valid for 24 hours.`;
}

/** Lists the secrets of a merchant, without the secrets themselves. */
export async function listSecretsCommand(store: Store, merchantId: string, now: number): Promise<string> {
  const merchant = await requireMerchant(store, merchantId);
  const lines = (await readSigningSecrets(store.read, merchant.id)).map((secret) => {
    const stored = secret.keyId === undefined ? 'in the clear' : `encrypted with key ${secret.keyId}`;
    return `${secret.id}  ${timestamp(secret.createdAt)}  ${validity(secret, now)}  ${stored}`;
  });
  return lines.join('\n') || `merchant ${merchant.id} has no signing secret`;
}

/** Ends a secret, within a second. */
export async function revokeSecretCommand(
  store: Store,
  merchantId: string,
  secretId: string,
  options: { force: boolean },
  { record, clock }: Author,
): Promise<string> {
  const merchant = await requireMerchant(store, merchantId);
  const rejection = await revokeSecret(commandServices(store, clock), merchant.id, secretId, options, record);
  if (!rejection) return `revoked ${secretId}`;
  throw new UserError(
    rejection.reason === 'unknown'
      ? `Merchant ${merchant.id} has no valid signing secret ${secretId}.\nTry: payments-gateway secret list ${merchant.id}`
      : `${secretId} is the only valid signing secret of merchant ${merchant.id}, and webhooks can't be sent without one.
Create another first: payments-gateway secret rotate ${merchant.id}
To hold back the merchant's webhooks until then, repeat the command with --force.`,
  );
}

/** Encrypts all secrets with the first key, while gateways run. */
export async function reencryptCommand(store: Store, secretKeys: KeyRing, { record }: Author): Promise<string> {
  const [newest] = secretKeys.ids;
  if (newest === undefined) {
    throw new UserError('SECRETS_KEY is not set. Set it to the key to encrypt with: openssl rand -base64 32', 2);
  }
  const failures: string[] = [];
  let encrypted = 0;
  let after: string | undefined = '';
  while (after !== undefined) {
    const part = await store.unit(async (db) => {
      const done = await reencryptSecrets(db, secretKeys, BATCH, after);
      if (encrypted === 0 && done.encrypted > 0) await record(db, { subject: newest });
      return done;
    });
    failures.push(...part.failures);
    encrypted += part.encrypted;
    after = part.last;
  }
  const done = `encrypted ${encrypted} signing secrets with key ${newest}`;
  if (failures.length === 0) return done;
  throw new UserError(
    `${done}, but ${failures.length} could not be decrypted:\n${failures.join('\n')}\nAdd the keys that are missing to SECRETS_KEY_PREVIOUS.`,
  );
}

function validity({ expiresAt }: SecretListing, now: number): string {
  if (expiresAt === undefined) return 'valid';
  return `${expiresAt > now ? 'valid until' : 'expired'} ${timestamp(expiresAt)}`;
}
