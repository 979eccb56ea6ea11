/** Personal data in the database: encrypted, bound to its row, and rotated with its search keys. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { migrate } from '../../../gateway/src/database/migrate.ts';
import { type Store, withKeys } from '../../../gateway/src/database/store.ts';
import { KeyRing, NO_KEYS } from '../../../gateway/src/platform/key-ring.ts';
import { recordPersonalKey, reencryptPersonalData } from '../../../gateway/src/transactions/personal-data.ts';
import { transactionById } from '../../../gateway/src/transactions/rows.ts';
import { createRunner, toEnvironment } from '../commands/run-command.ts';
import { fund, paymentRequest, payoutRequest } from '../harness/fixtures.ts';
import { startTestGateway } from '../harness/gateway.ts';
import { addOperator } from '../harness/operators.ts';
import { describeOnEachStore, type TestDatabase } from '../harness/stores.ts';

const [FIRST, SECOND] = [randomBytes(32), randomBytes(32)];
const OLD = new KeyRing([FIRST]);
const BOTH = new KeyRing([SECOND, FIRST]);
const NEW = new KeyRing([SECOND]);

const PAYER = { id: 'customer-71', name: 'Ophelia Quartz', email: 'zq@unique.example', phone: '+919800012345' };
const PAYEE = { id: 'customer-72', name: 'Rufus Vellum', phone: '+919800054321', account_number: '7700123499887' };
const TID = 'UTR7788990011';
const VALUES = [...Object.values(PAYER), ...Object.values(PAYEE), '919800012345', '919800054321', TID].filter(
  (value) => !value.startsWith('customer-'),
);

/** A gateway with a confirmed payment and a payout of unique customers. */
async function start(store: Store, keys: KeyRing) {
  const test = await startTestGateway({ store, secretKeys: keys, sandbox: true });
  await fund(store, test.merchant, 100_000_000);
  const CALLBACK = { callback_url: 'https://shop.invalid/hook' };
  const payment = paymentRequest({ ...CALLBACK, customer: PAYER });
  const payout = payoutRequest({ ...CALLBACK, customer: PAYEE });
  const paid = (await test.call('POST', '/payments', payment)).body.transaction_id;
  await test.gateway.idle();
  await test.call('POST', `/payments/${paid}/confirm`, { confirm_data: { tid: TID, amount: String(payment.amount) } });
  const sent = (await test.call('POST', '/payouts', payout)).body.transaction_id;
  await test.gateway.idle();
  return { test, payment, payout, ids: { paid, sent } };
}

/** Everything that the database's files or tables contain. */
async function dump({ kind, address }: TestDatabase, store: Store): Promise<string> {
  if (kind === 'sqlite') {
    const files = await Promise.all([address, `${address}-wal`].map((file) => readFile(file, 'latin1')));
    return files.join('\n');
  }
  const tables = await store.read.all(
    "select cast(table_name as text) as name from information_schema.tables where table_schema = current_schema() and table_type = 'BASE TABLE'",
  );
  const rows = await Promise.all(tables.map(({ name }) => store.read.all(`select * from ${name}`)));
  return JSON.stringify(rows);
}

/** Re-encrypts one transaction at a time. */
async function reencrypt(store: Store, keys: KeyRing) {
  const failures: string[] = [];
  let [encrypted, after]: [number, string | undefined] = [0, ''];
  while (after !== undefined) {
    const options: Parameters<typeof reencryptPersonalData>[1] = { limit: 1, after, force: false };
    const part = await withKeys(store, keys).unit((db) => reencryptPersonalData(db, options));
    encrypted += part.encrypted;
    failures.push(...part.failures);
    after = part.last;
  }
  return { encrypted, failures };
}

