/** Late results of workers for a payout already sent to its channel. */

import { describe, expect, it } from 'vitest';
import { type Channel, ChannelUnavailable } from '../../../gateway/src/channels/channel.ts';
import type { Store } from '../../../gateway/src/database/store.ts';
import { sandboxMethods } from '../../../gateway/src/domain/methods.ts';
import { readWallets } from '../../../gateway/src/ledger/wallets.ts';
import type { Merchant } from '../../../gateway/src/merchants/merchants.ts';
import { randomIds } from '../../../gateway/src/platform/ids.ts';
import { storeTime } from '../../../gateway/src/platform/merchant-time.ts';
import { advanceTransaction } from '../../../gateway/src/transactions/advance.ts';
import {
  type ClaimedTransaction,
  claimDueTransactions,
  transactionById,
} from '../../../gateway/src/transactions/rows.ts';
import { ManualClock } from '../../tools/manual-clock.ts';
import { addMerchant, fund, openTestPayout, recordStep, START } from '../harness/fixtures.ts';
import { createTestChannels, openTestSqlite } from '../harness.ts';

const AMOUNT = 60_000;
const LEASE_MS = 8_000;
const MINUTE_MS = 60_000;

async function addPayout(store: Store, merchant: Merchant): Promise<string> {
  await fund(store, merchant, AMOUNT);
  return store.unit(async (db) => {
    const step = await openTestPayout(db, merchant.id, { amount: AMOUNT });
    await recordStep(db, step, { ids: randomIds, webhook: undefined });
    return step.transaction.id;
  });
}

describe('a payout already sent to its channel', () => {
  async function createSentPayout() {
    const store = await openTestSqlite();
    const clock = new ManualClock(START);
    const merchant = await addMerchant(store);
    const id = await addPayout(store, merchant);
    const claim = async () => {
      const now = clock.now();
      const [claimed] = await store.unit((db) => claimDueTransactions(db, now, now + LEASE_MS, 1));
      return claimed as ClaimedTransaction;
    };
    const work = (claimed: ClaimedTransaction, payOut: Channel['payOut']) =>
      advanceTransaction(
        {
          store,
          clock,
          time: storeTime(clock),
          methods: sandboxMethods,
          ids: randomIds,
          channels: createTestChannels({ payOut }),
          report: () => undefined,
        },
        claimed.read(),
        claimed.claimedUntil,
      );
    const outcome = async () => {
      const [wallet] = await readWallets(store.read, merchant.id, clock.now());
      return { status: (await transactionById(store.read, merchant.id, 'payout', id))?.status, ...wallet };
    };
    return { store, clock, claim, work, outcome };
  }

  it('is asked about again, even after a change of the rules', async () => {
    const { store, clock, claim, work, outcome } = await createSentPayout();
    await work(await claim(), async (_payout, now) => ({ askAgainAt: now + MINUTE_MS }));
    // As in a release without the method.
    await store.unit((db) => db.run(`update transactions set state = replace(state, '"IMPS_IN"', '"IMPS_OLD"')`));
    clock.advance(MINUTE_MS);
    await work(await claim(), async () => ({ event: { type: 'succeeded' } }));
    expect(await outcome()).toMatchObject({ status: 'SUCCESS', available: 0, reserved: 0 });
  });

  it('is not declined by a paused worker whose lease has expired', async () => {
    const { clock, claim, work, outcome } = await createSentPayout();
    let other: ClaimedTransaction | undefined;
    const late = await work(await claim(), async () => {
      clock.advance(MINUTE_MS);
      other = await claim();
      throw new ChannelUnavailable('CHANNEL_DOWN');
    });
    expect(late).toBeUndefined();
    expect(await outcome()).toMatchObject({ status: 'PROCESSING', available: 0, reserved: AMOUNT });
    await work(other as ClaimedTransaction, async () => ({ event: { type: 'succeeded' } }));
    expect(await outcome()).toMatchObject({ status: 'SUCCESS', available: 0, reserved: 0 });
  });
});
