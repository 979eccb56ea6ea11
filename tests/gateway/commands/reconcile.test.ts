/** The command `reconcile` compares the ledger with a channel's statement, movement by movement. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { migrate } from '../../../gateway/src/database/migrate.ts';
import { resolveExceptions, takeResult } from '../../../gateway/src/domain/exceptions.ts';
import { sandboxMethods } from '../../../gateway/src/domain/methods.ts';
import type { Payment, Step } from '../../../gateway/src/domain/transaction.ts';
import { addPaymentAt, addPayoutAt, COLLECTED, FAILED, PAID_OUT } from '../harness/books.ts';
import { addMerchant, fund, START } from '../harness/fixtures.ts';
import { describeOnEachStore, temporaryFolder } from '../harness.ts';
import { createRunner, toEnvironment } from './run-command.ts';

/** Channels of the contract's methods, with JSON statements. */
const CONFIG = `const call = () => undefined;
const channel = (name, statement) =>
  ({ name, sandbox: false, initiate: call, clarify: call, verify: call, cancel: call, payOut: call, verifyPayout: call, statement });
const names = ['upi-standard', 'upi-trusted', 'imps-standard'];
export default { channels: [...names.map((name) => channel(name, (file) => JSON.parse(file))), channel('imps-trusted')] };`;
const HOUR = 3_600_000;
const at = (ms: number) => new Date(ms).toISOString();

describeOnEachStore('payments-gateway reconcile', (_open, database) => {
  async function books() {
    const made = await database();
    const store = made.connect();
    await migrate(store);
    const merchant = await addMerchant(store);
    await fund(store, merchant, 1_000_000);
    const folder = await temporaryFolder();
    const [config, statement] = [join(folder, 'gateway.config.mjs'), join(folder, 'statement.json')];
    await writeFile(config, CONFIG);
    const run = createRunner({ ...toEnvironment(made), CONFIG: config });
    const reconcile = async (channel: string, content: unknown, ...options: string[]) => {
      await writeFile(statement, typeof content === 'string' ? content : JSON.stringify(content));
      return run('reconcile', channel, statement, ...options);
    };
    const line = (transactionId: string, amount = 50_000, currency = 'INR') => ({ transactionId, amount, currency });
    return { store, merchant, reconcile, line };
  }

  it('finds no difference between equal ones, and ignores other channels and open transactions', async () => {
    const { store, merchant, reconcile, line } = await books();
    const paid = await addPaymentAt(store, merchant, START, ...COLLECTED);
    await addPaymentAt(store, merchant, START);
    const payout = await addPayoutAt(store, merchant, START, PAID_OUT);
    expect(await reconcile('upi-standard', [line(paid)])).toMatchObject({
      code: 0,
      stdout: '1 entries of the channel upi-standard, 0 differences\n',
    });
    expect(await reconcile('imps-standard', [line(payout, 2_000)])).toMatchObject({ code: 0 });
  });

  it('lists missing entries, different amounts, and duplicates', async () => {
    const { store, merchant, reconcile, line } = await books();
    const [missing = '', less = '', twice = ''] = [
      await addPaymentAt(store, merchant, START, ...COLLECTED),
      await addPaymentAt(store, merchant, START + 1, ...COLLECTED),
      await addPaymentAt(store, merchant, START + 2, ...COLLECTED),
    ];
    const stated = [line(less, 49_900), line(twice), line(twice), line('pay_unknown', 5, 'EGP')];
    const { code, stdout } = await reconcile('upi-standard', stated);
    expect(code).toBe(1);
    expect(stdout.split('\n').sort()).toEqual(
      [
        '',
        `${missing}: the ledger has 50000 INR of ${at(START)}, the statement has nothing`,
        `${less}: the ledger has 50000 INR, the statement has 49900 INR`,
        `${twice}: the ledger has 50000 INR, the statement has 50000 INR and 50000 INR`,
        'pay_unknown: unknown here, the statement has 5 EGP',
        '3 entries of the channel upi-standard, 4 differences',
        '1 are unknown here. After a restore, import them: payments-gateway import --help',
      ].sort(),
    );
  });

  it('distinguishes an open transaction from an unknown one', async () => {
    const { store, merchant, reconcile, line } = await books();
    const open = await addPaymentAt(store, merchant, START);
    expect((await reconcile('upi-standard', [line(open)])).stdout).toBe(
      `${open}: is CREATED by the channel upi-standard, the statement has 50000 INR\n0 entries of the channel upi-standard, 1 differences\n`,
    );
  });

  it('lists a difference with an open exception, but not with a resolved one', async () => {
    const { store, merchant, reconcile, line } = await books();
    const said = { call: 'verify', at: START, took: 0, event: { type: 'succeeded', amountPaid: 50_000 } } as const;
    const contradicted = (one: Payment) => takeResult(sandboxMethods, one, said, START) as Step<Payment>;
    const resolved = (one: Payment) => resolveExceptions(one, 'outside') as Step<Payment>;
    const open = await addPaymentAt(store, merchant, START, FAILED, contradicted);
    expect((await reconcile('upi-standard', [line(open)])).stdout).toContain(
      `${open}: is FAILED by the channel upi-standard, the statement has 50000 INR; its exception is open\n`,
    );
    const done = await addPaymentAt(store, merchant, START + 1, FAILED, contradicted, resolved);
    const { stdout } = await reconcile('upi-standard', [line(open), line(done)]);
    expect(stdout).toContain('1 differences');
    expect((await reconcile('upi-standard', [line(done, 49_900)])).stdout).toContain(`${done}: is FAILED`);
  });

  it('expects only the entries of a period in the statement', async () => {
    const { store, merchant, reconcile, line } = await books();
    const before = await addPaymentAt(store, merchant, START, ...COLLECTED);
    const earlier = START - HOUR;
    await store.unit((db) =>
      db.run('update ledger_entries set created_at = ? where transaction_id = ?', earlier, before),
    );
    const within = await addPaymentAt(store, merchant, START, ...COLLECTED);
    const period = ['--from', at(START - HOUR / 2), '--to', at(START + HOUR)];
    expect((await reconcile('upi-standard', [line(within)], ...period)).code).toBe(0);
    expect((await reconcile('upi-standard', [line(within)])).code).toBe(1);
    expect((await reconcile('upi-standard', [], ...period)).stdout).toContain(`${within}: the ledger has`);
    expect(await reconcile('upi-standard', [], '--from', 'yesterday')).toMatchObject({ code: 2, stdout: '' });
  });

  it('refuses a channel without statements and a malformed file', async () => {
    const { reconcile } = await books();
    const other = await reconcile('imps-trusted', []);
    expect(other).toMatchObject({ code: 2, stdout: '' });
    expect(other.stderr).toContain('Use one of upi-standard, upi-trusted, imps-standard.');
    expect(await reconcile('upi-standard', 'no JSON')).toMatchObject({ code: 1, stdout: '' });
  });
});
