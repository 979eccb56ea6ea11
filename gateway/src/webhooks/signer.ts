/** The headers of deliveries, signed with their merchants' secrets, or wrongly where that is asked for. */
import { createSecretKey, type KeyObject } from 'node:crypto';
import type { Bundle } from '../../../contract/src/model.ts';
import type { Services } from '../operations/operation.ts';
import { type KeyRing, UndecryptableSecret } from '../platform/key-ring.ts';
import { expiredSecret } from '../store/signing-secrets.ts';
import type { AttemptFault } from './faults.ts';
import { rememberKeys } from './keys.ts';
import { readWireFormat, signedHeaders, signingKey } from './signature.ts';

/** What is signed. */
export interface Message {
  /** The id of the event. */
  readonly id: string;
  readonly merchantId: number;
  readonly body: string;
}

export interface Signer {
  /** The headers of a message, or why it can't be signed. */
  sign(message: Message, faults?: readonly AttemptFault[]): Promise<Record<string, string> | Unsigned>;
  /** Reads the merchant's secrets again. */
  forget(merchantId: number): void;
}

/** Why a message isn't sent. */
export class Unsigned {
  readonly failure: string;
  constructor(reason: string) {
    this.failure = `not sent: ${reason}`;
  }
}

/** Far outside of what receivers accept. */
const STALE_SECONDS = 3_600;
const KEY_BYTES = 32;

/** Makes a signer. Throws when the contract's webhooks differ in how they are signed. */
export function createSigner(
  { store, time, ids }: Pick<Services, 'store' | 'time' | 'ids'>,
  bundle: Bundle,
  secretKeys: KeyRing,
): Signer {
  const format = readWireFormat(bundle);
  const keys = rememberKeys(store, time, secretKeys);

  /** A key that nobody has. */
  const unknownKey = (merchantId: number) => createSecretKey(ids.bytes(KEY_BYTES, 'wrong key', merchantId));

  /** The key of the secret that a rotation has ended. Without one, an unknown key. */
  async function endedKey(merchantId: number, now: number): Promise<KeyObject> {
    const secret = await expiredSecret(store.read, merchantId, now, secretKeys);
    return secret === undefined ? unknownKey(merchantId) : signingKey(secret);
  }

  async function keysFor(merchantId: number, now: number, faults: readonly AttemptFault[]) {
    const valid = await keys.of(merchantId);
    if (valid.length === 0) return valid;
    if (faults.includes('wrong_signature')) return [unknownKey(merchantId)];
    return faults.includes('rotated_secret') ? [await endedKey(merchantId, now)] : valid;
  }

  return {
    async sign({ id, merchantId, body }, faults = []) {
      const { now } = time.at(merchantId);
      try {
        const used = await keysFor(merchantId, now, faults);
        if (used.length === 0) return new Unsigned('the merchant has no signing secret');
        const timestamp = Math.floor(now / 1_000) - (faults.includes('stale_timestamp') ? STALE_SECONDS : 0);
        const headers = signedHeaders(format, { id, timestamp, body }, used);
        if (faults.includes('missing_signature')) for (const name of format.signatures) delete headers[name];
        return headers;
      } catch (error) {
        if (error instanceof UndecryptableSecret) return new Unsigned(error.message);
        throw error;
      }
    },
    forget: (merchantId) => keys.forget(merchantId),
  };
}
