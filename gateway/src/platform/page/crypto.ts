/** Hashes, signatures and random bytes in a page, whose own hashes can only be awaited. */
import { hmac as hmacOf } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, randomBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { toBase64 } from '../base64.ts';

export { randomBytes };

export type HmacKey = Uint8Array;

export function hmacKey(bytes: Uint8Array): HmacKey {
  return bytes;
}

export function hmacBase64(key: HmacKey, text: string): string {
  return toBase64(hmacOf(sha256, key, utf8ToBytes(text)));
}

export function hmac(key: string, text: string): Uint8Array {
  return hmacOf(sha256, utf8ToBytes(key), utf8ToBytes(text));
}

export function sha256Hex(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}

/** The time doesn't reveal how much is right: hashes of both are compared, which nobody can choose. */
export function isSameSecret(given: string, expected: string): boolean {
  return sha256Hex(given) === sha256Hex(expected);
}

export function fillRandom(bytes: Uint8Array<ArrayBuffer>): void {
  crypto.getRandomValues(bytes);
}
