/** The headers of deliveries, signed with their merchants' secrets. */
import type { Bundle } from '../../../contract/src/model.ts';
import { UndecryptableSecret } from '../platform/key-ring.ts';
import type { MerchantTime } from '../platform/merchant-time.ts';
import type { RememberedKeys } from './keys.ts';
import { readWireFormat, signedHeaders } from './signature.ts';

export interface Message {
  /** The id of the event. */
  readonly id: string;
  readonly merchantId: number;
  readonly body: string;
}

export interface Signer {
  /** Returns the headers of a message, or the reason why it can't be signed. */
  sign(message: Message): Promise<Record<string, string> | Unsigned>;
}

/** The reason why a message isn't sent. */
export class Unsigned {
  readonly failure: string;
  constructor(reason: string) {
    this.failure = `not sent: ${reason}`;
  }
}

/** Makes a signer. Throws when the contract's webhooks differ in how they are signed. */
export function createSigner(
  time: Pick<MerchantTime, 'signedAt'>,
  bundle: Bundle,
  keys: Pick<RememberedKeys, 'of'>,
): Signer {
  const format = readWireFormat(bundle);
  return {
    async sign({ id, merchantId, body }) {
      try {
        const valid = await keys.of(merchantId);
        if (valid.length === 0) return new Unsigned('the merchant has no signing secret');
        // The merchant's clock ends secrets; the timestamp is for a receiver, which compares it with its own clock.
        const timestamp = Math.floor(time.signedAt(merchantId) / 1_000);
        return signedHeaders(format, { id, timestamp, body }, valid);
      } catch (error) {
        if (error instanceof UndecryptableSecret) return new Unsigned(error.message);
        throw error;
      }
    },
  };
}
