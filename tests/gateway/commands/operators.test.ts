/** The commands for operators: on the database, and over the management API. */
import { describe, expect, it } from 'vitest';
import { listOperatorChanges } from '../../../gateway/src/operators/audit-log.ts';
import { createOperatorKey } from '../../../gateway/src/operators/operator-keys.ts';
import { randomIds } from '../../../gateway/src/platform/ids.ts';
import { START } from '../harness/fixtures.ts';
import { addOperator } from '../harness/operators.ts';
import { openTestSqlite, sqliteDatabase } from '../harness/stores.ts';
import { startOperated } from '../management/operator.ts';
import { addEvents, addSigningMerchant, readEvents } from '../webhooks/deliveries.ts';
import { administer, createRunner } from './run-command.ts';

describe('a command on the database', () => {
  it('creates, lists and revokes operators, and shows a key once', async () => {
    const { admin } = await administer(sqliteDatabase);
    expect((await admin('operator', 'list')).stdout).toContain('payments-gateway operator create NAME');
    const created = (await admin('operator', 'create', 'Dana')).stdout;
    const [key = ''] = created.match(/op_[\w-]{32}/) ?? [];
    const [id = ''] = created.match(/opr_\w+/) ?? [];
    const listed = async () => (await admin('operator', 'list')).stdout;
    expect(await listed()).toMatch(new RegExp(`^${id}  \\S+Z  act      Dana  1 key, never used, expires \\S+Z\n$`));
    expect(await admin('operator', 'revoke', id)).toMatchObject({ code: 0, stdout: `revoked all keys of ${id}\n` });
    expect(await listed()).toMatch(/ {2}Dana {2}revoked\n$/);
    expect((await admin('operator-key', 'list', id)).stdout).not.toContain(key);
    const again = await admin('operator', 'revoke', id);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('payments-gateway operator list')]);
    expect((await admin('operator', 'create', 'Lee', '--role', 'approve')).stdout).toMatch(/^role +approve$/m);
    expect(await admin('operator', 'create', 'Kim', '--role', 'all')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('read, support, act, approve'),
    });
  });

  it('refuses a second operator of a name, and invalid names', async () => {
    const { admin } = await administer(sqliteDatabase);
    const [id = ''] = (await admin('operator', 'create', 'Dana')).stdout.match(/opr_\w+/) ?? [];
    for (const name of ['Dana', ' dana ']) {
      const refused = await admin('operator', 'create', name, '--role', 'approve');
      expect(refused.code).toBe(1);
      expect(refused.stderr).toContain(`payments-gateway operator-key create ${id}`);
      expect(refused.stderr).toContain(`payments-gateway operator set-role ${id} approve`);
    }
    for (const name of [' ', 'x'.repeat(121), 'Da\u200bna', 'Da\u001b[2Jna']) {
      const refused = await admin('operator', 'create', name);
      expect(refused.code).toBe(2);
      expect(refused.stderr).toContain('It must have 1 to 120 characters');
    }
    expect((await admin('operator', 'list')).stdout.match(/^opr_/gm)).toHaveLength(1);
  });

  it('creates keys that expire after --expires, by default after 90 days', async () => {
    const { admin } = await administer(sqliteDatabase);
    const [id = ''] = (await admin('operator', 'create', 'Dana')).stdout.match(/opr_\w+/) ?? [];
    await admin('operator-key', 'create', id, '--expires', '12h');
    const lines = (await admin('operator-key', 'list', id)).stdout.trimEnd().split('\n');
    const hours = lines.map((line) => {
      const [, created = '', expires = ''] = /(\S+Z) {2}never used {2}expires (\S+Z)$/.exec(line) ?? [];
      return (Date.parse(expires) - Date.parse(created)) / 3_600_000;
    });
    expect(hours).toEqual([90 * 24, 12]);
    for (const expires of ['30m', '367d', '90', 'never'])
      expect(await admin('operator-key', 'create', id, '--expires', expires)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('from 1h to 366d'),
      });
  });

  it('resends, replays, stops and resumes webhooks', async () => {
    const { store, admin } = await administer(sqliteDatabase);
    const { merchant } = await addSigningMerchant(store);
    const [id, url] = [String(merchant.id), 'http://a.test/hook'];
    await addEvents(store, merchant, [url]);
    const [event = ''] = (await readEvents(store)).map((row) => String(row['id']));
    await store.unit((db) => db.run("update events set next_at = null, last_result = 'responded 500'"));
    const replay = ['webhook', 'replay', '--since', new Date(START).toISOString()];
    const printed = async (...args: string[]) => (await admin(...args)).stdout;
    expect(await printed(...replay)).toBe('webhooks sent again: 1, of which 0 were waiting for their next attempt\n');
    expect(await printed('webhook', 'resend', event)).toBe(`${event} is sent to ${url} again\n`);
    expect(await printed('webhook', 'stopped')).toBe('no callback URL is stopped\n');
    expect(await printed('webhook', 'stop', id, url, '--reason', 'The shop asked for it')).toContain('webhook resume');
    expect(await printed('webhook', 'stopped')).toMatch(/evt_\w+ {2}http:\/\/a.test\/hook {2}by \S+@\S+\n$/);
    expect(await printed(...replay, '--state', 'stopped', '--merchant', id)).toContain('webhooks sent again: ');
    expect(await admin('webhook', 'resume', id, url)).toMatchObject({ code: 0 });
    expect(await admin('webhook', 'resume', id, url)).toMatchObject({ code: 1, stdout: '' });
    const changes = (await listOperatorChanges(store.read, { limit: 9 })).toReversed();
    expect(changes.map(({ action, subject, reason }) => [action, subject, reason])).toEqual([
      ['replayEvents', 'undelivered since 2026-03-02T09:00:00.000Z', undefined],
      ['resendEvent', event, undefined],
      ['stopUrl', 'http://a.test', 'The shop asked for it'],
      ['replayEvents', 'stopped since 2026-03-02T09:00:00.000Z', undefined],
      ['resumeUrl', 'http://a.test', undefined],
    ]);
  });
});

async function start() {
  const operated = await startOperated(await openTestSqlite());
  const { test, operator } = operated;
  const url = await test.gateway.listen({ port: 0 });
  const dana = createRunner({ GATEWAY_URL: url, OPERATOR_KEY: operator.key });
  return { ...operated, url, merchant: String(test.merchant.id), dana };
}

describe('an operator at the command line', () => {
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
