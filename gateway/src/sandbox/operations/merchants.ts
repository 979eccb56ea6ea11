/** Merchants without an account: one for each test run. */
import type { CreateMerchantRequest, Merchant, NewMerchant } from '../../../../generated/sandbox/types.ts';
import { timestamp } from '../../contract/view.ts';
import { createApiKey } from '../../store/api-keys.ts';
import { createMerchant as create } from '../../store/merchants.ts';
import { createSigningSecret } from '../../store/signing-secrets.ts';
import { createWallet, fundWallet } from '../../store/wallets.ts';
import type { SandboxCall, SandboxServices } from '../operation.ts';

const NAME = 'Test Shop';

export async function createMerchant(
  { store, clock, ids, bundle, secretKeys }: SandboxServices,
  { body }: SandboxCall<CreateMerchantRequest>,
): Promise<NewMerchant> {
  const now = clock.now();
  const { name = NAME, available = {} } = body;
  const currencies = bundle.components.schemas['Currency']?.enum ?? [];
  return store.unit(async (db) => {
    const { id } = await create(db, name, now);
    for (const currency of currencies) {
      await createWallet(db, id, String(currency), now);
      const amount = available[String(currency)];
      if (amount === undefined) continue;
      const entry = ids.newId('led', now, 'opening', id, String(currency));
      await fundWallet(db, { id: entry, merchantId: id, currency: String(currency), now }, amount);
    }
    const { key } = await createApiKey(db, id, now, { live: false }, ids);
    return { merchant_id: id, name, key, secret: await createSigningSecret(db, id, now, secretKeys, ids) };
  });
}

export async function getMerchant(_services: SandboxServices, { merchant }: SandboxCall): Promise<Merchant> {
  return { id: merchant.id, name: merchant.name, created_at: timestamp(merchant.createdAt) };
}
