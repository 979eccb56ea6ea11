/**
 * Hashes, signatures and random bytes in a page: `../crypto.ts` without Node. Web Crypto is asynchronous, so it isn't
 * used.
 */
import { hmac as hmacOf } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { toBase64 } from '../base64.ts';

export type SecretKey = Uint8Array;

/** The maximum of `getRandomValues` per call. */
const RANDOM_MAX = 65_536;

export function importKey(bytes: Uint8Array): SecretKey {
  return bytes;
}

export function hmacBase64(key: SecretKey, text: string): string {
  return toBase64(hmacOf(sha256, key, utf8ToBytes(text)));
}

/** HMAC-SHA256. */
export function hmac(key: string | SecretKey, text: string): Uint8Array {
  return hmacOf(sha256, typeof key === 'string' ? utf8ToBytes(key) : key, utf8ToBytes(text));
}

export function sha256Hex(content: string | Uint8Array): string {
  return bytesToHex(sha256(typeof content === 'string' ? utf8ToBytes(content) : content));
}

/** Compares in constant time, which prevents timing attacks. */
export function isSameSecret(given: string, expected: string): boolean {
  const [a, b] = [sha256(utf8ToBytes(given)), sha256(utf8ToBytes(expected))];
  return a.reduce((difference, byte, index) => difference | (byte ^ (b[index] ?? 0)), 0) === 0;
}

/** Overwrites the bytes with random ones. */
export function fillRandom(bytes: Uint8Array<ArrayBuffer>): void {
  for (let at = 0; at < bytes.length; at += RANDOM_MAX) crypto.getRandomValues(bytes.subarray(at, at + RANDOM_MAX));
}

export function randomBytes(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  fillRandom(bytes);
  return bytes;
}

const NO_CIPHER = 'a gateway in a page encrypts nothing, since its database ends with it';

export function encryptBytes(): never {
  throw new Error(NO_CIPHER);
}

export function decryptBytes(): never {
  throw new Error(NO_CIPHER);
}
