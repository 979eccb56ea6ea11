/**
 * A rolling upgrade in short: one gateway of this version, and one of the next. rolling.long.test.ts goes both ways.
 */
import { expect, it } from 'vitest';
import { knownVersion, migrate, readSchemaVersion } from '../../../gateway/src/database/migrate.ts';
import { auditStore } from '../../../gateway/src/management/audit.ts';
import { run } from '../../../scripts/tools/process.ts';
import { postgresDatabase } from '../harness.ts';
import { addKey } from '../processes/gateways.ts';
import { copyAsNextVersion, expectAllThere, startLoad, startVersion } from './rolling.ts';

it('gateways serve all requests while the schema is migrated and the next version replaces one of them', async () => {
  const { address, connect } = await postgresDatabase();
  const store = connect({ max: 2 });
  await migrate(store);
  const [key, next] = await Promise.all([addKey(store), copyAsNextVersion()]);
  const former = await startVersion(address);
  const load = startLoad(key, 2);
  await load.add(former);
  await load.more(5);
  const command = (name: string) =>
    run(process.execPath, [next, name], { allowFailure: true, env: { DATABASE_URL: address } });
  const known = knownVersion(store);
  const refusal = `the schema is at version ${known}, and this payments-gateway needs version ${known + 2}.
Make a backup, then run: payments-gateway migrate`;
  expect(await command('audit')).toMatchObject({ code: 1, stderr: expect.stringContaining(refusal) });
  expect((await command('migrate')).stdout).toMatch(/^applied 900-notes\napplied 901-notes\n/);
  expect(await readSchemaVersion(store)).toBe(known + 2);
  await load.more(5);
  await load.add(await startVersion(address, next));
  await load.stop(former);
  await load.more(5);
  await load.end();
  expect(load.failures).toEqual([]);
  await expectAllThere(store, load.acknowledged);
  expect((await auditStore(store)).differences).toEqual([]);
});
