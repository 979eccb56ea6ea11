/** The demo merchant of a gateway on a laptop: the same at every start, so that its key can be printed again. */

import { readContract } from '../contract/contract.ts';
import { createMerchant, createSigningSecret, insertApiKey, merchantByKey, validSecrets } from '../store/merchants.ts';
import type { Store } from '../store/store.ts';
import { createWallet } from '../store/wallets.ts';

const NAME = 'Demo Shop';
/** Not a secret: it opens nothing but the sandbox on the machine that it runs on. */
const KEY = 'sk_test_demo_0123456789abcdefghijklmnopqrstuv';

export interface Demo {
  readonly merchantId: number;
  readonly key: string;
  readonly secret: string;
}

/** Finds or creates the demo merchant. */
export async function demoMerchant(store: Store): Promise<Demo> {
  const now = Date.now();
  return store.unit(async (db) => {
    const merchant = (await merchantByKey(db, KEY)) ?? (await createMerchant(db, NAME, now));
    await insertApiKey(db, { id: 'key_demo', merchantId: merchant.id, key: KEY, now });
    for (const currency of readContract().bundle.components.schemas['Currency']?.enum ?? []) {
      await createWallet(db, merchant.id, String(currency), now);
    }
    const [newest] = await validSecrets(db, merchant.id, now);
    return {
      merchantId: merchant.id,
      key: KEY,
      secret: newest?.secret ?? (await createSigningSecret(db, merchant.id, now)),
    };
  });
}
