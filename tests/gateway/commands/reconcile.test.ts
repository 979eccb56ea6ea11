/** The command `reconcile` compares the ledger with channels' statements, and remembers what differs. */
import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { migrate } from '../../../gateway/src/database/migrate.ts';
import type { Store } from '../../../gateway/src/database/store.ts';
import { resolveExceptions, takeResult } from '../../../gateway/src/domain/exceptions.ts';
import { importTransaction } from '../../../gateway/src/domain/import.ts';
import { sandboxMethods } from '../../../gateway/src/domain/methods.ts';
import type { Payment, Step } from '../../../gateway/src/domain/transaction.ts';
import { listOperatorChanges } from '../../../gateway/src/operators/audit-log.ts';
import { randomIds } from '../../../gateway/src/platform/ids.ts';
import { transactionById } from '../../../gateway/src/transactions/rows.ts';
import { compareTransactions, insertLines, insertStatement } from '../../../gateway/src/transactions/statements.ts';
import { AMOUNT_MAX, addPaymentAt, addPayoutAt, COLLECTED, FAILED, PAID_OUT } from '../harness/books.ts';
import { addMerchant, fund, record, START } from '../harness/fixtures.ts';
import { addOperator } from '../harness/operators.ts';
import { describeOnEachStore } from '../harness/stores.ts';
import { openTestSqlite, sqliteDatabase, type TestDatabase, temporaryFolder } from '../harness.ts';
import { startOperated } from '../management/operator.ts';
import { createRunner, toEnvironment } from './run-command.ts';

/** Channels of the contract's methods, with JSON statements. */
const CONFIG = `const call = () => undefined;
const channel = (name, statement) =>
  ({ name, sandbox: false, initiate: call, clarify: call, verify: call, cancel: call, payOut: call, verifyPayout: call, statement });
const names = ['upi-standard', 'upi-trusted', 'imps-standard'];
export default { channels: [...names.map((name) => channel(name, (file) => JSON.parse(file))), channel('imps-trusted')] };`;
const HOUR = 3_600_000;
const LINES = 300;
const at = (ms: number) => new Date(ms).toISOString();

it('an operator lists differences in pages, and accepts one with the role approve', async () => {
  const { test, operator } = await startOperated(await openTestSqlite());
  const written = { now: START, ids: randomIds };
  await test.gateway.store.unit(async (db) => {
    const file = { channel: 'bank', hash: 'a', from: START, before: START + HOUR };
    const id = (await insertStatement(db, file, operator.id, written)) ?? '';
    const lines = ['pay_1', 'pay_2', 'pay_3'].map((transactionId) => ({ transactionId, amount: 1, currency: 'INR' }));
    await insertLines(db, { id, channel: 'bank' }, lines, 1);
    await compareTransactions(db, 'bank', ['pay_1', 'pay_2', 'pay_3'], written);
  });
  const path = '/management/differences?state=open&channel=bank&limit=2';
  const first = await operator.call('GET', path);
  const second = await operator.call('GET', `${path}&cursor=${first.body.next_cursor}`);
  const all = [...first.body.data, ...second.body.data];
  expect(all.map(({ transaction_id }) => transaction_id)).toEqual(['pay_1', 'pay_2', 'pay_3']);
  expect([first.body.data.length, second.body.next_cursor]).toEqual([2, undefined]);
  expect((await operator.call('GET', '/management/differences?channel=other')).body.data).toEqual([]);
  expect((await operator.call('GET', '/management/statements')).body.data).toMatchObject([
    { channel: 'bank', imported_by: 'Dana', from: at(START), before: at(START + HOUR) },
  ]);
  const metric = 'gateway_open_differences{channel="bank",kind="not_in_ledger"}';
  expect((await test.call('GET', '/metrics')).text).toContain(`${metric} 3`);
  const accept = `/management/differences/${all[0].id}/accept`;
  const body = { reason: 'Refunded' };
  expect((await operator.call('POST', accept, body)).status).toBe(403);
  const lee = await addOperator(test, 'Lee', 'approve');
  expect(await lee.call('POST', accept, body)).toMatchObject({
    status: 200,
    body: { state: 'accepted', accepted_by: 'Lee', ...body },
  });
  expect((await lee.call('POST', accept, body)).status).toBe(409);
  expect((await lee.call('GET', path)).body.data).toHaveLength(2);
});

