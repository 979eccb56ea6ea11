/**
 * Encryption of secrets and personal data in the database (AES-256-GCM). Encrypted values name their key, so that keys
 * can be rotated while gateways run: the first key of a ring encrypts, and all of them decrypt.
 */
import { toBase64Url } from './base64.ts';
import { decryptBytes, encryptBytes, hmac, importKey, type SecretKey, sha256Hex } from './crypto.ts';

interface Key {
  readonly id: string;
  readonly cipherKey: SecretKey;
  readonly hashKey: SecretKey;
}

const KEY_BYTES = 32;
/** Prefix of encrypted values. No plaintext value starts with it. */
const PREFIX = 'aes256gcm';

/** A stored value can't be decrypted: its key is not in the ring, or it was changed or moved to another row. */
export class UndecryptableSecret extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'UndecryptableSecret';
  }
}

/** Parses a key: 32 bytes in base64. Returns undefined for anything else. */
export function parseKey(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === KEY_BYTES && bytes.toString('base64') === text ? bytes : undefined;
}

/** The id of the key that encrypted a value, or undefined for plaintext. */
export function readKeyId(stored: string): string | undefined {
  const [prefix, id] = stored.split(':');
  return prefix === PREFIX ? id : undefined;
}

export class KeyRing {
  readonly #keys: readonly Key[];

  /** The first key encrypts. Without keys, secrets are stored in the clear. */
  constructor(keys: readonly Buffer[] = []) {
    this.#keys = keys.map((bytes) => ({
      id: computeKeyId(bytes),
      cipherKey: importKey(bytes),
      hashKey: computeHashKey(bytes),
    }));
  }

  /** The public ids of the keys. */
  get ids(): readonly string[] {
    return this.#keys.map(({ id }) => id);
  }

  /** Whether a stored value is encrypted with the current key. */
  isCurrent(stored: string): boolean {
    return readKeyId(stored) === this.#keys[0]?.id;
  }

  /** Returns the text to store. It can only be decrypted for the same context, such as a row of a table. */
  encrypt(secret: string, context: string): string {
    const [key] = this.#keys;
    if (!key) return secret;
    const content = encryptBytes(key.cipherKey, secret, context);
    return `${PREFIX}:${key.id}:${content.toString('base64url')}`;
  }

  /** Returns a hash of a text that can be searched for but not read. Without keys, anyone can compute it. */
  hash(text: string): string {
    return computeHash(this.#keys[0]?.hashKey ?? '', text);
  }

  /** The hashes that a text may be stored under: by each key, and from before the first key. */
  hashes(text: string): string[] {
    return [...this.#keys.map(({ hashKey }) => hashKey), ''].map((key) => computeHash(key, text));
  }

  /** Decrypts a stored secret. Throws UndecryptableSecret. */
  decrypt(stored: string, context: string): string {
    const id = readKeyId(stored);
    if (id === undefined) return stored;
    const key = this.#keys.find((one) => one.id === id);
    if (!key) throw new UndecryptableSecret(`key ${id}, which has encrypted ${context}, is missing`);
    const content = Buffer.from(stored.split(':')[2] ?? '', 'base64url');
    try {
      return decryptBytes(key.cipherKey, content, context);
    } catch {
      throw new UndecryptableSecret(`${context} was changed, or copied from another row`);
    }
  }
}

/** Stores secrets in plain text, and reads no encrypted ones. */
export const NO_KEYS = new KeyRing();

function computeKeyId(key: Buffer): string {
  return sha256Hex(Buffer.concat([Buffer.from('key id of payments-gateway\0'), key])).slice(0, 8);
}

/** A separate key, so that hashes tell nothing about the encryption key. */
function computeHashKey(key: Buffer): SecretKey {
  return importKey(hmac(key.toString('base64'), 'hash key of payments-gateway'));
}

const HASH_BYTES = 16;

function computeHash(key: SecretKey | string, text: string): string {
  return toBase64Url(hmac(key, text).subarray(0, HASH_BYTES));
}
