/** The keys with which a merchant's events are signed. They are remembered briefly: most deliveries come in rows. */
import type { Clock } from '../platform/clock.ts';
import type { KeyRing } from '../platform/key-ring.ts';
import { validSecrets } from '../store/signing-secrets.ts';
import type { Store } from '../store/store.ts';
import { signingKey } from './signature.ts';

/** A new secret signs, and an old one ends, within this. */
const REMEMBERED_MS = 1_000;
const REMEMBERED_MAX = 10_000;

/** A function from the merchant to the keys of its valid secrets, the newest first. */
export function rememberKeys(
  store: Store,
  clock: Clock,
  secretKeys: KeyRing,
): (merchantId: number) => Promise<readonly Buffer[]> {
  const remembered = new Map<number, { keys: Promise<readonly Buffer[]>; at: number }>();

  async function read(merchantId: number, now: number): Promise<readonly Buffer[]> {
    const secrets = await validSecrets(store.read, merchantId, now, secretKeys);
    return secrets.map(({ secret }) => signingKey(secret));
  }

  return (merchantId) => {
    const now = clock.now();
    const known = remembered.get(merchantId);
    if (known && Math.abs(now - known.at) < REMEMBERED_MS) return known.keys;
    if (remembered.size >= REMEMBERED_MAX) remembered.clear();
    const keys = read(merchantId, now);
    remembered.set(merchantId, { keys, at: now });
    // A failure rejects for those who wait for it, and is not remembered.
    keys.catch(() => remembered.delete(merchantId));
    return keys;
  };
}
