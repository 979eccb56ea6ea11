import { expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../harness/gateway.ts';
import { describeOnEachStore } from '../harness/stores.ts';

const AMOUNTS = [500, 300, 200, 100, 50];

/** Funds the wallet several times, a second apart. */
async function fundAll(test: TestGateway): Promise<void> {
  for (const amount of AMOUNTS) {
    expect((await test.call('POST', '/sandbox/wallets/INR/fund', { amount })).status).toBe(200);
    test.clock.advance(1_000);
  }
}

describeOnEachStore('the ledger', (open) => {
  it('has the balance after each entry, over its pages, also while entries are added', async () => {
    const test = await startTestGateway({ store: await open(), sandbox: true });
    await fundAll(test);
    const seen: [number, number][] = [];
    let cursor = '';
    do {
      const { status, body } = await test.call('GET', `/sandbox/ledger?currency=INR&limit=2${cursor}`);
      expect(status).toBe(200);
      for (const { amount, balance } of body.data) seen.push([amount, balance.available]);
      cursor = body.next_cursor && `&cursor=${body.next_cursor}`;
      await test.call('POST', '/sandbox/wallets/INR/fund', { amount: 7 });
    } while (cursor);
    expect(seen).toEqual([
      [50, 1_150],
      [100, 1_100],
      [200, 1_000],
      [300, 800],
      [500, 500],
    ]);
  });

  it('is that of one currency and of one merchant', async () => {
    const test = await startTestGateway({ store: await open(), sandbox: true });
    await fundAll(test);
    const other = await test.addMerchant('Other');
    expect((await test.call('GET', '/sandbox/ledger?currency=EGP')).body).toEqual({ data: [] });
    expect((await other.call('GET', '/sandbox/ledger?currency=INR')).body).toEqual({ data: [] });
  });

  it.each(['1', 'led_0.1.2.3', 'led_01KJPWD6M0PQJPQ47J6N04RQ3R'])('refuses the cursor %s', async (cursor) => {
    const test = await startTestGateway({ store: await open(), sandbox: true });
    expect((await test.call('GET', `/sandbox/ledger?currency=INR&cursor=${cursor}`)).status).toBe(400);
  });
});

describeOnEachStore('an audit', (open) => {
  it("counts the merchant's own entries, and finds what differs in them", async () => {
    const test = await startTestGateway({ store: await open(), sandbox: true });
    const other = await test.addMerchant('Other');
    await fundAll(test);
    expect((await test.call('POST', '/sandbox/audit')).body).toEqual({
      ok: true,
      entries: AMOUNTS.length,
      transactions: 0,
      findings: [],
    });
    const change = 'update wallets set available = available + 1 where merchant_id = ?';
    await test.gateway.store.unit((db) => db.run(change, test.merchant.id));
    const { body } = await test.call('POST', '/sandbox/audit');
    expect(body).toMatchObject({ ok: false, findings: [expect.stringContaining('available is 1151')] });
    expect((await other.call('POST', '/sandbox/audit')).body).toMatchObject({ ok: true, entries: 0 });
  });
});
