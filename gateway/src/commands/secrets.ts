/** The keys that encrypt signing secrets in the database. */
import { UserError } from '../../../contract/src/cli.ts';
import type { GatewayConfig } from '../config/settings.ts';
import type { Store } from '../database/store.ts';
import { reencryptSecrets, requireReadableSecrets, UnusableSecrets } from '../merchants/signing-secrets.ts';
import type { Clock } from '../platform/clock.ts';
import { KeyRing, UndecryptableSecret } from '../platform/key-ring.ts';
import type { Author } from './command-services.ts';

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
