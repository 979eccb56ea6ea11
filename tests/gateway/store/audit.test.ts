/** The audit accepts books written by the gateway, and finds every single manual change. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Store, Value } from '../../../gateway/src/database/store.ts';
import { createEntry } from '../../../gateway/src/domain/ledger.ts';
import { postEntry } from '../../../gateway/src/ledger/wallets.ts';
import { auditBooks, auditStore } from '../../../gateway/src/management/audit.ts';
import type { Merchant } from '../../../gateway/src/merchants/merchants.ts';
import { recordOperatorChange } from '../../../gateway/src/operators/audit-log.ts';
import { createOperator } from '../../../gateway/src/operators/operators.ts';
import { randomIds } from '../../../gateway/src/platform/ids.ts';
import { books } from '../harness/books.ts';
import { addMerchant, createPosting, START } from '../harness/fixtures.ts';
import { describeOnEachStore, openTestSqlite } from '../harness.ts';

const differences = async (store: Store) => (await auditStore(store)).differences;

/** Executes a statement. Returns false if the database refuses it. */
function corrupt(store: Store, sql: string, ...values: Value[]): Promise<boolean> {
  return store
    .unit((db) => db.run(sql, ...values))
    .then(
      (changed) => changed > 0,
      () => false,
    );
}

/** Credits 1.00 for a proposal of this change in this state. */
async function correct(store: Store, merchant: Merchant, change: object, state: string): Promise<void> {
  const posting = createPosting(merchant, { id: 'led_one' });
  const decided = state === 'open' ? [null, null] : ['opr_b', START];
  await store.unit(async (db) => {
    for (const id of ['opr_a', 'opr_b'])
      await db.run('insert into operators (id, name, role, created_at) values (?, ?, ?, ?)', id, id, 'approve', START);
    await postEntry(db, createEntry('credited', 100), posting);
    await db.run(
      `insert into proposals (id, merchant_id, type, change, reference, reason, proposed_by, proposed_at, state, decided_by,
         decided_at, entry_id) values ('prop_1', ?, 'correction', ?, 'line 1', 'Missing', 'opr_a', ?, ?, ?, ?, 'led_one')`,
      ...[merchant.id, JSON.stringify(change), START, state, ...decided],
    );
  });
}

