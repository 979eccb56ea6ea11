/** The command `export`: machine-readable rows, and totals that agree with the audit, the wallets and each other. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exportCommand } from '../../../gateway/src/commands/accounting.ts';
import { runGateway } from '../../../gateway/src/commands/program.ts';
import { csvLine } from '../../../gateway/src/commands/rows-output.ts';
import type { Store } from '../../../gateway/src/database/store.ts';
import { auditStore } from '../../../gateway/src/management/audit.ts';
import { firstId } from '../../../gateway/src/platform/ids.ts';
import { collect } from '../../tools/collect.ts';
import { parseCsv } from '../../tools/csv.ts';
import { addPaymentAt, books } from '../harness/books.ts';
import { addMerchant, addPayment, fund, START } from '../harness/fixtures.ts';
import { describeOnEachStore, sqliteDatabase, type TestDatabase, temporaryFolder } from '../harness.ts';
import { administer } from './run-command.ts';

/** More than two batches. */
const ROWS = 2_500;
const at = (ms: number) => new Date(ms).toISOString();
const sum = (rows: readonly Record<string, string>[], column: string) =>
  rows.reduce((total, row) => total + Number(row[column]), 0);

async function begin(database: () => Promise<TestDatabase>) {
  const { store, admin: run } = await administer(database);
  const rows = async (what: string, ...options: string[]) => {
    const { code, stdout, stderr } = await run('export', what, ...options);
    expect(code, stderr).toBe(0);
    return { rows: parseCsv(stdout), totals: stderr.split('\n').slice(1, -1) };
  };
  return { store, run, rows };
}

describeOnEachStore('payments-gateway export', (_open, database) => {
  it('writes each ledger entry, with the totals of the audit and of the wallets', async () => {
    const { store, rows } = await begin(database);
    const { merchant, other, ids } = await books(store);
    const { rows: entries, totals } = await rows('ledger');
    const { entries: audited, found } = await auditStore(store);
    expect([entries.length, found]).toEqual([audited, 0]);
    // By now everything is available.
    const [wallets] = await store.read.all(
      `select cast(sum(available + pending) as bigint) as available, cast(sum(reserved) as bigint) as reserved from wallets`,
    );
    expect(totals).toEqual([
      `${audited} entries`,
      'INR  by reason: collected 150000 (3), funded 20000 (2), paid_out 2000 (1), released 2000 (1), reserved 6000 (3)',
      `INR  in wallets: available ${wallets?.['available']}, pending 0, reserved ${wallets?.['reserved']}`,
    ]);
    expect(entries.filter(({ transaction_id: id }) => id === ids.settled)).toEqual([
      {
        ...{ id: expect.stringMatching(/^led_/), at: at(START), merchant_id: String(merchant.id) },
        ...{ transaction_id: ids.settled, currency: 'INR', amount: '50000' },
        ...{ from: 'channel', to: 'pending', reason: 'collected', available_at: at(START - 8_000) },
        ...{ channel: 'upi-standard', payment_method_type: 'UPI_IN' },
      },
    ]);
    const ofOther = await rows('ledger', '--merchant', String(other.id));
    expect(ofOther.rows).toEqual(entries.filter(({ merchant_id: id }) => id === String(other.id)));
  });

  it('writes payments, then payouts, each in order of creation, with the amounts of the ledger', async () => {
    const { store, rows } = await begin(database);
    const { ids, merchant } = await books(store);
    const late = await addPaymentAt(store, merchant, START + 1);
    const { rows: found, totals } = await rows('transactions');
    expect(found.map(({ transaction_id: id }) => id).sort()).toEqual([...Object.values(ids), late].sort());
    const payments = found.filter(({ kind }) => kind === 'payment');
    expect(found.slice(0, payments.length)).toEqual(payments);
    expect(payments.at(-1)?.['transaction_id']).toBe(late);
    expect(totals[0]).toBe('9 transactions');
    const { rows: entries } = await rows('ledger');
    const ofReason = (reason: string) => entries.filter((entry) => entry['reason'] === reason);
    const paid = found.filter(({ kind, status }) => kind === 'payment' && status === 'SUCCESS');
    expect(sum(paid, 'amount_paid')).toBe(sum(ofReason('collected'), 'amount'));
    const paidOut = found.filter(({ kind, status }) => kind === 'payout' && status === 'SUCCESS');
    expect(sum(paidOut, 'amount')).toBe(sum(ofReason('paid_out'), 'amount'));
    expect(found.find(({ transaction_id: id }) => id === ids.settled)).toMatchObject({
      ...{ kind: 'payment', status: 'SUCCESS', amount: '49900', amount_paid: '50000', currency: 'INR' },
      ...{ payment_method_type: 'UPI_IN', channel: 'upi-standard', decline_reason: '' },
      ...{ created_at: at(START - 10_000), finalized_at: at(START - 10_000) },
    });
    expect(totals).toContain(`INR  amount_paid: payment ${sum(paid, 'amount_paid')} (3)`);
  });

  it('writes JSON lines with the same names, without empty fields', async () => {
    const { store, run, rows } = await begin(database);
    await books(store);
    for (const what of ['transactions', 'ledger', 'balances']) {
      const { stdout } = await run('export', what, '--format', 'jsonl');
      const lines: object[] = JSON.parse(`[${stdout.trimEnd().replaceAll('\n', ',')}]`);
      const cells = (await rows(what)).rows.map((row) => Object.entries(row).filter(([, cell]) => cell !== ''));
      expect(lines.map((line) => Object.entries(line).map(([name, value]) => [name, String(value)]))).toEqual(cells);
    }
  });

  it("includes a period's start and excludes its end, so that periods add up", async () => {
    const { store, rows } = await begin(database);
    const merchant = await addMerchant(store);
    for (const time of [START - 1, START, START + 1]) await addPaymentAt(store, merchant, time);
    await fund(store, merchant, 100);
    const period = ['--from', at(START), '--to', at(START + 1)];
    const { rows: found } = await rows('transactions', ...period);
    expect(found.map((row) => row['created_at'])).toEqual([at(START)]);
    expect((await rows('ledger', ...period)).rows).toHaveLength(1);
    expect((await rows('ledger', '--to', at(START))).rows).toEqual([]);
    expect((await rows('ledger', '--from', at(START + 1))).totals).toEqual(['0 entries']);
  });

  it('reads many rows in batches from one snapshot, during writes', async () => {
    const { store } = await begin(database);
    const merchant = await addMerchant(store);
    await fund(store, merchant, 1);
    await store.unit((db) =>
      db.run(
        `insert into ledger_entries
           (id, merchant_id, currency, transaction_id, from_account, to_account, amount, reason, created_at)
         with recursive n (i) as (select 1 union all select i + 1 from n where i < ${ROWS - 1})
         select cast(? as text) || (1000000000000000 + i), cast(? as bigint), 'INR', null, 'bank', 'available', 1, 'funded',
           cast(? as bigint)
         from n`,
        ...[firstId('led', START), merchant.id, START],
      ),
    );
    let written = 0;
    // Later entries have later ids, so each batch could find them.
    const outDrained = async () => {
      written++;
      await fund(store, merchant, 1);
    };
    const { stdout } = await collect(async (terminal) =>
      exportCommand(store, 'ledger', { force: false, now: START }, { ...terminal, outDrained }),
    );
    const ids = parseCsv(stdout).map(({ id }) => id);
    expect(written).toBeGreaterThan(2);
    expect([ids.length, new Set(ids).size]).toEqual([ROWS, ROWS]);
    expect(ids).toEqual(ids.toSorted());
  });
});

