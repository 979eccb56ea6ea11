/** Key and secrets of the merchant, for the person who copies them into an app. */
import type { Credentials } from '../../../../generated/sandbox/types.ts';
import { DEMO_KEY, DEMO_KEY_ID, listApiKeys } from '../../merchants/api-keys.ts';
import { validSecrets } from '../../merchants/signing-secrets.ts';
import type { SandboxCall, SandboxServices } from '../operation.ts';

/** The oldest of a merchant's keys. */
const KEYS_MAX = 100;

export async function getCredentials(
  { store, secretKeys, time }: SandboxServices,
  { merchant }: SandboxCall,
): Promise<Credentials> {
  const keys = await listApiKeys(store.read, merchant.id);
  const secrets = await validSecrets(store.read, merchant.id, time.at(merchant.id).now, secretKeys);
  return {
    keys: keys
      .filter(({ revoked }) => !revoked)
      .slice(0, KEYS_MAX)
      .map(({ id, hint }) => ({ id, hint, ...(id === DEMO_KEY_ID && { key: DEMO_KEY }) })),
    secrets: secrets.map(({ secret }) => secret),
  };
}
