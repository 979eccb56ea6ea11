/** Tests reuse databases, which are emptied in between. */
import { expect, it } from 'vitest';
import { createMerchant, listMerchants } from '../../../gateway/src/merchants/merchants.ts';
import { describeOnEachStore } from '../harness.ts';
import { START } from './fixtures.ts';

describeOnEachStore('a store of a test', (open) => {
  it.each(['first', 'second'])('has no rows of the previous test (%s)', async () => {
    const store = await open();
    expect(await listMerchants(store.read, 0, 10)).toEqual([]);
    const { id } = await store.unit((db) => createMerchant(db, 'Shop', START));
    expect(id, 'numbers begin again').toBe(10_001);
  });

  it.each(['first', 'second'])('has no column added by the previous test (%s)', async () => {
    const store = await open();
    await store.unit((db) => db.run('alter table merchants add column note text'));
    await expect(store.read.all('select note from merchants')).resolves.toEqual([]);
  });
});
