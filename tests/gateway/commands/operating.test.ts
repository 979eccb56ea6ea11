import { describe, expect, it } from 'vitest';
import type { Channel } from '../../../gateway/src/channels/channel.ts';
import { createOperatorKey } from '../../../gateway/src/operators/operator-keys.ts';
import { randomIds } from '../../../gateway/src/platform/ids.ts';
import { SEARCHED_MAX } from '../../../gateway/src/transactions/merchant-transactions.ts';
import { addNewerPayments } from '../harness/books.ts';
import { fund, paymentRequest } from '../harness/fixtures.ts';
import { BANK } from '../harness/live.config.ts';
import { addOperator } from '../harness/operators.ts';
import { openTestSqlite } from '../harness/stores.ts';
import { startOperated } from '../management/operator.ts';
import { createRunner } from './run-command.ts';

const EVIDENCE = ['--reference', 'Statement 7, line 14', '--reason', 'Funded twice'];
const DECLINED = ['--outcome', 'declined', '--decline-reason', 'BANK_REJECTED', ...EVIDENCE];
const PAY_DATA = { receiver_account: 'shop@bank', available_amounts: [49_900] };

async function start() {
  const initiate = async () =>
    ({ event: { type: 'confirmation_needed', payData: PAY_DATA, confirm: ['tid'] } }) as const;
  const channel: Channel = {
    ...BANK,
    initiate,
    verify: async ({ status, amount }) => {
      if (status !== 'FAILED') throw new Error('the bank does not respond');
      return { event: { type: 'succeeded', amountPaid: amount } };
    },
    notification: ({ body }) => new TextDecoder().decode(body),
  };
  const operated = await startOperated(await openTestSqlite(), { channels: [channel] });
  const { test, operator, receiver } = operated;
  await fund(test.gateway.store, test.merchant, 100_000);
  const url = await test.gateway.listen({ port: 0 });
  const as = (key: string) => createRunner({ GATEWAY_URL: url, OPERATOR_KEY: key });
  const lee = await addOperator(test, 'Lee', 'approve');
  const merchant = String(test.merchant.id);
  async function pay(): Promise<string> {
    const { body } = await test.call('POST', '/payments', paymentRequest({ callback_url: `${receiver.address}/hook` }));
    await test.gateway.idle();
    await test.call('POST', `/payments/${body.transaction_id}/confirm`, { confirm_data: { tid: '12' } });
    return body.transaction_id;
  }
  return { ...operated, url, merchant, pay, dana: as(operator.key), lee: as(lee.key) };
}

const proposalOf = (text: string) => /prp_\w+/.exec(text)?.[0] ?? '';

