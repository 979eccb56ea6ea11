/** A rolling upgrade in short: one gateway of the release before, and one of this tree. rolling.long.test.ts goes both ways. */
import { expect, it } from 'vitest';
import { auditStore } from '../../../gateway/src/store/books/audit-books.ts';
import { migrate } from '../../../gateway/src/store/engine/migrate.ts';
import { postgresDatabase } from '../harness.ts';
import { addKey } from '../processes/gateways.ts';
import { BEFORE, expectAllThere, startLoad, startVersion, unpackBefore } from './rolling.ts';

it('no request fails while the schema is migrated and a gateway replaces one of the release before', async () => {
  const { address, connect } = await postgresDatabase();
  const store = connect({ max: 2 });
  await migrate(store, { upTo: BEFORE });
  const [key, before] = await Promise.all([addKey(store), unpackBefore()]);
  const former = await startVersion(address, before);
  const load = startLoad(key, 2);
  await load.add(former);
  await load.more(5);
  expect((await migrate(store)).length).toBeGreaterThan(0);
  await load.more(5);
  await load.add(await startVersion(address));
  await load.stop(former);
  await load.more(5);
  await load.end();
  expect(load.failures).toEqual([]);
  await expectAllThere(store, load.acknowledged);
  expect((await auditStore(store)).differences).toEqual([]);
});
