/**
 * Hashes, signatures and random bytes: the core's only use of Node's crypto, so that other platforms can replace it.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
  randomFillSync,
  timingSafeEqual,
} from 'node:crypto';

export { randomBytes };

/** An imported key. Node would import raw bytes for every signature or encryption, which takes longer than either. */
export type SecretKey = KeyObject;

export function importKey(bytes: Uint8Array): SecretKey {
  return createSecretKey(bytes);
}

export function hmacBase64(key: SecretKey, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64');
}

/** HMAC-SHA256. */
export function hmac(key: string | SecretKey, text: string): Uint8Array {
  return createHmac('sha256', key).update(text).digest();
}

export function sha256Hex(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Compares in constant time, which prevents timing attacks. */
export function isSameSecret(given: string, expected: string): boolean {
  const [a, b] = [given, expected].map((text) => createHash('sha256').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}

/** Overwrites the bytes with random ones. */
export function fillRandom(bytes: Uint8Array): void {
  randomFillSync(bytes);
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts with AES-256-GCM. The result, with its nonce and tag, can be decrypted only for the same context. */
export function encryptBytes(key: SecretKey, text: string, context: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(context));
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
}

/** Decrypts a text from `encryptBytes`. Throws if the key, the context or the content differs. */
export function decryptBytes(key: SecretKey, content: Uint8Array, context: string): string {
  const decipher = createDecipheriv(CIPHER, key, content.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(context))
    .setAuthTag(content.subarray(-TAG_BYTES));
  return decipher.update(content.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
}
