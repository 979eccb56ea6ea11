/** The demo merchant of a gateway on a laptop: the same at every start, so that its key can be printed again. */

import { readSharedClock } from '../database/shared-clock.ts';
import type { Store } from '../database/store.ts';
import { readContract } from '../http/contract.ts';
import { createWallet, DEMO_FUNDS, postEntry } from '../ledger/wallets.ts';
import { DEMO_KEY, demoMerchantId, insertDemoKey } from '../merchants/api-keys.ts';
import { createConsoleLink } from '../merchants/console-access.ts';
import { createMerchant } from '../merchants/merchants.ts';
import { createSigningSecret, validSecrets } from '../merchants/signing-secrets.ts';
import { type Ids, randomIds } from '../platform/ids.ts';
import type { KeyRing } from '../platform/key-ring.ts';

const NAME = 'Demo Shop';

export interface Demo {
  readonly merchantId: number;
  readonly key: string;
  readonly secret: string;
}

/** Finds or creates the demo merchant. Its key is accepted only by a gateway with the policy `demo`. */
export async function demoMerchant(store: Store, secretKeys: KeyRing, ids: Ids = randomIds): Promise<Demo> {
  const now = (await readSharedClock(store)).now();
  return store.unit(async (db) => {
    const merchantId = (await demoMerchantId(db)) ?? (await createMerchant(db, NAME, now)).id;
    await insertDemoKey(db, merchantId, now);
    for (const currency of readContract().bundle.components.schemas['Currency']?.enum ?? []) {
      const id = ids.newId('led', now, 'demo', merchantId, String(currency));
      const posting = { id, merchantId, currency: String(currency), transactionId: null, now };
      // Once: what is paid out afterwards is gone.
      if (await createWallet(db, merchantId, posting.currency, now)) {
        await postEntry(db, { from: 'bank', to: 'available', amount: DEMO_FUNDS, reason: 'funded' }, posting);
      }
    }
    const [newest] = await validSecrets(db, merchantId, now, secretKeys);
    const secret = newest?.secret ?? (await createSigningSecret(db, merchantId, now, secretKeys, ids));
    return { merchantId, key: DEMO_KEY, secret };
  });
}

/** A link that opens the console of the demo merchant once; undefined if its key was revoked. */
export async function demoConsoleLink(store: Store, address: string): Promise<string | undefined> {
  const clock = await readSharedClock(store);
  const link = await store.unit((db) => createConsoleLink(db, { key: DEMO_KEY }, clock.now()));
  return link && `${address}/console/login/${link.token}`;
}
