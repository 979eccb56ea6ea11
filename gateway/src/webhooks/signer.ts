/** Signs webhooks with their merchants' secrets. Keys are cached briefly, since a merchant's events come in quick succession. */
import type { Bundle } from '../../../contract/src/model.ts';
import type { Store } from '../database/store.ts';
import { validSecrets } from '../merchants/signing-secrets.ts';
import type { SecretKey } from '../platform/crypto.ts';
import { UndecryptableSecret } from '../platform/key-ring.ts';
import type { MerchantTime } from '../platform/merchant-time.ts';
import { readWireFormat, signedHeaders, signingKey } from './signature.ts';

export interface Message {
  readonly id: string;
  readonly merchantId: number;
  readonly body: string;
}

/** Returns the headers of a message, or the reason why it can't be signed. */
export type Sign = (message: Message) => Promise<Record<string, string> | Unsigned>;

/** The reason why a message isn't sent. */
export class Unsigned {
  readonly failure: string;
  constructor(reason: string) {
    this.failure = `not sent: ${reason}`;
  }
}

/** Throws if the contract's webhooks differ in their headers. */
export function createSign(time: Pick<MerchantTime, 'signedAt'>, bundle: Bundle, keys: Pick<KeyCache, 'get'>): Sign {
  const format = readWireFormat(bundle);
  return async ({ id, merchantId, body }) => {
    try {
      const valid = await keys.get(merchantId);
      if (valid.length === 0) return new Unsigned('the merchant has no signing secret');
      // The merchant's clock ends secrets; the timestamp is for a receiver, which compares it with its own clock.
      const timestamp = Math.floor(time.signedAt(merchantId) / 1_000);
      return signedHeaders(format, { id, timestamp, body }, valid);
    } catch (error) {
      if (error instanceof UndecryptableSecret) return new Unsigned(error.message);
      throw error;
    }
  };
}

/** Changes of a merchant's secrets take effect within this time. */
const CACHED_MS = 1_000;
const CACHED_MAX = 10_000;

export interface KeyCache {
  /** Returns the keys of the merchant's valid secrets, newest first. */
  get(merchantId: number): Promise<readonly SecretKey[]>;
  /** Reads the merchant's secrets again next time. */
  forget(merchantId: number): void;
}

/** Creates a cache of keys. Their validity and age follow the merchant's clock. */
export function createKeyCache(store: Store, time: MerchantTime): KeyCache {
  const cached = new Map<number, { keys: Promise<readonly SecretKey[]>; at: number }>();

  async function read(merchantId: number, now: number): Promise<readonly SecretKey[]> {
    const secrets = await validSecrets(store.read, merchantId, now);
    return secrets.map(({ secret }) => signingKey(secret));
  }

  return {
    get(merchantId) {
      const { now } = time.at(merchantId);
      const known = cached.get(merchantId);
      if (known && Math.abs(now - known.at) < CACHED_MS) return known.keys;
      if (cached.size >= CACHED_MAX) cached.clear();
      const keys = read(merchantId, now);
      cached.set(merchantId, { keys, at: now });
      // Failures aren't cached.
      keys.catch(() => cached.delete(merchantId));
      return keys;
    },
    forget(merchantId) {
      cached.delete(merchantId);
    },
  };
}
