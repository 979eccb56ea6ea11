/** The merchant's key and secrets, and links that open its console. */
import { consoleSession } from '../../http/console-session.ts';
import { requestKey } from '../../http/key-holders.ts';
import { ProblemError } from '../../http/problems.ts';
import { DEMO_KEY, DEMO_KEY_ID, listApiKeys } from '../../merchants/api-keys.ts';
import { createConsoleLink as create } from '../../merchants/console-access.ts';
import { validSecrets } from '../../merchants/signing-secrets.ts';
import { timestamp } from '../../transactions/view.ts';
import type { SandboxOperation } from '../operation.ts';

/** The oldest of a merchant's keys. */
const KEYS_MAX = 100;

export const getCredentials: SandboxOperation<'getCredentials'> = async ({ store, time }, { merchant }) => {
  const keys = await listApiKeys(store.read, merchant.id);
  const secrets = await validSecrets(store.read, merchant.id, time.at(merchant.id).now);
  return {
    keys: keys
      .filter(({ revokedAt }) => revokedAt === undefined)
      .slice(0, KEYS_MAX)
      .map(({ id, hint }) => ({ id, hint, ...(id === DEMO_KEY_ID && { key: DEMO_KEY }) })),
    secrets: secrets.map(({ secret }) => secret),
  };
};

export const createConsoleLink: SandboxOperation<'createConsoleLink'> = async ({ store, clock, publicUrl }, { c }) => {
  const key = requestKey(c);
  const by = key === undefined ? { session: consoleSession(c) ?? '' } : { key };
  const link = await store.unit((db) => create(db, by, clock.now()));
  // The key was revoked, or the session ended, since the request was let in.
  if (!link) throw new ProblemError('unauthorized', 'Invalid API key. Check that it is not revoked.');
  return { url: `${publicUrl()}/console/login/${link.token}`, expires_at: timestamp(link.expiresAt) };
};
