import type { Balance } from '../../../generated/types.ts';
import type { Store } from '../database/store.ts';
import type { Call } from '../http/call.ts';
import { readWallets } from './wallets.ts';

/** Returns the wallet's settlement balance (source 4.5). Money held for pending payouts is in neither figure. */
export async function getBalance({ store }: { readonly store: Store }, { merchant }: Call): Promise<Balance> {
  const wallets = await readWallets(store.read, merchant.id);
  return {
    merchant_id: merchant.id,
    balances: wallets.map(({ available, pending, currency }) => ({
      available,
      pending,
      currency: currency as Balance['balances'][number]['currency'],
    })),
    last_updated_at: new Date(Math.max(merchant.createdAt, ...wallets.map(({ updatedAt }) => updatedAt))).toISOString(),
  };
}
