/** Hashes, signatures and random bytes: all that the core needs of Node's crypto, so that another platform can bring its own. */
import {
  createHash,
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
  randomFillSync,
  timingSafeEqual,
} from 'node:crypto';

export { randomBytes };

/**
 * A key of HMAC. It is a KeyObject, because `createHmac` imports a key that is given as bytes again for every signature,
 * which takes several times as long as the signature itself.
 */
export type HmacKey = KeyObject;

export function hmacKey(bytes: Uint8Array): HmacKey {
  return createSecretKey(bytes);
}

/** HMAC-SHA256 in base64. */
export function hmacBase64(key: HmacKey, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64');
}

/** HMAC-SHA256. */
export function hmac(key: string, text: string): Uint8Array {
  return createHmac('sha256', key).update(text).digest();
}

/** SHA-256 in hexadecimal. */
export function sha256Hex(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Compares in constant time, so that the time doesn't reveal how much is right. */
export function isSameSecret(given: string, expected: string): boolean {
  const [a, b] = [given, expected].map((text) => createHash('sha256').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}

/** Overwrites the bytes with random ones. */
export function fillRandom(bytes: Uint8Array): void {
  randomFillSync(bytes);
}
