/** Signing secrets in the database: how they are stored, rotated and revoked. */
import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { Rejection, type Store, withKeys } from '../../../gateway/src/database/store.ts';
import {
  createSigningSecret,
  readSigningSecrets,
  reencryptSecrets,
  requireReadableSecrets,
  revokeSigningSecret,
  validSecrets,
} from '../../../gateway/src/merchants/signing-secrets.ts';
import { KeyRing, NO_KEYS } from '../../../gateway/src/platform/key-ring.ts';
import { addMerchant, START } from '../harness/fixtures.ts';
import { describeOnEachStore } from '../harness.ts';

const DAY_MS = 24 * 60 * 60_000;
const [FIRST, SECOND] = [randomBytes(32), randomBytes(32)];
const OLD = new KeyRing([FIRST]);
const NEW = new KeyRing([SECOND, FIRST]);

function create(store: Store, merchantId: number, now: number, keys: KeyRing): Promise<string> {
  return withKeys(store, keys).unit((db) => createSigningSecret(db, merchantId, now));
}

async function secretsAt(store: Store, merchantId: number, now: number, keys: KeyRing): Promise<string[]> {
  return (await validSecrets(withKeys(store, keys).read, merchantId, now)).map(({ secret }) => secret);
}

async function listIds(store: Store, merchantId: number): Promise<string[]> {
  return (await readSigningSecrets(store.read, merchantId)).map(({ id }) => id);
}

function revoke(store: Store, merchantId: number, id: string, now: number) {
  return store.unit((db) => revokeSigningSecret(db, merchantId, id, { now, force: false }));
}

/** Re-encrypts in batches of two. Returns how many were encrypted, and the failures. */
async function reencrypt(store: Store, keys: KeyRing) {
  let [encrypted, failures, after]: [number, string[], string | undefined] = [0, [], ''];
  while (after !== undefined) {
    const part = await withKeys(store, keys).unit((db) => reencryptSecrets(db, 2, after));
    encrypted += part.encrypted;
    failures = [...failures, ...part.failures];
    after = part.last;
  }
  return { encrypted, failures };
}

describeOnEachStore('a signing secret', (open) => {
  it('is encrypted in the database if there is a key', async () => {
    const store = await open();
    const { id } = await addMerchant(store);
    const secret = await create(store, id, START, OLD);
    expect(secret).toMatch(/^whsec_/);
    const stored = String((await store.read.get('select secret from signing_secrets'))?.['secret']);
    expect(stored).toMatch(/^aes256gcm:/);
    expect(stored).not.toContain(secret.slice(6));
    expect(await secretsAt(store, id, START, OLD)).toEqual([secret]);
  });

  it('cannot be moved to another merchant or id', async () => {
    const store = await open();
    const [one, other] = [await addMerchant(store), await addMerchant(store)];
    await create(store, one.id, START, OLD);
    await store.unit((db) => db.run('update signing_secrets set merchant_id = ?', other.id));
    await expect(secretsAt(store, other.id, START, OLD)).rejects.toThrow('was changed, or copied from another row');
    await store.unit((db) => db.run("update signing_secrets set merchant_id = ?, id = 'sec_other'", one.id));
    await expect(secretsAt(store, one.id, START, OLD)).rejects.toThrow('was changed, or copied from another row');
  });

  it('is valid for a day after the next one, so at most two are valid', async () => {
    const store = await open();
    const { id } = await addMerchant(store);
    const [first, second] = [await create(store, id, START, OLD), await create(store, id, START + 1, OLD)];
    expect(await secretsAt(store, id, START + DAY_MS, OLD)).toEqual([second, first]);
    expect(await secretsAt(store, id, START + 1 + DAY_MS, OLD)).toEqual([second]);
    const third = await create(store, id, START + 2, OLD);
    expect(await secretsAt(store, id, START + 2, OLD)).toEqual([third, second]);
  });

  it('ends immediately when revoked, and the previous one stays valid until the next rotation', async () => {
    const store = await open();
    const { id } = await addMerchant(store);
    const first = await create(store, id, START, OLD);
    await create(store, id, START + 1, OLD);
    const [, newest = ''] = await listIds(store, id);
    expect(await revoke(store, id, newest, START + 2)).toBeUndefined();
    expect(await secretsAt(store, id, START + 3 * DAY_MS, OLD)).toEqual([first]);
    expect(await revoke(store, id, newest, START + 3)).toEqual(new Rejection('unknown'));
  });

  it('is re-encrypted with the newest key, from plain text and from an older key, and stays the same', async () => {
    const store = await open();
    const secrets = new Map<number, string>();
    for (const keys of [NO_KEYS, OLD, NEW]) {
      const { id } = await addMerchant(store);
      secrets.set(id, await create(store, id, START, keys));
    }
    expect(await reencrypt(store, NEW)).toEqual({ encrypted: 2, failures: [] });
    expect(await reencrypt(store, NEW)).toEqual({ encrypted: 0, failures: [] });
    const alone = new KeyRing([SECOND]);
    for (const [id, secret] of secrets) expect(await secretsAt(store, id, START, alone)).toEqual([secret]);
    expect(await requireReadableSecrets(withKeys(store, alone).read, START)).toBe(0);
  });

  it('remains unchanged without its key, and every use names the key', async () => {
    const store = await open();
    const { id } = await addMerchant(store);
    const secret = await create(store, id, START, OLD);
    const key = `key ${OLD.ids[0]}`;
    const other = new KeyRing([SECOND]);
    for (const keys of [NO_KEYS, other]) await expect(create(store, id, START, keys)).rejects.toThrow(key);
    expect(await reencrypt(store, other)).toEqual({ encrypted: 0, failures: [expect.stringContaining(key)] });
    expect(await listIds(store, id)).toHaveLength(1);
    expect(await secretsAt(store, id, START, OLD)).toEqual([secret]);
    const read = (keys: KeyRing) => requireReadableSecrets(withKeys(store, keys).read, START + 1);
    await expect(read(NO_KEYS)).rejects.toThrow(
      /^key [0-9a-f]{8}, which has encrypted signing secret \S+ of merchant \d+, is missing$/,
    );
    expect(await read(OLD)).toBe(0);
    await store.unit((db) => db.run('update signing_secrets set expires_at = ?', START + 1));
    expect(await read(NO_KEYS)).toBe(0);
  });
});
