import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openSqlite } from '../../../gateway/src/database/sqlite/sqlite-store.ts';
import { problemType } from '../../tools/problems.ts';
import { paymentRequest } from '../harness/fixtures.ts';
import { afterwards, temporaryFolder } from '../harness.ts';
import { addKey, startProcess } from './gateways.ts';

const TIME = 60_000;

it(
  'a gateway ends after SIGTERM, once it has responded to the requests in flight',
  async () => {
    const file = join(await temporaryFolder(), 'gateway.db');
    const gateway = await startProcess({ DATABASE_URL: '', DATABASE_FILE: file });
    const store = openSqlite(file);
    afterwards(() => store.close());
    const key = await addKey(store);
    const calls = Array.from({ length: 50 }, () => gateway.call('POST', '/payments', key, paymentRequest()));
    const all = Promise.allSettled(calls);
    await Promise.race(calls);
    expect(await gateway.end('SIGTERM')).toBe(0);
    const made = (await all).flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    const created = made.filter(({ status }) => status === 200).map(({ body }) => body.transaction_id);
    const refused = made.filter(({ status }) => status !== 200);
    expect(refused.map(({ body }) => body.type)).toEqual(refused.map(() => problemType('unavailable')));
    const stored = (await store.read.all('select id from transactions')).map(({ id }) => id);
    expect(stored).toEqual(expect.arrayContaining(created));
  },
  TIME,
);
