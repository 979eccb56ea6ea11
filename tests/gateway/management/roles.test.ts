/** The role that each operation of operators takes, by the document. */
import { expect, it } from 'vitest';
import { readApiDocument } from '../../../gateway/src/http/gateway-apis.ts';
import { ROLES } from '../../../gateway/src/operators/operators.ts';
import { addOperator } from '../harness/operators.ts';
import { describeOnEachStore } from '../harness/stores.ts';
import { startOperated } from './operator.ts';

const { operations, access } = readApiDocument('management');
const roleOf = (id: string) => access.get(id)?.role;
const FOR_OPERATORS = operations.filter(({ id }) => roleOf(id) !== undefined);
const ranks: readonly (string | undefined)[] = ROLES;

it('every operation that reads takes the role read, and every other one more than that', () => {
  for (const { id, method } of FOR_OPERATORS) {
    const reads = method === 'get' || id === 'auditLedger';
    const allowed = reads ? ['read'] : ['act', 'approve'];
    expect(allowed, id).toContain(roleOf(id));
  }
});

describeOnEachStore('an operator', (open) => {
  it('gets 403 exactly from operations of a higher role', async () => {
    const { test } = await startOperated(await open());
    for (const [rank, role] of ROLES.entries()) {
      const { call } = await addOperator(test, role, role);
      for (const { id, method, path } of FOR_OPERATORS) {
        const needed = ranks.indexOf(roleOf(id));
        const { status, body } = await call(method.toUpperCase() as 'GET', path.replaceAll(/\{\w+\}/g, '1'));
        expect(status === 403, `${role} ${id}`).toBe(needed > rank);
        if (status === 403) expect(body.detail).toContain(`the role \`${roleOf(id)}\`, and ${role} has \`${role}\``);
      }
    }
  });

  it('says why with a change, which is recorded', async () => {
    const { test, operator } = await startOperated(await open());
    const path = `/management/merchants/${test.merchant.id}/signing-secrets/rotate`;
    await operator.call('POST', path, { reason: 'It has leaked' });
    await operator.call('POST', path);
    const { data } = (await operator.call('GET', '/management/changes')).body;
    expect(data.map((change: { reason?: string }) => change.reason)).toEqual([undefined, 'It has leaked']);
    expect((await operator.call('POST', path, { reason: '' })).status).toBe(400);
  });
});
