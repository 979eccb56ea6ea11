/** Sums of amounts in SQL, beyond the range of a number or a database integer. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { exactSum, readSum } from '../../../gateway/src/database/sql.ts';
import type { Store } from '../../../gateway/src/database/store.ts';
import { AMOUNT_MAX } from '../harness/books.ts';
import { describeOnEachDriver } from '../harness.ts';

/** Sums amounts in the database, each counted `times` times. */
async function sum({ read }: Store, amounts: readonly number[], times: number): Promise<bigint> {
  const rows = amounts.map(() => 'select cast(? as bigint) as amount').join(' union all ');
  const row = await read.get(
    `with recursive amounts as (${rows || 'select 1 as amount where 1 = 0'}),
       numbers (n) as (select 1 union all select n + 1 from numbers where n < cast(? as bigint))
     select ${exactSum('amount', 'total')} from amounts cross join numbers`,
    ...[...amounts, times],
  );
  return readSum(row ?? {}, 'total');
}

describeOnEachDriver('an exact sum', (open) => {
  it('equals the sum of bigints', async () => {
    const store = await open();
    const amount = fc.oneof(
      fc.maxSafeInteger(),
      fc.constantFrom(AMOUNT_MAX, -AMOUNT_MAX, 2 ** 32, 2 ** 32 - 1, -(2 ** 32), -1, 0),
    );
    const property = fc.asyncProperty(fc.array(amount, { maxLength: 5 }), async (amounts) => {
      expect(await sum(store, amounts, 1)).toBe(amounts.reduce((total, one) => total + BigInt(one), 0n));
    });
    await fc.assert(property, { numRuns: 30 });
  });

  it.each([AMOUNT_MAX, -AMOUNT_MAX])('is exact above 2^63, of %d', async (amount) => {
    expect(await sum(await open(), [amount], 5_000)).toBe(5_000n * BigInt(amount));
  });
});

describeOnEachDriver('an integer that a number cannot represent', (open) => {
  it('is refused by a read instead of rounded', async () => {
    const { read } = await open();
    const query = 'select cast(9007199254740993 as bigint) as amount';
    await expect(read.get(query)).rejects.toThrow(/9007199254740993/);
    await expect(read.all(query)).rejects.toThrow(/9007199254740993/);
    expect(await read.get('select cast(9007199254740991 as bigint) as amount')).toEqual({ amount: AMOUNT_MAX });
  });
});
