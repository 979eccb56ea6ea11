/** The command `settlement`: days of wallets, for people and for programs. */
import { describe, expect, it } from 'vitest';
import { auditStore } from '../../../gateway/src/management/audit.ts';
import { parseCsv } from '../../tools/csv.ts';
import { books } from '../harness/books.ts';
import { START } from '../harness/fixtures.ts';
import { sqliteDatabase } from '../harness.ts';
import { administer } from './run-command.ts';

const DATE = new Date(START).toISOString().slice(0, 10);

describe('payments-gateway settlement', () => {
  it('prints a statement of each wallet, with its movements', async () => {
    const { store, admin: run } = await administer(sqliteDatabase);
    const { merchant } = await books(store);
    const { code, stdout } = await run('settlement', '--date', DATE);
    expect(code).toBe(0);
    expect(stdout).toContain(`merchant ${merchant.id}  INR
${DATE}   available     pending    reserved
opening              0           0           0
collected                  +100000
`);
    expect(stdout.match(/^closing .*$/gm)?.map((line) => line.split(/ +/).slice(1))).toEqual([
      ['106000', '0', '2000'],
      ['60000', '0', '0'],
    ]);
    expect((await auditStore(store)).found).toBe(0);
  });

  it('has the movements of each channel and method with --by-method, which add up to the wallet', async () => {
    const { store, admin: run } = await administer(sqliteDatabase);
    const { merchant } = await books(store);
    const options = ['settlement', '--date', DATE, '--merchant', String(merchant.id), '--by-method'];
    expect((await run(...options)).stdout).toBe(
      [
        `${DATE}  merchant ${merchant.id}  INR  no channel  no method  funded 10000`,
        `${DATE}  merchant ${merchant.id}  INR  imps-standard  IMPS_IN  reserved 6000, paid_out 2000, released 2000`,
        `${DATE}  merchant ${merchant.id}  INR  upi-standard  UPI_IN  collected 100000, settled 100000`,
        '',
      ].join('\n'),
    );
    const rows = parseCsv((await run(...options, '--format', 'csv')).stdout);
    expect(rows.map(({ channel, payment_method_type: method }) => [channel, method])).toEqual([
      ['', ''],
      ['imps-standard', 'IMPS_IN'],
      ['upi-standard', 'UPI_IN'],
    ]);
    const [wallet] = parseCsv((await run(...options.slice(0, -1), '--format', 'csv')).stdout);
    const moved = Object.keys(wallet ?? {}).filter((name) => name.startsWith('moved_'));
    for (const name of moved) {
      expect(String(rows.reduce((sum, row) => sum + BigInt(row[name] ?? 0), 0n))).toBe(wallet?.[name]);
    }
  });

  it.each([[[]], [['--date', DATE, '--from', DATE]], [['--from', '2024-01-01', '--to', DATE]]])(
    'refuses %j',
    async (options) => {
      const { admin: run } = await administer(sqliteDatabase);
      expect(await run('settlement', ...options)).toMatchObject({ code: 2, stdout: '' });
    },
  );
});