async function begin(database: () => Promise<TestDatabase>) {
  const made = await database();
  const store = made.connect();
  await migrate(store);
  const merchant = await addMerchant(store);
  await fund(store, merchant, 1_000_000);
  const folder = await temporaryFolder();
  const [config, statement] = [join(folder, 'gateway.config.mjs'), join(folder, 'statement.json')];
  await writeFile(config, CONFIG);
  const run = createRunner({ ...toEnvironment(made), CONFIG: config });
  /** The days from START on, by number. */
  const reconcile = async (channel: string, content: unknown, day = 0) => {
    await writeFile(statement, typeof content === 'string' ? content : JSON.stringify(content));
    const [from, to] = [at(START + day * 24 * HOUR), at(START + (day + 1) * 24 * HOUR)];
    return run('reconcile', channel, statement, '--from', from, '--to', to);
  };
  const line = (transactionId: string, amount = 50_000, more: object = {}) => {
    return { transactionId, amount, currency: 'INR', ...more };
  };
  return { store, merchant, run, reconcile, line, statement };
}

type Books = Awaited<ReturnType<typeof begin>>;

interface KindOfDifference {
  readonly id: string;
  /** Part of its description. */
  readonly says: string;
  readonly lines: readonly object[];
  /** Settles it, and returns the lines of the next statement. Without it, only an acceptance closes the difference. */
  readonly correct?: () => Promise<readonly object[]>;
}

/** Adds a transaction, or an id, for each kind of difference. */
async function addDifferences({ store, merchant, line }: Books): Promise<KindOfDifference[]> {
  const change = async (id: string, ...steps: readonly ((one: Payment) => unknown)[]) => {
    for (const step of steps) {
      const one = await transactionById(store.read, id, { merchantId: merchant.id, kind: 'payment' });
      expect(await record(store, step(one as Payment) as Step<Payment>)).toBeUndefined();
    }
    return [];
  };
  const add = (...steps: Parameters<typeof addPaymentAt>[3][]) => addPaymentAt(store, merchant, START, ...steps);
  const verified = (amountPaid: number) => (one: Payment) =>
    takeResult(
      sandboxMethods,
      one,
      { call: 'verify', at: START, took: 0, event: { type: 'succeeded', amountPaid } },
      START,
    );
  const resolve = (resolution: 'booked' | 'outside') => (one: Payment) => resolveExceptions(one, resolution);
  const [late, less, twice] = [await add(...COLLECTED), await add(...COLLECTED), await add(...COLLECTED)];
  const [foreign, mixed, open] = [await add(...COLLECTED), await add(...COLLECTED), await add()];
  const [failed, contradicted] = [await add(FAILED), await add(FAILED)];
  await change(contradicted, verified(50_000));
  const elsewhere = await addPayoutAt(store, merchant, START, PAID_OUT);
  const unknown = randomIds.newId('pay', START);
  const order = {
    orderId: 'lost',
    amount: 50_000,
    currency: 'INR',
    method: 'UPI_IN',
    channel: 'upi-standard',
  } as const;
  const importUnknown = async () => {
    const of = { merchantId: merchant.id, order: { ...order, customerId: 'customer-71' } };
    const importing = { methods: sandboxMethods, id: unknown, createdAt: START, ...of };
    await record(store, importTransaction('payment', importing, START));
    return [];
  };
  const settle = (id: string, ...steps: readonly ((one: Payment) => unknown)[]) => ({
    ...{ id, lines: [line(id)], correct: () => change(id, ...steps) },
  });
  return [
    { id: late, says: 'the statement has nothing', lines: [], correct: async () => [line(late)] },
    { id: unknown, says: 'unknown here', lines: [line(unknown)], correct: importUnknown },
    { ...settle(open, ...COLLECTED), says: 'is CREATED' },
    { ...settle(failed, verified(50_000), resolve('booked')), says: 'is FAILED' },
    { ...settle(contradicted, resolve('outside')), says: 'its exception is open' },
    {
      ...{ id: less, says: 'the statement has 49900 INR', lines: [line(less, 49_900)] },
      correct: async () => [line(less, 100)],
    },
    {
      ...settle(twice, verified(100_000), resolve('booked')),
      ...{ says: '100000 INR in 2 lines', lines: [line(twice), line(twice)] },
    },
    { id: foreign, says: '50000 EGP', lines: [line(foreign, 50_000, { currency: 'EGP' })] },
    {
      ...{ id: mixed, says: '1 EGP and 50000 INR' },
      lines: [line(mixed), line(mixed, 1, { currency: 'EGP' })],
    },
    { id: elsewhere, says: 'by the channel imps-standard', lines: [line(elsewhere, 2_000)] },
  ];
}

