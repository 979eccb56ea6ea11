/** Merchants without an account, one for each test run: made, emptied and deleted. */
import { setTimeout as pause } from 'node:timers/promises';
import type { CreateMerchantRequest, Merchant, NewMerchant } from '../../../../generated/sandbox/types.ts';
import { ProblemError } from '../../contract/problems.ts';
import { timestamp } from '../../contract/view.ts';
import { REMEMBERED_MS } from '../../http/auth.ts';
import { createApiKey, demoMerchantId } from '../../store/api-keys.ts';
import { deleteMerchantRow, deletePiece, deleteRest } from '../../store/merchant-deletion.ts';
import { createMerchant as create, disableMerchant } from '../../store/merchants.ts';
import { createSigningSecret, expireReplacedSecrets } from '../../store/signing-secrets.ts';
import type { Store } from '../../store/store.ts';
import { createWallet, DEMO_FUNDS, fundWallet, walletsOf } from '../../store/wallets.ts';
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

/** Deletes everything but the merchant, its keys and its secrets. The demo merchant gets its money again. */
export async function resetMerchant(services: SandboxServices, call: SandboxCall): Promise<Merchant> {
  const { store, world, clock, ids, wake, deliveries, requests } = services;
  const { id: merchantId } = call.merchant;
  await deletePieces(store, merchantId);
  requests.forget(merchantId);
  const run = ids.count();
  const isDemo = merchantId === (await demoMerchantId(store.read));
  await world.change(merchantId, async (_settings, db) => {
    const now = clock.now();
    await deleteRest(db, merchantId);
    // By a clock that was ahead, some would be valid again.
    await expireReplacedSecrets(db, merchantId, now);
    for (const { currency } of isDemo ? await walletsOf(db, merchantId) : []) {
      const id = ids.newId('led', now, 'reset', merchantId, currency, run);
      await fundWallet(db, { id, merchantId, currency, now }, DEMO_FUNDS);
    }
    return {};
  });
  deliveries.forgetKeys(merchantId);
  wake();
  return getMerchant(services, call);
}

export async function deleteMerchant(
  { store, world, clock, deliveries, requests, changes, forgetMerchant }: SandboxServices,
  { merchant: { id: merchantId } }: SandboxCall,
): Promise<undefined> {
  if (merchantId === (await demoMerchantId(store.read))) {
    throw new ProblemError(
      'wrong-state',
      "The demo merchant can't be deleted. Reset it: POST /sandbox/merchant/reset.",
    );
  }
  await store.unit((db) => disableMerchant(db, merchantId, clock.now()));
  forgetMerchant(merchantId);
  // Other processes may take its keys as valid for a moment.
  const refused = store.kind === 'postgres' ? pause(REMEMBERED_MS) : undefined;
  await deletePieces(store, merchantId);
  await refused;
  requests.forget(merchantId);
  await store.unit(async (db) => {
    await deleteRest(db, merchantId);
    await deleteMerchantRow(db, merchantId, clock.now());
  });
  world.forget(merchantId);
  changes.end(merchantId);
  deliveries.forgetKeys(merchantId);
}

async function deletePieces(store: Store, merchantId: number): Promise<void> {
  while (await store.unit((db) => deletePiece(db, merchantId)));
}

export async function getMerchant(_services: SandboxServices, { merchant }: SandboxCall): Promise<Merchant> {
  return { id: merchant.id, name: merchant.name, created_at: timestamp(merchant.createdAt) };
}
