import type { Balance } from '../../../generated/types.ts';
import { walletsOf } from './wallets.ts';
import { timestamp } from '../transactions/view.ts';
import type { Call, Services } from '../transactions/services.ts';

/** Returns the wallet's settlement balance (source 4.5). Money held for pending payouts is in neither figure. */
export async function getBalance({ store }: Services, { merchant }: Call): Promise<Balance> {
  const wallets = await walletsOf(store.read, merchant.id);
  return {
    merchant_id: merchant.id,
    balances: wallets.map(({ available, pending, currency }) => ({
      available,
      pending,
      currency: currency as Balance['balances'][number]['currency'],
    })),
    last_updated_at: timestamp(Math.max(merchant.createdAt, ...wallets.map(({ updatedAt }) => updatedAt))),
  };
}