/** More lines than a batch of the command. */
const numbered = (line: (id: string) => object) => [...Array(LINES).keys()].map((n) => line(`pay_${n}`));

async function moveEntries(store: Store, transactionId: string, time: number): Promise<void> {
  const id = randomIds.newId('led', time);
  await store.unit((db) => db.run('update ledger_entries set id = ? where transaction_id = ?', id, transactionId));
}

/** Restores the state after the first batch of an import. */
async function interruptImport(store: Store): Promise<void> {
  await store.unit(async (db) => {
    await db.run('delete from statement_lines where number > 256');
    await db.run('update statements set lines = null');
  });
}

describeOnEachStore('payments-gateway reconcile', (_open, database) => {
  const books = () => begin(database);

  it('finds no difference between equal ones, and ignores other channels and open transactions', async () => {
    const { store, merchant, run, reconcile, line } = await books();
    const paid = await addPaymentAt(store, merchant, START, ...COLLECTED);
    await addPaymentAt(store, merchant, START);
    const payout = await addPayoutAt(store, merchant, START, PAID_OUT);
    const { code, stdout } = await reconcile('upi-standard', [line(paid)]);
    expect([code, stdout.replace(/stm_\w+/, 'stm')]).toEqual([
      0,
      `statement stm from ${at(START)} to ${at(START + 24 * HOUR)}: 1 lines
INR  in the ledger: UPI_IN 50000 (1)
INR  in the statements: UPI_IN 50000 (1)
0 open differences of the channel upi-standard
`,
    ]);
    expect(await reconcile('imps-standard', [line(payout, 2_000)])).toMatchObject({ code: 0 });
    expect(await run('reconcile', 'list', '--channel', 'upi-standard')).toMatchObject({ stdout: 'no differences\n' });
    const { code: refused, stderr } = await run('reconcile', 'list', '--channel', 'imps-trusted');
    expect([refused, stderr]).toEqual([
      1,
      expect.stringContaining('No statement of a channel imps-trusted was imported'),
    ]);
  });

  it('describes each kind of difference, which a correction or else an acceptance closes', async () => {
    const made = await books();
    const { run, reconcile } = made;
    const found = await addDifferences(made);
    const list = async (state: string) =>
      (await run('reconcile', 'list', '--state', state)).stdout.split('\n').slice(0, -1);
    const lines = found.flatMap((one) => one.lines);
    expect((await reconcile('upi-standard', lines)).code).toBe(1);
    const open = await list('open');
    expect(open).toHaveLength(found.length);
    for (const { id, says } of found) expect(open.find((text) => text.includes(id))).toContain(says);

    const later = await Promise.all(found.map(async ({ correct }) => (await correct?.()) ?? []));
    await reconcile('upi-standard', later.flat(), 1);
    const left = await list('open');
    const matched = (await list('matched')).join();
    for (const { id, says, correct } of found)
      expect([left.join().includes(id), matched.includes(id)], says).toEqual([!correct, correct !== undefined]);

    for (const text of left) {
      const [difference = ''] = text.split(' ');
      expect((await run('reconcile', 'accept', difference, '--reason', 'Ticket 4711')).code, text).toBe(0);
    }
    expect((await run('reconcile', 'upi-standard')).stdout).toBe('0 open differences of the channel upi-standard\n');
    expect(await list('accepted')).toHaveLength(left.length);
  });

  it('changes nothing by importing a file again, even if the first import was interrupted', async () => {
    const { store, merchant, reconcile, line } = await books();
    const paid = await addPaymentAt(store, merchant, START, ...COLLECTED);
    const stated = [...numbered(line), line(paid)];
    const stored = () =>
      Promise.all(
        ['statements', 'statement_lines', 'differences', 'operator_changes'].map((table) =>
          store.read.all(`select * from ${table} order by 1, 2`),
        ),
      );
    await reconcile('upi-standard', stated);
    const before = await stored();
    const again = await reconcile('upi-standard', stated);
    expect(again.stdout).toMatch(/: 301 lines, imported \S+ by \S+@\S+\n/);
    expect(await stored()).toEqual(before);
    await interruptImport(store);
    await reconcile('upi-standard', stated);
    expect(await stored()).toEqual(before);
  });

  it('refuses to import a file again for another period, unless it has no lines', async () => {
    const { store, merchant, reconcile, line } = await books();
    const paid = await addPaymentAt(store, merchant, START, ...COLLECTED);
    expect((await reconcile('upi-standard', [line(paid)])).code).toBe(0);
    const refused = await reconcile('upi-standard', [line(paid)], 1);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(`use --from ${at(START)} --to`) });
    const late = await addPaymentAt(store, merchant, START, ...COLLECTED);
    await moveEntries(store, late, START + 48 * HOUR);
    expect((await reconcile('upi-standard', [], 1)).code).toBe(0);
    expect((await reconcile('upi-standard', [], 2)).stdout).toContain(`${late}: the ledger has 50000 INR`);
    expect((await reconcile('upi-standard', [], 2)).stdout).toContain(': 0 lines, imported ');
  });

  it('stores a statement once that two processes import at the same time', async () => {
    const { store, merchant, run, line, statement } = await books();
    const paid = await addPaymentAt(store, merchant, START, ...COLLECTED);
    const stated = [...numbered(line), line(paid)];
    await writeFile(statement, JSON.stringify(stated));
    const period = ['--from', at(START), '--to', at(START + HOUR)];
    const importTwice = () => Promise.all([1, 2].map(() => run('reconcile', 'upi-standard', statement, ...period)));
    const expectOnce = async () => {
      expect(await store.read.all('select lines from statements')).toEqual([{ lines: LINES + 1 }]);
      expect(await store.read.all('select number from statement_lines')).toHaveLength(LINES + 1);
      expect(await store.read.all("select id from differences where state = 'open'")).toHaveLength(LINES);
    };
    for (const { code, stderr, stdout } of await importTwice()) {
      expect(code).toBe(1);
      expect(stdout + stderr).toMatch(
        /300 open differences|Another process imports this statement. Run the command again/,
      );
    }
    await expectOnce();
    await interruptImport(store);
    for (const { stdout } of await importTwice()) expect(stdout).toContain('\n300 open differences');
    await expectOnce();
  });

  it('refuses one of two concurrent imports whose lines could be counted twice', async () => {
    const { run, line, statement } = await books();
    const other = `${statement}.other`;
    const referenced = numbered((id) => line(id, 1, { reference: `UTR ${id}` }));
    await writeFile(statement, JSON.stringify([...referenced, line('pay_last', 1)]));
    await writeFile(other, JSON.stringify(referenced));
    const period = ['--from', at(START), '--to', at(START + HOUR)];
    const ran = await Promise.all([statement, other].map((file) => run('reconcile', 'upi-standard', file, ...period)));
    expect(ran.map(({ code }) => code).sort()).toEqual([1, 2]);
    expect(ran.find(({ code }) => code === 2)?.stderr).toMatch(/stm_\w+ covers .* which overlaps/);
  });
});

