import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KeyRing, NO_KEYS, parseKey, readKeyId, UndecryptableSecret } from '../../../gateway/src/platform/key-ring.ts';

const [FIRST, SECOND] = [randomBytes(32), randomBytes(32)];
const SECRET = 'whsec_c2VjcmV0';
const PLACE = 'row 1';

describe('a key ring', () => {
  it('decrypts what it has encrypted, for the same place', () => {
    const ring = new KeyRing([FIRST]);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (secret, place) => {
        const stored = ring.encrypt(secret, place);
        expect(ring.decrypt(stored, place)).toBe(secret);
        expect(() => ring.decrypt(stored, `${place}x`)).toThrow(UndecryptableSecret);
      }),
    );
  });

  it("stores the key's ID, neither the key nor the plain secret, and encrypts differently each time", () => {
    const ring = new KeyRing([FIRST]);
    const stored = ring.encrypt(SECRET, PLACE);
    expect(stored).toMatch(/^aes256gcm:[0-9a-f]{8}:[\w-]+$/);
    expect(readKeyId(stored)).toBe(ring.ids[0]);
    expect(stored).not.toContain(SECRET.slice(6));
    expect(FIRST.toString('hex')).not.toContain(String(readKeyId(stored)));
    expect(new Set(Array.from({ length: 100 }, () => ring.encrypt(SECRET, PLACE))).size).toBe(100);
  });

  it('refuses a changed character at any position', () => {
    const ring = new KeyRing([FIRST]);
    const stored = ring.encrypt(SECRET, PLACE);
    const content = stored.lastIndexOf(':') + 1;
    for (let index = content; index < stored.length; index++) {
      const other = stored[index] === 'A' ? 'Q' : 'A';
      const changed = stored.slice(0, index) + other + stored.slice(index + 1);
      // The last character has unused bits.
      const same = Buffer.from(changed.slice(content), 'base64url').equals(
        Buffer.from(stored.slice(content), 'base64url'),
      );
      if (!same) expect(() => ring.decrypt(changed, PLACE)).toThrow('row 1 was changed, or copied from another row');
    }
    for (const cut of [content, content + 5, stored.length - 3])
      expect(() => ring.decrypt(stored.slice(0, cut), PLACE)).toThrow(UndecryptableSecret);
  });

  it('encrypts with its first key and decrypts with all of them', () => {
    const old = new KeyRing([FIRST]).encrypt(SECRET, PLACE);
    const ring = new KeyRing([SECOND, FIRST]);
    expect(ring.decrypt(old, PLACE)).toBe(SECRET);
    expect(ring.isCurrent(old)).toBe(false);
    expect(ring.isCurrent(ring.encrypt(SECRET, PLACE))).toBe(true);
    expect(() => new KeyRing([SECOND]).decrypt(old, PLACE)).toThrow(
      `key ${readKeyId(old)}, which has encrypted row 1, is missing`,
    );
  });

  it('stores secrets in plain text without keys, readable for every ring', () => {
    expect(NO_KEYS.encrypt(SECRET, PLACE)).toBe(SECRET);
    expect(NO_KEYS.isCurrent(SECRET)).toBe(true);
    expect(new KeyRing([FIRST]).decrypt(SECRET, PLACE)).toBe(SECRET);
    expect(new KeyRing([FIRST]).isCurrent(SECRET)).toBe(false);
  });
});

it.each([
  ['32 bytes', FIRST.toString('base64'), FIRST],
  ['31 bytes', randomBytes(31).toString('base64'), undefined],
  ['hexadecimal', FIRST.toString('hex'), undefined],
  ['no padding', FIRST.toString('base64').replace('=', ''), undefined],
])('a key is parsed only from 32 bytes in base64: %s', (_what, text, key) => {
  expect(parseKey(text)).toEqual(key);
});
