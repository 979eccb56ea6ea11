/**
 * Encryption of secrets in the database (AES-256-GCM). What is encrypted names its key, so that keys can be replaced
 * while gateways run: the first key of a ring encrypts, and each of them decrypts.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

interface Key {
  readonly id: string;
  readonly bytes: Buffer;
}

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Nothing that is stored in the clear begins with it. */
const PREFIX = 'aes256gcm';

/** A stored secret can't be decrypted: its key is not in the ring, or it was changed or moved to another row. */
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

/** The id of the key that has encrypted what is stored; undefined if it is stored in the clear. */
export function keyIdOf(stored: string): string | undefined {
  const [prefix, id] = stored.split(':');
  return prefix === PREFIX ? id : undefined;
}

export class KeyRing {
  readonly #keys: readonly Key[];

  /** The first key encrypts. Without keys, secrets are stored in the clear. */
  constructor(keys: readonly Buffer[] = []) {
    this.#keys = keys.map((bytes) => ({ id: idOf(bytes), bytes }));
  }

  /** The ids of the keys, which say nothing about the keys. */
  get ids(): readonly string[] {
    return this.#keys.map(({ id }) => id);
  }

  /** Whether this is how `encrypt` would store it. */
  isCurrent(stored: string): boolean {
    return keyIdOf(stored) === this.#keys[0]?.id;
  }

  /** Returns the text to store. It can only be decrypted for the same place, such as a row of a table. */
  encrypt(secret: string, place: string): string {
    const [key] = this.#keys;
    if (!key) return secret;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, key.bytes, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(place));
    const content = Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${PREFIX}:${key.id}:${content.toString('base64url')}`;
  }

  /** The secret. Throws UndecryptableSecret. */
  decrypt(stored: string, place: string): string {
    const id = keyIdOf(stored);
    if (id === undefined) return stored;
    const key = this.#keys.find((one) => one.id === id);
    if (!key) throw new UndecryptableSecret(`key ${id}, which has encrypted ${place}, is missing`);
    const content = Buffer.from(stored.split(':')[2] ?? '', 'base64url');
    const nonce = content.subarray(0, NONCE_BYTES);
    try {
      const decipher = createDecipheriv(CIPHER, key.bytes, nonce, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(place))
        .setAuthTag(content.subarray(-TAG_BYTES));
      return decipher.update(content.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    } catch {
      throw new UndecryptableSecret(`${place} was changed, or copied from another row`);
    }
  }
}

/** Stores secrets in the clear, and reads no others. */
export const NO_KEYS = new KeyRing();

function idOf(key: Buffer): string {
  return createHash('sha256').update('key id of payments-gateway\0').update(key).digest('hex').slice(0, 8);
}
