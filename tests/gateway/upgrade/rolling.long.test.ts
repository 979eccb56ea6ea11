/** A rolling upgrade and its rollback on PostgreSQL, under load, with gateways of this version and of the next one. */
import { expect, it } from 'vitest';
import { migrate } from '../../../gateway/src/database/migrate.ts';
import { auditStore } from '../../../gateway/src/management/audit.ts';
import { run } from '../../../scripts/tools/process.ts';
import { postgresDatabase } from '../harness.ts';
import { addKey } from '../processes/gateways.ts';
import { copyAsNextVersion, expectAllThere, startLoad, startVersion } from './rolling.ts';

/** Acknowledged writes between two changes. */
const WRITES = 150;

it('two gateways serve all requests while replaced one after the other, forward and back', {
  timeout: 300_000,
}, async () => {
  const { address, connect } = await postgresDatabase();
  const store = connect({ max: 2 });
  await migrate(store);
  const [key, next] = await Promise.all([addKey(store), copyAsNextVersion()]);
  const load = startLoad(key, 4);
  let running = [await startVersion(address), await startVersion(address)];
  for (const gateway of running) await load.add(gateway);
  await load.more(WRITES);
  const migrated = await run(process.execPath, [next, 'migrate'], { env: { DATABASE_URL: address } });
  expect(migrated.stdout).toContain('applied');
  for (const version of [next, undefined]) {
    const replaced = [];
    for (const gateway of running) {
      await load.more(WRITES);
      const successor = await startVersion(address, version);
      await load.add(successor);
      await load.more(WRITES);
      await load.stop(gateway);
      replaced.push(successor);
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
