/** The operators' audit log, and the log line of each change. */
import { expect, it } from 'vitest';
import { NO_LOG } from '../../../gateway/src/platform/log.ts';
import { addOperator } from '../harness/operators.ts';
import { describeOnEachStore } from '../harness/stores.ts';
import { startOperated } from './operator.ts';

/** A log that keeps the lines of changes. */
function changeLog() {
  const lines: object[] = [];
  const log = {
    ...NO_LOG,
    info: (fields: object, message: string) => message === 'operator change' && lines.push(fields),
  };
  return { log, lines };
}

describeOnEachStore('the record of changes', (open) => {
  it('says who changed what and when, page by page, and the log has a line for each', async () => {
    const { log, lines } = changeLog();
    const { test, operator } = await startOperated(await open(), { log });
    const lee = await addOperator(test, 'Lee');
    const path = `/management/merchants/${test.merchant.id}/signing-secrets/rotate`;
    const secrets: string[] = [];
    for (const { call } of [operator, lee, operator]) {
      secrets.push((await call('POST', path)).body.secret);
      test.clock.advance(1_000);
    }
    await operator.call('POST', `/management/merchants/${test.merchant.id}/signing-secrets/sec_unknown/revoke`);
    const first = (await operator.call('GET', '/management/changes?limit=2')).body;
    const second = (await operator.call('GET', `/management/changes?limit=2&cursor=${first.next_cursor}`)).body;
    const changes = [...first.data, ...second.data];
    expect(changes.map((change) => change.operator)).toEqual([operator.name, 'Lee', operator.name]);
    expect(second).not.toHaveProperty('next_cursor');
    expect(lines).toEqual(
      changes.toReversed().map(({ operator_id, operator: name, action, merchant_id, subject }) => ({
        ...{ request_id: expect.stringMatching(/^req_/), operator_id, operator: name, action, merchant_id, subject },
      })),
    );
    for (const secret of secrets) expect(JSON.stringify([changes, lines])).not.toContain(secret);
  });

  it('contains no change that failed, and neither does the log', async () => {
    const { log, lines } = changeLog();
    const { test, operator, decline } = await startOperated(await open(), { log });
    await decline();
    const { store } = test.gateway;
    const [{ id }] = (await operator.call('GET', '/management/events')).body.data;
    await store.unit((db) => db.run('drop table operator_changes'));
    expect((await operator.call('POST', `/management/events/${id}/resend`)).status).toBe(500);
    expect(await store.read.all('select id from events where resend_of is not null')).toEqual([]);
    expect(lines).toEqual([]);
  });
});
