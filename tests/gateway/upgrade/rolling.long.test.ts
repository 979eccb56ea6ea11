/** A rolling upgrade and its way back on PostgreSQL, under load, with gateways of the release before and of this tree. */
import { expect, it } from 'vitest';
import { auditStore } from '../../../gateway/src/store/books/audit-books.ts';
import { migrate } from '../../../gateway/src/store/engine/migrate.ts';
import { commandsWith } from '../commands/run-command.ts';
import { postgresDatabase } from '../harness.ts';
import { addKey } from '../processes/gateways.ts';
import { BEFORE, expectAllThere, startLoad, startVersion, unpackBefore } from './rolling.ts';

/** Acknowledged writes between two changes. */
const WRITES = 150;

it('no request fails while two gateways are replaced one after the other, forward and back', {
  timeout: 300_000,
}, async () => {
  const { address, connect } = await postgresDatabase();
  const store = connect({ max: 2 });
  await migrate(store, { upTo: BEFORE });
  const [key, before] = await Promise.all([addKey(store), unpackBefore()]);
  const load = startLoad(key, 4);
  let running = [await startVersion(address, before), await startVersion(address, before)];
  for (const gateway of running) await load.add(gateway);
  await load.more(WRITES);
  const migrated = await commandsWith({ DATABASE_URL: address })('migrate');
  expect(migrated).toMatchObject({ code: 0, stdout: expect.stringContaining('applied') });
  for (const version of [undefined, before]) {
    const replaced = [];
    for (const gateway of running) {
      await load.more(WRITES);
      const next = await startVersion(address, version);
      await load.add(next);
      await load.more(WRITES);
      await load.stop(gateway);
      replaced.push(next);
    }
    running = replaced;
  }
  await load.more(WRITES);
  await load.end();
  expect(load.failures).toEqual([]);
  expect(load.acknowledged.length).toBeGreaterThan(9 * WRITES);
  await expectAllThere(store, load.acknowledged);
  expect((await auditStore(store)).differences).toEqual([]);
});