describe('an operator at the command line', () => {
  it('proposes a correction, and another one approves it', async () => {
    const { dana, lee, merchant, operator } = await start();
    const proposed = await dana('correction', 'debit', merchant, '30000', 'INR', ...EVIDENCE);
    expect(proposed.stdout).toMatch(/^prp_\w+ {2}open {2}merchant 1\d+ {2}debit 30000 INR {2}\(Statement 7, line 14: /);
    const id = proposalOf(proposed.stdout);
    expect(proposed.stdout).toContain(`payments-gateway proposal approve ${id}`);
    expect((await lee('proposal', 'list', '--state', 'open')).stdout).toContain(id);
    const own = await dana('proposal', 'approve', id);
    expect([own.code, own.stderr]).toEqual([1, expect.stringContaining('the role `approve`')]);
    expect((await lee('proposal', 'approve', id, '--reason', 'Compared')).stdout).toContain('approved by Lee');
    expect((await operator.call('GET', `/management/merchants/${merchant}/wallets`)).body.data[0].available).toBe(
      70_000,
    );
    expect((await lee('proposal', 'list', '--state', 'open')).stdout).toBe('no proposals\n');
  });

  it("looks up a payment, and resolves it without its channel's response", async () => {
    const { dana, lee, pay, test } = await start();
    const id = await pay();
    const shown = (await dana('payment', 'show', id)).stdout;
    expect(shown).toContain(`${id}  VERIFYING\npayment of 49900 INR, in minor units\nmerchant `);
    expect(shown).toMatch(/ {2}VERIFYING +confirmed by merchant\n/);
    expect(shown).toContain('  tid  12\n');
    const found = async (...options: string[]) => (await dana('payment', 'find', ...options)).stdout;
    expect(await found('--reference', '12', '--amount', '49900')).toMatch(
      new RegExp(`^\\S+  ${id}  merchant 1\\d+  order `),
    );
    expect(await found('--reference', '12', '--to', '2000-01-01')).toBe('none found\n');
    await addNewerPayments(test.gateway.store, id, SEARCHED_MAX);
    expect(await found('--amount', '49900')).toContain(id);
    expect(shown).toMatch(/\nchannel calls\n {2}\S+ {2}initiate {2}confirmation_needed {2}\d+ ms\n/);
    const { stdout } = await dana(
      'payment',
      'resolve',
      id,
      '--outcome',
      'succeeded',
      '--amount-paid',
      '49900',
      ...EVIDENCE,
    );
    await lee('proposal', 'approve', proposalOf(stdout));
    await test.gateway.idle();
    const after = (await dana('payment', 'show', id)).stdout;
    expect(after).toMatch(
      /succeeded by operator\nchannel calls\n.*\n.*verify {4}no_response .* the bank does not respond\nledger\n {2}\S+ {2}collected {2}49900 {2}channel → pending\nwebhooks\n/,
    );
    expect(after).toMatch(/ {2}evt_\w+ {2}SUCCESS {2}delivered {2}http:.*\n {4}\S+ {2}204 {2}\d+ ms\n/);
    expect(after).toContain('approved by Lee');
    const printed = JSON.parse((await dana('payment', 'show', id, '--json')).stdout);
    expect(printed).toMatchObject({ transaction_id: id });
    expect((await dana('channel', 'pause', 'card')).stderr).toBe('There is no channel card. The channels are bank.\n');
    expect((await dana('payment', 'show', 'pay_1')).stderr).toBe('No payment has the id pay_1.\n');
    const late = await dana('payment', 'resolve', id, ...DECLINED);
    expect([late.code, late.stderr]).toEqual([1, expect.stringContaining('is already SUCCESS')]);
  });

  it('sees the exception of a payment, and resolves it', async () => {
    const { dana, lee, pay, test } = await start();
    const id = await pay();
    const { stdout: declined } = await dana('payment', 'resolve', id, ...DECLINED);
    await lee('proposal', 'approve', proposalOf(declined));
    await test.call('POST', '/channels/bank/notifications', id);
    const exception = /\nexceptions\n {2}\S+ {2}the channel says succeeded, 49900 INR {2}open\n/;
    expect((await dana('payment', 'show', id)).stdout).toMatch(exception);
    const { stdout } = await dana('payment', 'resolve-exceptions', id, '--resolution', 'booked', ...EVIDENCE);
    expect(stdout).toContain(`${id} booked, credit 49900 INR: the channel says 49900 INR, the books have 0  (`);
    await lee('proposal', 'approve', proposalOf(stdout));
    expect((await dana('payment', 'show', id)).stdout).toMatch(/says succeeded, 49900 INR {2}booked\n/);
    const again = await dana('payment', 'resolve-exceptions', id, '--resolution', 'outside', ...EVIDENCE);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('has no open exception')]);
  });

  it.each([
    [['correction', 'debit', '10001', '1.5', 'INR', ...EVIDENCE], "<amount> '1.5' must be an integer"],
    [['correction', 'debit', '10001', '5', 'XYZ', ...EVIDENCE], 'INR, EGP'],
    [['correction', 'debit', '10001', '5', 'INR'], '--reference is missing'],
    [['payment', 'resolve', 'pay_1', ...EVIDENCE], '--outcome is missing.'],
    [['payment', 'resolve', 'pay_1', '--outcome', 'paid', ...EVIDENCE], 'It must be one of succeeded, declined.'],
  ])('gets an error that explains %j, before any request', async (argv, message) => {
    const found = await createRunner({ GATEWAY_URL: 'http://127.0.0.1:1', OPERATOR_KEY: 'op_x' })(...argv);
    expect([found.code, found.stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  it('gets an error that names the option whose value the gateway refuses', async () => {
    const { dana } = await start();
    const found = await dana('payment', 'find', '--status', 'PAID');
    expect(found).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^--status 'PAID' must be one of CREATED/),
    });
  });

  it('gets a clear error for a missing, a wrong, an expired and an unprivileged key', async () => {
    const { url, test } = await start();
    const found = async (key: string) =>
      (await createRunner({ GATEWAY_URL: url, OPERATOR_KEY: key })('proposal', 'list')).stderr;
    expect(await found('')).toContain('OPERATOR_KEY is missing');
    expect(await found('op_none')).toContain('refuses the key …none of OPERATOR_KEY');
    const { id, key } = await addOperator(test, 'Kim', 'read');
    const expired = await test.gateway.store.unit((db) => createOperatorKey(db, id, 0, randomIds));
    expect(await found(expired.key)).toMatch(
      new RegExp(`of OPERATOR_KEY. This operator key expired at 1970-\\S+ Create .* operator-key create ${id}\n$`),
    );
    const refused = await createRunner({ GATEWAY_URL: url, OPERATOR_KEY: key })('proposal', 'reject', 'prp_1');
    expect(refused.stderr).toContain('the role `act`, and Kim has `read`');
  });

  it("uses the gateway at --url or GATEWAY_URL instead of a database, and its changes are recorded as the operator's", async () => {
    const { dana, lee, merchant, operator, url } = await start();
    for (const options of [['--url', url], []])
      expect((await dana('merchant', 'list', ...options)).stdout).toContain('INR  available 100000');
    const rotated = await dana('secret', 'rotate', merchant, '--url', url, '--reason', 'Leaked');
    expect(rotated.stdout).toMatch(/^signing secret {2}whsec_/);
    const { body } = await operator.call('GET', '/management/changes');
    expect(body.data[0]).toMatchObject({ operator: 'Dana', action: 'rotateSigningSecret', reason: 'Leaked' });
    expect((await lee('webhook', 'resume', merchant, 'http://a.test/hook', '--url', url)).stderr).toContain(
      `Webhooks to http://a.test/hook of merchant ${merchant} are not stopped.`,
    );
  });
});