describe('payments-gateway reconcile on SQLite', () => {
  const books = () => begin(sqliteDatabase);

  it('expects only the entries of a period in the statement', async () => {
    const { store, merchant, reconcile, line } = await books();
    const [before, within, after] = [
      await addPaymentAt(store, merchant, START, ...COLLECTED),
      await addPaymentAt(store, merchant, START, ...COLLECTED),
      await addPaymentAt(store, merchant, START, ...COLLECTED),
    ];
    await moveEntries(store, before, START - 1);
    await moveEntries(store, after, START + 24 * HOUR);
    expect((await reconcile('upi-standard', [line(within)])).code).toBe(0);
    expect((await reconcile('upi-standard', [], 1)).stdout).toContain(`${after}: the ledger has`);
  });

  it('keeps an accepted difference closed until the facts change', async () => {
    const { store, run, reconcile, line } = await books();
    await reconcile('upi-standard', [line('pay_reversed')]);
    const [id = ''] = /dif_\w+/.exec((await run('reconcile', 'list')).stdout) ?? [];
    expect(await run('reconcile', 'accept', id)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--reason'),
    });
    const reason = ['--reason', 'Refund 4711 of the provider'];
    expect(await run('reconcile', 'accept', id, ...reason)).toMatchObject({ code: 0 });
    expect(await run('reconcile', 'accept', id, ...reason)).toMatchObject({ code: 1, stdout: '' });
    expect((await run('reconcile', 'list', '--state', 'accepted')).stdout).toMatch(
      /pay_reversed: unknown here, the statement has 50000 INR {2}accepted by \S+@\S+: Refund 4711 of the provider\n$/,
    );
    expect(await reconcile('upi-standard', [line('pay_reversed')])).toMatchObject({ code: 0 });
    const again = await reconcile('upi-standard', [line('pay_reversed', 1)], 1);
    expect(again).toMatchObject({ code: 1, stdout: expect.stringContaining('the statement has 50001 INR in 2 lines') });
    const changes = await listOperatorChanges(store.read, { limit: 10 });
    expect(changes.map(({ action, subject, reason: why }) => [action, subject?.slice(0, 4), why])).toEqual([
      ['importStatement', 'stm_', undefined],
      ['acceptDifference', 'dif_', 'Refund 4711 of the provider'],
      ['importStatement', 'stm_', undefined],
    ]);
  });

  it('counts a line with a reference once in statements that overlap, and refuses others', async () => {
    const { store, merchant, run, reconcile, line, statement } = await books();
    const paid = await addPaymentAt(store, merchant, START, ...COLLECTED);
    const referenced = line(paid, 50_000, { reference: 'UTR1' });
    expect((await reconcile('upi-standard', [referenced])).code).toBe(0);
    const other = { reference: 'UTR2' };
    expect((await reconcile('upi-standard', [referenced, line('pay_x', 1, other)])).stdout).toContain(
      `\n1 open differences`,
    );
    await writeFile(statement, JSON.stringify([line(paid)]));
    const period = ['--from', at(START + HOUR), '--to', at(START + 25 * HOUR)];
    const refused = await run('reconcile', 'upi-standard', statement, ...period);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringMatching(/stm_\w+ covers .* which overlaps/) });
    const twice = await reconcile('upi-standard', [line(paid, 50_000, other)], 1);
    expect(twice.stdout).toContain(`${paid}: the ledger has 50000 INR, the statement has 100000 INR in 2 lines`);
  });

  it('adds up amounts beyond 2^53', async () => {
    const { reconcile, line } = await books();
    const lines = [...Array(1_030).keys()].map(() => line('pay_large', AMOUNT_MAX));
    expect((await reconcile('upi-standard', lines)).stdout).toContain(
      `the statement has ${1_030n * BigInt(AMOUNT_MAX)} INR in 1030 lines`,
    );
  });

  it('refuses a channel without statements, a missing period, and a malformed or large file', async () => {
    const { run, reconcile, statement } = await books();
    for (const channel of ['imps-trusted', 'card']) {
      const { code, stderr } = await reconcile(channel, []);
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining('Use one of upi-standard, upi-trusted, imps-standard.'),
      ]);
    }
    expect(await reconcile('upi-standard', 'no JSON')).toMatchObject({ code: 1, stdout: '' });
    await writeFile(statement, '[]');
    for (const period of [[], ['--from', 'yesterday'], ['--from', '2026-03-02', '--to', '2026-03-02']])
      expect(await run('reconcile', 'upi-standard', statement, ...period)).toMatchObject({ code: 2, stdout: '' });
    await truncate(statement, 256 * 1024 * 1024 + 1);
    expect((await run('reconcile', 'upi-standard', statement)).stderr).toContain('more than 268435456. Split it');
  });
});
