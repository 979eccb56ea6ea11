/** The keys with which a merchant's events are signed. They are remembered briefly: most deliveries come in rows. */

import type { Store } from '../database/store.ts';
import { validSecrets } from '../merchants/signing-secrets.ts';
import type { HmacKey } from '../platform/crypto.ts';
import type { KeyRing } from '../platform/key-ring.ts';
import type { MerchantTime } from '../platform/merchant-time.ts';
import { signingKey } from './signature.ts';

/** A new secret signs, and an old one ends, within this. */
const REMEMBERED_MS = 1_000;
const REMEMBERED_MAX = 10_000;

export interface RememberedKeys {
  /** The keys of the merchant's valid secrets, the newest first. */
  of(merchantId: number): Promise<readonly HmacKey[]>;
  /** Reads them again next time. */
  forget(merchantId: number): void;
}

/** Reads keys from the store as they are needed. They are valid, and remembered, by the merchant's clock. */
export function rememberKeys(store: Store, time: MerchantTime, secretKeys: KeyRing): RememberedKeys {
  const remembered = new Map<number, { keys: Promise<readonly HmacKey[]>; at: number }>();

  async function read(merchantId: number, now: number): Promise<readonly HmacKey[]> {
    const secrets = await validSecrets(store.read, merchantId, now, secretKeys);
    return secrets.map(({ secret }) => signingKey(secret));
  }

  return {
    of(merchantId) {
      const { now } = time.at(merchantId);
      const known = remembered.get(merchantId);
      if (known && Math.abs(now - known.at) < REMEMBERED_MS) return known.keys;
      if (remembered.size >= REMEMBERED_MAX) remembered.clear();
      const keys = read(merchantId, now);
      remembered.set(merchantId, { keys, at: now });
      // A failure rejects for those who wait for it, and is not remembered.
      keys.catch(() => remembered.delete(merchantId));
      return keys;
    },
    forget(merchantId) {
      remembered.delete(merchantId);
    },
  };
}
