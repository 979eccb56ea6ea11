import { expect, it } from 'vitest';
import type { Store } from '../../../gateway/src/database/store.ts';
import { AMOUNT_MAX, addLargeEntries } from '../harness/books.ts';
import { startTestGateway, type TestGateway } from '../harness/gateway.ts';
import { describeOnEachDriver } from '../harness/stores.ts';

const AMOUNTS = [500, 300, 200, 100, 50];
/** Gives debits later ids than credits. */
const SORT_BY_REASON =
  "update ledger_entries set id = substr(id, 1, 14) || '9' || substr(id, 16) where reason = 'drained'";

/** Funds the wallet several times, a second apart. */
async function fundAll(test: TestGateway): Promise<void> {
  for (const amount of AMOUNTS) {
    expect((await test.call('POST', '/sandbox/wallets/INR/fund', { amount })).status).toBe(200);
    test.clock.advance(1_000);
  }
}

describeOnEachDriver('the ledger', (open) => {
  it('has the balance after each entry across pages, even while entries are added', async () => {
    const test = await startTestGateway({ store: await open(), sandbox: true });
    await fundAll(test);
    const seen: [number, string][] = [];
    let cursor = '';
    do {
      const { status, body } = await test.call(
        'GET',
        `/management/merchants/${test.merchant.id}/ledger?currency=INR&limit=2${cursor}`,
      );
      expect(status).toBe(200);
      for (const { amount, balance } of body.data) seen.push([amount, balance.available]);
      cursor = body.next_cursor && `&cursor=${body.next_cursor}`;
      await test.call('POST', '/sandbox/wallets/INR/fund', { amount: 7 });
    } while (cursor);
    expect(seen).toEqual([
      [50, '1150'],
      [100, '1100'],
      [200, '1000'],
      [300, '800'],
      [500, '500'],
    ]);
  });

  it('has exact balances above 2^53, across pages', async () => {
    const store = await open();
    const test = await startTestGateway({ store, sandbox: true });
    await addLargeEntries(store, test.merchant, 3);
    // Entries are listed by their ids. As if the debits came first, the balance rises to three amounts.
    await store.unit((db) => db.run(SORT_BY_REASON));
    const balances: string[] = [];
    let cursor = '';
    do {
      const { body } = await test.call(
        'GET',
        `/management/merchants/${test.merchant.id}/ledger?currency=INR&limit=2${cursor}`,
      );
      balances.push(...body.data.map((entry: { balance: { available: string } }) => entry.balance.available));
      cursor = body.next_cursor && `&cursor=${body.next_cursor}`;
    } while (cursor);
    const times = (count: number) => String(BigInt(count) * BigInt(AMOUNT_MAX));
    expect(balances).toEqual([times(0), times(1), times(2), times(3), times(2), times(1)]);
  });

  it('lists entries of one currency and one merchant', async () => {
    const test = await startTestGateway({ store: await open(), sandbox: true });
    await fundAll(test);
    const other = await test.addMerchant('Other');
    expect((await test.call('GET', `/management/merchants/${test.merchant.id}/ledger?currency=EGP`)).body).toEqual({
      data: [],
    });
    expect((await other.call('GET', `/management/merchants/${other.merchant.id}/ledger?currency=INR`)).body).toEqual({
      data: [],
    });
  });

  it.each(['1', 'led_0.1.2.3', 'led_01KJPWD6M0PQJPQ47J6N04RQ3R'])('refuses the cursor %s', async (cursor) => {
    const test = await startTestGateway({ store: await open(), sandbox: true });
    expect(
      (await test.call('GET', `/management/merchants/${test.merchant.id}/ledger?currency=INR&cursor=${cursor}`)).status,
    ).toBe(400);
  });
});

/** A store whose snapshots wait for releases, one after the other. Counts concurrent ones. */
function delaySnapshots(store: Store) {
  const releases: (() => void)[] = [];
  let running = 0;
  let most = 0;
  const snapshot: Store['snapshot'] = async (work) => {
    most = Math.max(most, ++running);
    await new Promise<void>((resolve) => releases.push(resolve));
    return store.snapshot(work).finally(() => running--);
  };
  const release = async () => {
    await expect.poll(() => releases.length).toBeGreaterThan(0);
    releases.shift()?.();
  };
  return { store: { ...store, snapshot }, release, most: () => most };
}

describeOnEachDriver('an audit', (open) => {
  it('waits for audits of other merchants, and is refused while another audit of its merchant is in progress', async () => {
    const { store, release, most } = delaySnapshots(await open());
    const test = await startTestGateway({ store, sandbox: true });
    const other = await test.addMerchant('Other');
    const audit = ({ call, merchant }: typeof test | typeof other) =>
      call('POST', `/management/merchants/${merchant.id}/audit`);
    const first = audit(test);
    await expect.poll(most).toBe(1);
    const others = [audit(other), audit(other)];
    for (const refused of [await audit(test), await Promise.race(others)]) {
      expect(refused.status).toBe(429);
      expect(refused.headers['retry-after']).toBe('1');
      expect(refused.body.detail).toBe(
        'An audit of this merchant is in progress. Retry after the number of seconds in `Retry-After`.',
      );
    }
    await release();
    expect((await first).status).toBe(200);
    await release();
    expect((await Promise.all(others)).map(({ status }) => status).sort()).toEqual([200, 429]);
    expect(most()).toBe(1);
    const again = audit(test);
    await release();
    expect((await again).status).toBe(200);
  });

  it("counts the merchant's entries, and finds their differences", async () => {
    const test = await startTestGateway({ store: await open(), sandbox: true });
    const other = await test.addMerchant('Other');
    await fundAll(test);
    expect((await test.call('POST', `/management/merchants/${test.merchant.id}/audit`)).body).toEqual({
      ok: true,
      entries: AMOUNTS.length,
      transactions: 0,
      findings: [],
    });
    const change = 'update wallets set available = available + 1 where merchant_id = ?';
    await test.gateway.store.unit((db) => db.run(change, test.merchant.id));
    const { body } = await test.call('POST', `/management/merchants/${test.merchant.id}/audit`);
    expect(body).toMatchObject({ ok: false, findings: [expect.stringContaining('available is 1151')] });
    expect((await other.call('POST', `/management/merchants/${other.merchant.id}/audit`)).body).toMatchObject({
      ok: true,
      entries: 0,
    });
  });
});
