/** Applies faults to the signing and sending of webhooks. */
import type { WebhookFaultRule } from '../../../generated/sandbox/types.ts';
import { expiredSecret } from '../merchants/signing-secrets.ts';
import { type HmacKey, hmacKey } from '../platform/crypto.ts';
import type { MerchantTime } from '../platform/merchant-time.ts';
import type { InterceptedAttempt, InterceptorParts } from '../webhooks/delivery-interceptor.ts';
import { type AddressedMessage, createMessageSender, type SentMessage } from '../webhooks/message.ts';
import type { SendResult } from '../webhooks/retries.ts';
import { readWireFormat, signingKey } from '../webhooks/signature.ts';
import { createSigner, type KeyCache, type Signer, Unsigned } from '../webhooks/signer.ts';

/** A fault of a single attempt. */
export type AttemptFault = Exclude<WebhookFaultRule['fault'], 'delay' | 'reorder'>;

/** Far outside the tolerance of receivers. */
const STALE_MS = 3_600_000;
const KEY_BYTES = 32;
const DROPPED: SendResult = { failure: 'not sent: dropped by a webhook fault' };

/** A function that sends a message with faults. */
export function faultySender(parts: InterceptorParts) {
  const { connections, timers } = parts;
  return async (message: AddressedMessage, faults: readonly AttemptFault[]): Promise<InterceptedAttempt> => {
    const dropped = faults.includes('drop');
    const send = dropped ? async () => DROPPED : connections.send;
    const { headers, ...made } = await createMessageSender(parts, wrongSigner(parts, faults), send, timers).send(
      message,
    );
    const fault = faults.find((one) => one !== 'duplicate');
    if (!headers || dropped) return { sent: { ...made, fault } };
    const repeat = async (): Promise<readonly SentMessage[]> => {
      const again = createMessageSender(parts, { sign: async () => ({ ...headers }) }, connections.send, timers);
      return [{ ...(await again.send(message)), fault: 'duplicate' }];
    };
    return { sent: { ...made, headers, fault }, sendFurther: faults.includes('duplicate') ? repeat : undefined };
  };
}

/** The delivery's signer with another time, other keys, or without signatures. */
function wrongSigner(parts: InterceptorParts, faults: readonly AttemptFault[]): Signer {
  const { time, bundle } = parts;
  const stale: Pick<MerchantTime, 'signedAt'> = { signedAt: (id) => time.signedAt(id) - STALE_MS };
  const signer = createSigner(faults.includes('stale_timestamp') ? stale : time, bundle, wrongKeys(parts, faults));
  if (!faults.includes('missing_signature')) return signer;
  const { signatures } = readWireFormat(bundle);
  return {
    async sign(message) {
      const headers = await signer.sign(message);
      if (!(headers instanceof Unsigned)) for (const name of signatures) delete headers[name];
      return headers;
    },
  };
}

function wrongKeys(parts: InterceptorParts, faults: readonly AttemptFault[]): Pick<KeyCache, 'get'> {
  const { keys } = parts;
  const wrong = faults.includes('wrong_signature')
    ? unknownKey
    : faults.includes('rotated_secret')
      ? endedKey
      : undefined;
  if (!wrong) return keys;
  return {
    // These faults also require a secret.
    get: async (merchantId) => ((await keys.get(merchantId)).length === 0 ? [] : [await wrong(parts, merchantId)]),
  };
}

/** A random key. */
async function unknownKey({ ids }: InterceptorParts, merchantId: number): Promise<HmacKey> {
  return hmacKey(ids.bytes(KEY_BYTES, 'wrong key', merchantId));
}

/** The key of the secret that a rotation has ended. Without one, an unknown key. */
async function endedKey(parts: InterceptorParts, merchantId: number): Promise<HmacKey> {
  const { store, time, secretKeys } = parts;
  const secret = await expiredSecret(store.read, merchantId, time.at(merchantId).now, secretKeys);
  return secret === undefined ? unknownKey(parts, merchantId) : signingKey(secret);
}