describeOnEachStore('an audit', (open) => {
  it.each([1, 1_000])('accepts books written by the gateway, in batches of %i rows', async (rows) => {
    const store = await open();
    await books(store);
    const found: string[] = [];
    const totals = await store.snapshot((db) => auditBooks(db, (line) => found.push(line), { batchRows: rows }));
    expect(found).toEqual([]);
    expect(totals).toEqual({ transactions: 8, entries: 10, wallets: 2 });
  });

  it('finds entries and a wallet with less than the paid amount, and a state that cannot be read', async () => {
    const store = await open();
    const { merchant, ids } = await books(store);
    await corrupt(store, 'update ledger_entries set amount = 1 where transaction_id = ?', ids.settled);
    await corrupt(store, 'update wallets set available = available - 49999 where merchant_id = ?', merchant.id);
    await corrupt(store, "update transactions set state = '{' where id = ?", ids.created);
    const found = await differences(store);
    expect(found.filter((line) => line.startsWith(`transaction ${ids.settled}`))).toEqual([
      `transaction ${ids.settled}: the entry 'collected: 50000 INR of merchant 10001 from channel to pending' is missing`,
      `transaction ${ids.settled}: the entry 'collected: 1 INR of merchant 10001 from channel to pending' does not belong to it`,
    ]);
    expect(found.filter((line) => !line.startsWith(`transaction ${ids.settled}`))).toEqual([
      expect.stringMatching(`^transaction ${ids.created}: `),
    ]);
  });

  it('finds money without an origin, and a wallet that differs from its entries or shows a credit late', async () => {
    const store = await open();
    const { merchant, other, ids } = await books(store);
    const relabel = "update ledger_entries set reason = 'collected' where reason = 'funded' and merchant_id = ?";
    await corrupt(store, relabel, merchant.id);
    await corrupt(store, 'update wallets set pending = pending + 1 where merchant_id = ?', merchant.id);
    await corrupt(store, 'update ledger_entries set available_at = 1 where transaction_id = ?', ids.elsewhere);
    expect(await differences(store)).toEqual([
      expect.stringMatching(/^entry led_\w+: 'collected: 10000 INR .* from bank to available' belongs to nothing$/),
      'merchant 10001 INR: pending is 50001, its entries add up to 50000',
      `merchant ${other.id} INR: available is 10000, its entries add up to 60000`,
      `merchant ${other.id} INR: pending is 50000, its entries add up to 0`,
    ]);
  });

  it.each([
    ['approved', { direction: 'credit' }, 'approved', true],
    ['not approved', { direction: 'credit' }, 'open', false],
    ['rejected', { direction: 'credit' }, 'rejected', false],
    ['approved in the other direction', { direction: 'debit' }, 'approved', false],
    ['approved with another amount', { direction: 'credit', amount: 99 }, 'approved', false],
    ['approved in another currency', { direction: 'credit', currency: 'EGP' }, 'approved', false],
  ])('accepts a correction only as approved: %s', async (_what, change, state, isAccepted) => {
    const store = await open();
    const merchant = await addMerchant(store);
    await correct(store, merchant, { amount: 100, currency: 'INR', ...change }, state);
    const stray = expect.stringMatching(/^entry led_one: 'credited: 100 INR .*' belongs to nothing$/);
    expect(await differences(store)).toEqual(isAccepted ? [] : [stray]);
  });

  it("finds, for one merchant, its entry of another merchant's transaction", async () => {
    const store = await open();
    const { other, ids } = await books(store);
    await corrupt(store, 'update ledger_entries set merchant_id = ? where transaction_id = ?', other.id, ids.settled);
    const found = (await auditStore(store, { merchantId: other.id })).differences;
    expect(found.filter((line) => /^entry led_\w+: .* belongs to nothing$/.test(line))).toHaveLength(1);
  });
});

describe('an audit', () => {
  it('finds any changed column of an entry, a wallet or a transaction', async () => {
    const store = await openTestSqlite();
    await books(store);
    const rows = {
      ledger_entries: await store.read.all('select * from ledger_entries order by id'),
      wallets: await store.read.all('select *, merchant_id as id from wallets order by merchant_id'),
      transactions: await store.read.all('select * from transactions order by id'),
    };
    const change = (table: keyof typeof rows, column: string, value: fc.Arbitrary<Value>) =>
      fc.record({
        table: fc.constant(table),
        row: fc.constantFrom(...rows[table]),
        column: fc.constant(column),
        value,
      });
    const account = fc.constantFrom('channel', 'bank', 'pending', 'available', 'reserved');
    const reason = fc.constantFrom('collected', 'settled', 'reserved', 'paid_out', 'released', 'funded');
    const amount = fc.integer({ min: 1, max: 60_000 });
    const ids = rows.transactions.map(({ id }) => String(id));
    const changes = fc.oneof(
      change('ledger_entries', 'amount', amount),
      change('ledger_entries', 'from_account', account),
      change('ledger_entries', 'to_account', account),
      change('ledger_entries', 'reason', reason),
      change('ledger_entries', 'transaction_id', fc.constantFrom(null, ...ids)),
      change('ledger_entries', 'merchant_id', fc.constantFrom(...rows.wallets.map(({ id }) => Number(id)))),
      ...['available', 'pending', 'reserved'].map((column) => change('wallets', column, fc.nat(90_000))),
      change('transactions', 'amount_paid', fc.option(amount)),
      change('transactions', 'amount', amount),
      change('transactions', 'status', fc.constantFrom('CREATED', 'PROCESSING', 'SUCCESS', 'FAILED')),
    );
    const property = fc.asyncProperty(changes, async ({ table, row, column, value }) => {
      const key = table === 'wallets' ? 'merchant_id' : 'id';
      const set = (to: Value) =>
        corrupt(store, `update ${table} set ${column} = ? where ${key} = ?`, to, row['id'] as Value);
      if (row[column] === value || !(await set(value))) return;
      expect(await differences(store)).not.toEqual([]);
      await set(row[column] as Value);
      expect(await differences(store)).toEqual([]);
    });
    await fc.assert(property, { numRuns: 200 });
  });

  it('finds a deleted or duplicated entry', async () => {
    const store = await openTestSqlite();
    await books(store);
    for (const row of await store.read.all('select * from ledger_entries')) {
      const columns = Object.keys(row);
      const insert = `insert into ledger_entries (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`;
      const remove = (id: Value | undefined) => corrupt(store, 'delete from ledger_entries where id = ?', id ?? null);
      expect(await remove(row['id'])).toBe(true);
      expect(await differences(store)).not.toEqual([]);
      await corrupt(store, insert, ...Object.values(row));
      const isDuplicated = await corrupt(store, insert, ...Object.values({ ...row, id: 'led_again' }));
      // The database refuses a duplicate of a transaction's entry.
      expect(isDuplicated).toBe(row['transaction_id'] === null);
      if (isDuplicated) expect(await differences(store)).not.toEqual([]);
      await remove('led_again');
      expect(await differences(store)).toEqual([]);
    }
  });
});

