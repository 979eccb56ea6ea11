/** The audit log of changes made by commands: who, when and why, as in the management API. */
import { hostname, userInfo } from 'node:os';
import { describe, expect, it, vi } from 'vitest';
import { DATABASE_COMMANDS } from '../../../gateway/src/commands/program.ts';
import { listOperatorChanges } from '../../../gateway/src/operators/audit-log.ts';
import { sqliteDatabase } from '../harness/stores.ts';
import { administer, createRunner } from './run-command.ts';

const USER = `${userInfo().username}@${hostname()}`;

/** Read-only commands. */
const READING = /^(list|stopped|audit|reconcile|failing|transactions|ledger|balances|settlement)\b/;

describe('a command that changes the database', () => {
  async function recording() {
    const administered = await administer(sqliteDatabase);
    const changes = async () => {
      const listed = await listOperatorChanges(administered.store.read, { limit: 100 });
      return listed.map(({ operator, ...change }) => ({ ...change, by: operator.name }));
    };
    return { ...administered, changes };
  }

  it("has the database's time instead of the process's", async () => {
    const { store, admin } = await recording();
    const [real, early] = [Date.now(), Date.now() - 3 * 3_600_000];
    vi.useFakeTimers({ toFake: ['Date'], now: early });
    const created = await admin('merchant', 'create', 'Chai House', 'INR').finally(() => vi.useRealTimers());
    expect(created.code).toBe(0);
    const [merchant] = await store.read.all('select created_at from merchants');
    const [change] = await listOperatorChanges(store.read, { limit: 1 });
    for (const time of [merchant?.['created_at'], change?.at]) expect(Number(time)).toBeGreaterThan(real - 60_000);
  });

  it('is recorded with its user and the given reason', async () => {
    const { store, admin, changes } = await recording();
    const created = await admin('merchant', 'create', 'Chai House', 'INR', '--reason', 'Ticket 7');
    const id = /\d{5}/.exec(created.stdout)?.[0] ?? '';
    const key = /key_\w+/.exec((await admin('key', 'create', id)).stdout)?.[0] ?? '';
    const operator = /opr_\w+/.exec((await admin('operator', 'create', 'Dana')).stdout)?.[0] ?? '';
    await admin('fund', id, '250000', 'INR', '--reason', 'Deposit of 2 March');
    await admin('secret', 'rotate', id);
    const [, secret = ''] = /^(sec_\w+).* valid /m.exec((await admin('secret', 'list', id)).stdout) ?? [];
    await admin('secret', 'revoke', id, secret);
    await admin('merchant', 'disable', id);
    await admin('merchant', 'enable', id);
    await admin('key', 'revoke', id, key);
    await admin('operator', 'set-role', operator, 'approve');
    const operatorKey = /opk_\w+/.exec((await admin('operator-key', 'create', operator)).stdout)?.[0] ?? '';
    await admin('operator-key', 'revoke', operatorKey);
    await admin('operator', 'revoke', operator);
    const made = (await changes()).toReversed();
    expect(made.every(({ by }) => by === USER)).toBe(true);
    const [{ entry } = { entry: '' }] = await store.read.all('select id as entry from ledger_entries');
    expect(made.map(({ action, subject }) => [action, subject])).toEqual([
      ['createMerchant', undefined],
      ['createApiKey', key],
      ['createOperator', operator],
      ['fundWallet', entry],
      ['rotateSigningSecret', expect.stringMatching(/^sec_/)],
      ['revokeSigningSecret', secret],
      ['disableMerchant', undefined],
      ['enableMerchant', undefined],
      ['revokeApiKey', key],
      ['setOperatorRole', `${operator} approve`],
      ['createOperatorKey', operatorKey],
      ['revokeOperatorKey', operatorKey],
      ['revokeOperator', operator],
    ]);
    expect(made.map(({ reason }) => reason).filter(Boolean)).toEqual(['Ticket 7', 'Deposit of 2 March']);
    expect(made.filter(({ merchantId }) => merchantId === Number(id))).toHaveLength(8);
    expect((await admin('operator', 'list')).stdout).not.toContain(USER);
  });

  it('is recorded with the operator of OPERATOR_KEY, which must be valid', async () => {
    const { store, admin, changes, env } = await recording();
    const { stdout } = await admin('operator', 'create', 'Dana');
    const [, operator = '', key = ''] = /(opr_\w+).*(op_\S+)/s.exec(stdout) ?? [];
    const withKey = (value: string) => createRunner({ ...env, OPERATOR_KEY: value });
    const created = await withKey(key)('merchant', 'create', 'Shop', 'INR');
    const id = /\d{5}/.exec(created.stdout)?.[0] ?? '';
    await withKey(key)('secret', 'rotate', id);
    expect((await changes()).map(({ action, by }) => [action, by])).toEqual([
      ['rotateSigningSecret', 'Dana'],
      ['createMerchant', 'Dana'],
      ['createOperator', USER],
    ]);
    const refused = await withKey('op_unknown')('fund', id, '1', 'INR');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('which is OPERATOR_KEY') });
    await store.unit((db) => db.run('update operator_keys set expires_at = 0'));
    const expired = await withKey(key)('operator-key', 'create', operator);
    expect(expired.stderr).toMatch(/expired at 1970-.*\n.*unset OPERATOR_KEY\n$/);
    expect(await changes()).toHaveLength(3);
  });

  it('is not recorded without an effect', async () => {
    const { admin, changes } = await recording();
    const id = /\d{5}/.exec((await admin('merchant', 'create', 'Shop', 'INR')).stdout)?.[0] ?? '';
    await admin('fund', id, '9007199254740991', 'INR');
    await admin('fund', id, '1', 'INR');
    await admin('merchant', 'enable', id);
    await admin('key', 'revoke', id, 'key_unknown');
    await admin('secret', 'revoke', id, 'sec_unknown');
    await admin('operator', 'revoke', 'opr_unknown');
    await admin('operator-key', 'revoke', 'opk_unknown');
    await admin('operator', 'create', USER);
    expect((await changes()).map(({ action }) => action)).toEqual(['fundWallet', 'createMerchant']);
    const refused = await admin('fund', id, '1', 'INR', '--reason', ' ');
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('It must have 1 to 500 characters.') });
  });
});

it('every command with a change has the name of its change', () => {
  const commands = DATABASE_COMMANDS.flatMap((one) =>
    'commands' in one ? one.commands.map((command) => ({ name: one.name, ...command })) : { name: '', ...one },
  );
  const unnamed = commands.filter(({ action, usage }) => action === undefined && !READING.test(usage));
  expect(unnamed.map(({ name, usage }) => `${name} ${usage}`.trim())).toEqual([]);
});