describe('one export', () => {
  it('fails rather than write rows twice when the database would repeat the read', async () => {
    const { store } = await begin(sqliteDatabase);
    await books(store);
    const repeated: Store['snapshot'] = async (work) => {
      await store.snapshot(work);
      return store.snapshot(work);
    };
    const options = { force: false, now: START };
    const { stdout } = await collect(async (terminal) => {
      const exported = exportCommand({ ...store, snapshot: repeated }, 'ledger', options, terminal);
      await expect(exported).rejects.toThrow('Run the command again.');
      return 1;
    });
    expect(parseCsv(stdout)).toHaveLength(10);
  });

  it('escapes control characters only for a terminal', async () => {
    const { store, env } = await administer(sqliteDatabase);
    await addPayment(store, await addMerchant(store), { orderId: 'order\x1b[2J' });
    const written = (isTTY: boolean) =>
      collect((terminal) => runGateway(['export', 'transactions'], { env, terminal: { ...terminal, isTTY } }));
    expect((await written(true)).stdout).toContain('order\\u001b[2J');
    expect((await written(false)).stdout).toContain('order\x1b[2J');
  });

  it('refuses an unknown merchant and invalid dates', async () => {
    const { run } = await begin(sqliteDatabase);
    expect(await run('export', 'ledger', '--merchant', '7')).toMatchObject({ code: 1, stdout: '' });
    expect(await run('export', 'ledger', '--from', '2026-02-29T10:00:00Z')).toMatchObject({ code: 2, stdout: '' });
    expect(await run('export', 'balances', '--from', '2026-03-02')).toMatchObject({ code: 2, stdout: '' });
  });

  it('replaces a file only with --force, and removes its temporary file on failure', async () => {
    const { store, run } = await begin(sqliteDatabase);
    await books(store);
    const folder = await temporaryFolder();
    const file = join(folder, 'ledger.csv');
    await writeFile(file, 'mine');
    const refused = await run('export', 'ledger', '--output', file);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('replace it with --force') });
    await store.unit((db) => db.run("update transactions set state = '{' where kind = 'payment'"));
    const broken = await run('export', 'transactions', '--output', file, '--force');
    expect(broken).toMatchObject({ code: 1, stderr: expect.stringContaining('SyntaxError') });
    expect([await readFile(file, 'utf8'), await readdir(folder)]).toEqual(['mine', ['ledger.csv']]);
    expect((await run('export', 'balances', '--output', file, '--force')).code).toBe(0);
    expect(await readFile(file, 'utf8')).toMatch(/^merchant_id,/);
    const nowhere = await run('export', 'ledger', '--output', join(folder, 'missing', 'ledger.csv'));
    expect(nowhere).toMatchObject({ code: 1, stderr: expect.stringContaining("Can't write") });
  });
});

it.each([
  ['nothing', undefined, ''],
  ['quotes', 'say "hi"', '"say ""hi"""'],
  ['several lines', 'a\r\nb', '"a\r\nb"'],
  ['a formula with quotes', '=cmd("x")', `"'=cmd(""x"")"`],
  ['a sign that begins a formula', '-2+3', "'-2+3"],
  ['a negative sum', '-27021597764222973', '-27021597764222973'],
  ['a command', '@SUM(A1)', "'@SUM(A1)"],
  ['a tab before a formula', '\t=1', "'\t=1"],
])('CSV escapes %s so that a spreadsheet reads it back and computes nothing', (_what, value, cell) => {
  expect(csvLine([value, 1])).toBe(`${cell},1\r\n`);
});
