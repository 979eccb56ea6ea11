/** The API's responses about archived transactions, and the commands that archive and audit. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { monthsBefore } from '../../../gateway/src/commands/archive.ts';
import { archiveTransactions } from '../../../gateway/src/store/archive/archives.ts';
import { migrate } from '../../../gateway/src/store/engine/migrate.ts';
import { ManualClock } from '../../tools/manual-clock.ts';
import { commandsWith, environmentOf } from '../commands/run-command.ts';
import { addHistory, archiveDatabase, deliverAll, OLD, openArchiveFor } from '../harness/archives.ts';
import { addPaymentAt, COLLECTED, SETTLED } from '../harness/books.ts';
import { addMerchant, paymentRequest, payoutRequest, START } from '../harness/fixtures.ts';
import { describeOnEachStore, startTestGateway, temporaryFolder } from '../harness.ts';

describeOnEachStore('the API', (open) => {
  it('says of an archived transaction that it was archived, and refuses its order id', async () => {
    const store = await open();
    const { gateway, call } = await startTestGateway({ store, clock: new ManualClock(START) });
    await store.unit((db) => db.run('update wallets set available = 0'));
    const payment = paymentRequest({ payment_method_type: 'unknown' });
    const payout = payoutRequest();
    const [paid, out] = [await call('POST', '/payments', payment), await call('POST', '/payouts', payout)];
    await gateway.idle();
    await deliverAll(store);
    const [paymentId, payoutId] = [String(paid.body.transaction_id), String(out.body.transaction_id)];
    const options = { before: START + 1, now: Date.UTC(2027, 0, 31), name: '' };
    const target = await openArchiveFor(store);
    expect(await archiveTransactions(store, target, options)).toMatchObject({ archived: 2 });

    for (const path of [`/payments/${paymentId}`, `/payments?merchant_order_id=${payment.merchant_order_id}`]) {
      expect(await call('GET', path)).toMatchObject({
        status: 404,
        body: { detail: `The payment ${paymentId} was archived on 2027-01-31. Ask the operator for it.` },
      });
    }
    expect(await call('GET', `/payouts/${payoutId}`)).toMatchObject({
      status: 404,
      body: { detail: `The payout ${payoutId} was archived on 2027-01-31. Ask the operator for it.` },
    });
    for (const [path, request, id] of [
      ['/payments', payment, paymentId],
      ['/payouts', payout, payoutId],
    ] as const) {
      expect(await call('POST', path, request)).toMatchObject({
        status: 409,
        body: {
          detail: `${request.merchant_order_id} belongs to ${id}, which has been archived; use a new merchant_order_id.`,
        },
      });
    }
  });
});

describeOnEachStore('the command archive', (_open, database) => {
  async function prepared() {
    const live = await database();
    const store = live.connect();
    await migrate(store);
    return { store, command: commandsWith(environmentOf(live)), live };
  }

  it('says what it would archive, archives it, and the audit spans both databases', async () => {
    const { store, command, live } = await prepared();
    await addHistory(store);
    const target = await archiveDatabase(live.kind);
    const args = ['archive', '--older-than', '1'];
    const would = await command(...args, '--dry-run');
    expect(would).toMatchObject({ code: 0, stdout: expect.stringContaining('would archive 6 transactions created') });
    const ran = await command(...args, '--to', target.address);
    expect(ran.code).toBe(0);
    expect(ran.stdout).toMatch(
      /^archived 6 transactions created before \d{4}-\d\d-\d\d, with 10 entries and 9 webhooks\n/,
    );
    expect(ran.stdout).toMatch(
      /^3 older transactions stay: something is left to do for them\n( {2}(pay|out)_\w+ {2}[A-Z_]+ {2}(a step is due|it is not final|a webhook waits, or its URL is stopped)\n){3}/m,
    );
    expect(await command('audit')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^3 transactions/) });
    const both = await command('audit', '--archive', target.address);
    expect(both).toMatchObject({ code: 0, stdout: expect.stringContaining('6 transactions archived, 0 differences') });
    await store.unit((db) => db.run('delete from carried_forward'));
    expect(await command('audit', '--archive', target.address)).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/what is carried forward exceeds the archive by -\d+ entries of -\d+ in all/),
    });
  });

  it('creates a missing file, also with a folder', async () => {
    const { store, command } = await prepared();
    await addHistory(store);
    const file = join(await temporaryFolder(), 'archives', '2025.db');
    expect(await command('archive', '--older-than', '1', '--to', file)).toMatchObject({ code: 0 });
    expect(await command('audit', '--archive', file)).toMatchObject({ code: 0 });
    expect(await commandsWith({ DATABASE_FILE: file })('audit')).toMatchObject({ code: 0 });
  });

  it.each([
    [['--to', 'x.db'], 2, 'Say how old: --older-than 24'],
    [['--older-than', '2'], 2, 'Name the archive: --to archive.db'],
    [['--older-than', '0', '--to', 'x.db'], 2, 'It must be an integer from 1 to 1200.'],
  ] as const)('refuses %j', async (args, code, message) => {
    const { command } = await prepared();
    const ran = await command('archive', ...args);
    expect(ran).toMatchObject({ code, stdout: '' });
    expect(ran.stderr).toContain(message);
  });

  it('refuses the database itself, and one of a gateway', async () => {
    const { store, command, live } = await prepared();
    await addHistory(store);
    const self = await command('archive', '--older-than', '1', '--to', live.address);
    expect(self).toMatchObject({ code: 2, stderr: expect.stringContaining('it is the database itself') });
    const other = await database();
    await migrate(other.connect());
    await addMerchant(other.connect());
    const ran = await command('archive', '--older-than', '1', '--to', other.address);
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('it is the database of a gateway') });
    const compared = await command('audit', '--archive', other.address);
    expect(compared).toMatchObject({ code: 1, stderr: expect.stringContaining('it is not an archive') });
  });

  it('exits with 1 while entries are wrong', async () => {
    const { store, command, live } = await prepared();
    const id = await addPaymentAt(store, await addMerchant(store), OLD, ...COLLECTED, SETTLED);
    await deliverAll(store);
    await store.unit((db) => db.run("update ledger_entries set amount = 1 where reason = 'settled'"));
    const ran = await command('archive', '--older-than', '1', '--to', (await archiveDatabase(live.kind)).address);
    expect(ran).toMatchObject({ code: 1, stdout: expect.stringContaining(`transaction ${id}: `) });
    expect(ran.stdout).toContain('Transactions with differences stay. Run: payments-gateway audit');
  });
});

it.each([
  ['2026-03-31T10:00:00Z', 1, '2026-02-28T10:00:00Z'],
  ['2026-03-01T00:00:00Z', 12, '2025-03-01T00:00:00Z'],
  ['2024-02-29T23:59:59Z', 48, '2020-02-29T23:59:59Z'],
  ['2024-02-29T01:00:00Z', 12, '2023-02-28T01:00:00Z'],
])('of %s, %i months before are %s', (time, months, expected) => {
  expect(monthsBefore(Date.parse(time), months)).toBe(Date.parse(expected));
});