describeOnEachStore('personal data', (_open, database) => {
  /** A database with the transactions of `start`, written with these keys. */
  async function openWritten(keys: KeyRing) {
    const made = await database();
    const store = made.connect();
    await migrate(store);
    return { made, store, ...(await start(store, keys)) };
  }

  const customerOf = async (store: Store, keys: KeyRing, id: string) =>
    (await transactionById(withKeys(store, keys).read, id))?.customer;

  it('is nowhere in the clear, and is complete for operators, repeats and searches', async () => {
    const { made, store, test, payment, payout, ids } = await openWritten(OLD);
    const operator = await addOperator(test, 'Lee', 'support');
    const find = async (reference: string, kind = 'payments') =>
      (await operator.call('GET', `/management/${kind}?reference=${reference}`)).body.data;
    expect((await operator.call('GET', `/management/payments/${ids.paid}`)).body.personal_data).toMatchObject({
      name: PAYER.name,
      phone: PAYER.phone,
      tid: TID,
    });
    expect(await find('919800012345')).toMatchObject([{ transaction_id: ids.paid }]);
    expect(await find(TID)).toMatchObject([{ transaction_id: ids.paid }]);
    expect(await find(PAYEE.account_number, 'payouts')).toMatchObject([{ transaction_id: ids.sent }]);
    expect((await test.call('POST', '/payments', payment)).body.transaction_id).toBe(ids.paid);
    expect((await test.call('POST', '/payouts', payout)).body.transaction_id).toBe(ids.sent);
    const other = { ...payment, customer: { ...payment.customer, name: 'Other' } };
    expect((await test.call('POST', '/payments', other)).status).toBe(409);
    expect((await test.call('GET', `/management/payments/${ids.paid}`)).body.request).toEqual(payment);
    await test.call('GET', '/management/requests');
    const content = await dump(made, store);
    expect(content).toContain(PAYER.id);
    for (const value of VALUES) expect(content, value).not.toContain(value);
  });

  it('cannot be moved to another row', async () => {
    const { store, ids } = await openWritten(OLD);
    expect(await customerOf(store, OLD, ids.sent)).toMatchObject(PAYEE);
    const copy = 'update transactions set details = (select details from transactions where id = ?) where id = ?';
    await store.unit((db) => db.run(copy, ids.paid, ids.sent));
    const moved = `the customer of ${ids.sent} was changed, or copied from another row`;
    await expect(customerOf(store, OLD, ids.sent)).rejects.toThrow(moved);
  });

  it('is re-encrypted with its search keys, part by part, and stays the same', async () => {
    const { store, ids, test } = await openWritten(OLD);
    const before = await transactionById(withKeys(store, OLD).read, ids.paid);
    expect(await reencrypt(store, BOTH)).toEqual({ encrypted: 2, failures: [] });
    expect(await reencrypt(store, BOTH)).toEqual({ encrypted: 0, failures: [] });
    // A gateway that hasn't switched to the new key yet can read it.
    for (const keys of [NEW, new KeyRing([FIRST, SECOND])])
      expect(await transactionById(withKeys(store, keys).read, ids.paid)).toEqual(before);
    const hashes = (await store.read.all('select hash from search_keys')).map(({ hash }) => hash);
    const references = ['919800012345', TID, '919800054321', PAYEE.account_number];
    expect(hashes.sort()).toEqual(references.map((reference) => NEW.hash(reference)).sort());
    await test.gateway.idle();
  });

  it('is skipped while a step changes its transaction, and encrypted by the next part', async () => {
    const { store, ids } = await openWritten(NO_KEYS);
    const raced = withKeys(store, NEW).unit(async (db) => {
      const stale = { ...db, run: async () => 0 };
      return reencryptPersonalData(stale, { limit: 10, force: false });
    });
    expect(await raced).toMatchObject({ encrypted: 0, failures: [], last: '' });
    expect(await reencrypt(store, NEW)).toEqual({ encrypted: 2, failures: [] });
    expect(await customerOf(store, NEW, ids.sent)).toMatchObject(PAYEE);
  });

  it('stops the start and the commands that read it if its key is missing, and names the setting', async () => {
    const { made, store, ids, test } = await openWritten(OLD);
    await test.gateway.idle();
    const on = (...keys: Buffer[]) => {
      const [key = '', previous = ''] = keys.map((bytes) => bytes.toString('base64'));
      return createRunner({ ...toEnvironment(made), SECRETS_KEY: key, SECRETS_KEY_PREVIOUS: previous });
    };
    for (const keys of [[], [SECOND]]) {
      for (const command of ['merchant create Other INR', `secret rotate ${test.merchant.id}`]) {
        const { code, stderr } = await on(...keys)(...command.split(' '));
        expect(code, command).toBe(1);
        expect(stderr).toContain('Set SECRETS_KEY to the key of the gateways');
      }
    }
    expect(await store.read.all('select id from signing_secrets')).toHaveLength(1);
    await store.unit((db) => db.run('update signing_secrets set expires_at = 1'));
    await expect(withKeys(store, NEW).unit(recordPersonalKey)).rejects.toThrow(
      `key ${OLD.ids[0]}, which has encrypted personal data, is missing`,
    );
    for (const command of ['export transactions', 'secret reencrypt']) {
      const { code, stderr } = await on(SECOND)(...command.split(' '));
      expect(code, command).toBe(1);
      expect(stderr).toContain(`key ${OLD.ids[0]}, which has encrypted the customer of `);
      expect(stderr).toMatch(/SECRETS_KEY_PREVIOUS/);
    }
    expect((await on(SECOND)('audit')).code).toBe(0);
    const forced = await on(SECOND)('secret', 'reencrypt', '--force');
    expect(forced.stderr).toContain('deleted the personal data of 2 transactions, but 1 could not be decrypted');
    expect(forced.stderr).toContain('payments-gateway secret revoke MERCHANT_ID SECRET_ID --force');
    expect(await withKeys(store, NEW).unit(recordPersonalKey)).toBe(false);
    const deleted = await transactionById(withKeys(store, NEW).read, ids.paid);
    expect(deleted).toMatchObject({ customer: { id: PAYER.id }, supplied: {} });
  });

  it('needs only the current key after a rotation by the command', async () => {
    const { made, store } = await openWritten(OLD);
    const env = { SECRETS_KEY: SECOND.toString('base64'), SECRETS_KEY_PREVIOUS: FIRST.toString('base64') };
    expect(await withKeys(store, BOTH).unit(recordPersonalKey)).toBe(false);
    const rotated = await createRunner({ ...toEnvironment(made), ...env })('secret', 'reencrypt');
    expect(rotated.stdout).toMatch(/^encrypted 1 signing secrets and 2 transactions with key [0-9a-f]{8}\n$/);
    expect(await withKeys(store, NEW).unit(recordPersonalKey)).toBe(false);
    await expect(withKeys(store, OLD).unit(recordPersonalKey)).rejects.toThrow(`key ${NEW.ids[0]}`);
  });
});
