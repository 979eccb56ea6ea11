/** The mode of a database, recorded by concurrent processes. */
import { expect, it } from 'vitest';
import { migrate } from '../../../gateway/src/database/migrate.ts';
import { readMode, requireMode } from '../../../gateway/src/merchants/mode.ts';
import { describeOnEachStore } from '../harness.ts';

const ROUNDS = 30;

describeOnEachStore('the mode of a database', (_open, database) => {
  it('is recorded by concurrent processes', async () => {
    const shared = await database();
    const stores = Array.from({ length: 4 }, () => shared.connect());
    const first = shared.connect();
    await migrate(first);
    for (let round = 0; round < ROUNDS; round++) {
      await Promise.all(stores.map((store) => store.unit((db) => requireMode(db, 'test'))));
      expect(await readMode(first.read)).toBe('test');
      await first.unit((db) => db.run('delete from database_mode'));
    }
  });
});
