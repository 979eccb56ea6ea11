/** The merchant of `payments-gateway sandbox`. */

import { expect, it } from 'vitest';
import { demoMerchant } from '../../../gateway/src/commands/demo.ts';
import { sandboxMethods } from '../../../gateway/src/domain/methods.ts';
import { readContract } from '../../../gateway/src/http/contract.ts';
import { postEntry, readWallets } from '../../../gateway/src/ledger/wallets.ts';
import { randomIds } from '../../../gateway/src/platform/ids.ts';
import { openTestSqlite } from '../harness.ts';

const LARGEST_PAYOUT = Math.max(...sandboxMethods.map(({ kind, limits }) => (kind === 'payout' ? limits.max : 0)));

it('the demo merchant has money for payouts in each currency, and is funded once', async () => {
  const store = await openTestSqlite();
  const { merchantId, ...access } = await demoMerchant(store);
  const funded = await readWallets(store.read, merchantId, 0);
  const currencies = readContract().bundle.components.schemas['Currency']?.enum;
  expect(funded.map(({ currency }) => currency)).toEqual([...(currencies ?? [])].sort());
  for (const { available } of funded) expect(available).toBeGreaterThan(LARGEST_PAYOUT);
  const posting = { id: randomIds.newId('led', 0), merchantId, currency: 'INR', transactionId: null, now: 0 };
  const amount = funded.find(({ currency }) => currency === 'INR')?.available ?? 0;
  await store.unit((db) => postEntry(db, { from: 'available', to: 'bank', amount, reason: 'paid_out' }, posting));
  expect(await demoMerchant(store)).toEqual({ merchantId, ...access });
  const after = await readWallets(store.read, merchantId, 0);
  expect(after.map(({ available }) => available)).toEqual(
    funded.map(({ currency, available }) => (currency === 'INR' ? 0 : available)),
  );
});
