import { describe, expect, it } from 'vitest';
import { createOperatorKey } from '../../../gateway/src/operators/operator-keys.ts';
import { randomIds } from '../../../gateway/src/platform/ids.ts';
import { addOperator } from '../harness/operators.ts';
import { openTestSqlite } from '../harness/stores.ts';
import { startOperated } from '../management/operator.ts';
import { createRunner } from './run-command.ts';

const EVIDENCE = ['--reference', 'Statement 7, line 14', '--reason', 'Funded twice'];
async function start() {
  const operated = await startOperated(await openTestSqlite());
  const { test, operator } = operated;
  const url = await test.gateway.listen({ port: 0 });
  const dana = createRunner({ GATEWAY_URL: url, OPERATOR_KEY: operator.key });
  return { ...operated, url, merchant: String(test.merchant.id), dana };
}

describe('an operator at the command line', () => {
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
    const { dana, merchant, operator, url } = await start();
    for (const options of [['--url', url], []])
      expect((await dana('merchant', 'list', ...options)).stdout).toContain('Test merchant');
    const rotated = await dana('secret', 'rotate', merchant, '--url', url, '--reason', 'Leaked');
    expect(rotated.stdout).toMatch(/^signing secret {2}whsec_/);
    const { body } = await operator.call('GET', '/management/changes');
    expect(body.data[0]).toMatchObject({ operator: 'Dana', action: 'rotateSigningSecret', reason: 'Leaked' });
  });
});
