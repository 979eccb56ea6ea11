/** The key ring of a page: it has no keys, since its database is nobody else's. */

export class UndecryptableSecret extends Error {}

export function keyIdOf(): undefined {}

export class KeyRing {
  readonly ids: readonly string[] = [];
  isCurrent(): boolean {
    return true;
  }
  encrypt(secret: string): string {
    return secret;
  }
  decrypt(stored: string): string {
    return stored;
  }
}

export const NO_KEYS = new KeyRing();