/** Records changes at once, so that their units of work compete for the end of the log. */
async function recordChanges(store: Store, count: number): Promise<void> {
  const id = await store.unit((db) => createOperator(db, { name: 'Dana' }, START, randomIds));
  const operator = { id: id ?? '', name: 'Dana' };
  const at = { now: START, ids: randomIds };
  const record = (_: unknown, index: number) =>
    store.unit((db) => recordOperatorChange(db, operator, { action: 'stopUrl', subject: `change ${index}` }, at));
  await Promise.all(Array.from({ length: count }, record));
}

describeOnEachStore('the audit log', (open) => {
  it('is a chain, even if changes are recorded at once', async () => {
    const store = await open();
    await recordChanges(store, 20);
    const { found, logEnd } = await auditStore(store, { batchRows: 7 });
    expect([found, logEnd?.sequence]).toEqual([0, 20]);
    expect((await auditStore(store, { known: logEnd })).differences).toEqual([]);
  });

  it.each([
    ['an altered change', "update operator_changes set subject = 'x' where sequence = 3", /3, chg_\w+, or .* altered/],
    ['an altered time', 'update operator_changes set changed_at = 1 where sequence = 3', /3, chg_\w+, or .* altered/],
    ['a removed change', 'delete from operator_changes where sequence = 3', /changes 3 to 3 are missing/],
    ['a removed end', 'delete from operator_changes where sequence > 3', /changes 4 to 5 are missing/],
    ['a removed log', 'delete from operator_changes', /changes 1 to 5 are missing/],
    ['an altered hash', "update operator_changes set hash = 'x' where sequence = 5", /change 5, .* altered/],
    ['another end', "update audit_log_end set hash = 'x'", /its end is not change 5/],
  ])('shows %s', async (_what, sql, difference) => {
    const store = await open();
    await recordChanges(store, 5);
    expect(await corrupt(store, sql)).toBe(true);
    expect((await differences(store))[0]).toMatch(difference);
  });

  it('shows an end that was removed with its record only by a known end', async () => {
    const store = await open();
    await recordChanges(store, 5);
    const { logEnd } = await auditStore(store);
    await corrupt(store, 'delete from operator_changes where sequence > 3');
    await corrupt(
      store,
      'update audit_log_end set sequence = 3, hash = (select hash from operator_changes where sequence = 3)',
    );
    expect(await differences(store)).toEqual([]);
    expect((await auditStore(store, { known: logEnd })).differences).toEqual(['audit log: changes 4 to 5 are missing']);
    const other = { sequence: 2, hash: 'x'.repeat(64) };
    expect((await auditStore(store, { known: other })).differences).toEqual([
      expect.stringMatching(/^audit log: change 2, chg_\w+, has the hash [0-9a-f]{64}, not x+$/),
    ]);
  });
});
