/** Merchants without an account, one for each test run: made, emptied and deleted. */
import type { CreateMerchantRequest, Merchant, NewMerchant } from '../../../../generated/sandbox/types.ts';
import type { Store } from '../../database/store.ts';
import { requestKey } from '../../http/key-holders.ts';
import { ProblemError } from '../../http/problems.ts';
import { createWallet, DEMO_FUNDS, fundWallet, readWallets } from '../../ledger/wallets.ts';
import { createApiKey, demoMerchantId } from '../../merchants/api-keys.ts';
import { createMerchant as create, disableMerchant } from '../../merchants/merchants.ts';
import { createSigningSecret, expireReplacedSecrets } from '../../merchants/signing-secrets.ts';
import { timestamp } from '../../transactions/view.ts';
import { admitMerchant, NEVER_EXPIRES, requireSandboxKey } from '../admission.ts';
import type { SandboxCall, SandboxServices } from '../operation.ts';
import { deleteBatch, deleteMerchantRow, deleteRest } from '../store/merchant-deletion.ts';

const NAME = 'Test Shop';

export async function createMerchant(
  { store, clock, ids, bundle, secretKeys, merchantPolicy }: SandboxServices,
  { body, c }: SandboxCall<CreateMerchantRequest>,
): Promise<NewMerchant> {
  requireSandboxKey(merchantPolicy, requestKey(c));
  const now = clock.now();
  const { name = NAME, available = {} } = body;
  const currencies = bundle.components.schemas['Currency']?.enum ?? [];
  return store.unit(async (db) => {
    const expiresAt = await admitMerchant(db, merchantPolicy, now);
    const { id } = await create(db, name, now, expiresAt);
    for (const currency of currencies) {
      await createWallet(db, id, String(currency), now);
      const amount = available[String(currency)];
      if (amount === undefined) continue;
      const entry = ids.newId('led', now, 'opening', id, String(currency));
      await fundWallet(db, { id: entry, merchantId: id, currency: String(currency), now }, amount);
    }
    const { key } = await createApiKey(db, id, now, { live: false }, ids);
    const secret = await createSigningSecret(db, id, now, secretKeys, ids);
    return {
      ...{ merchant_id: id, name, key, secret },
      ...(expiresAt !== NEVER_EXPIRES && { expires_at: timestamp(expiresAt) }),
    };
  });
}

/** Deletes everything but the merchant, its keys and its secrets. The demo merchant gets its money again. */
export async function resetMerchant(services: SandboxServices, { merchant }: SandboxCall): Promise<Merchant> {
  const { store, sandboxState, clock, ids, wake, deliveries, requests } = services;
  const { id: merchantId, name, createdAt } = merchant;
  await deletePieces(store, merchantId);
  requests.forget(merchantId);
  const run = ids.count();
  const isDemo = merchantId === (await demoMerchantId(store.read));
  await sandboxState.change(merchantId, async (_settings, db) => {
    const now = clock.now();
    await deleteRest(db, merchantId);
    // A clock that was ahead would make some valid again.
    await expireReplacedSecrets(db, merchantId, now);
    for (const { currency } of isDemo ? await readWallets(db, merchantId) : []) {
      const id = ids.newId('led', now, 'reset', merchantId, currency, run);
      await fundWallet(db, { id, merchantId, currency, now }, DEMO_FUNDS);
    }
    return {};
  });
  deliveries.forgetKeys(merchantId);
  wake();
  return { id: merchantId, name, created_at: timestamp(createdAt) };
}

export async function deleteMerchant(services: SandboxServices, { merchant }: SandboxCall): Promise<undefined> {
  if (merchant.id === (await demoMerchantId(services.store.read))) {
    throw new ProblemError(
      'wrong-state',
      "The demo merchant can't be deleted. Reset it: POST /sandbox/merchant/reset.",
    );
  }
  await removeMerchant(services, merchant.id);
}

/** Deletes a merchant with all that belongs to it. Its keys are refused from the beginning on. */
export async function removeMerchant(services: SandboxServices, merchantId: number): Promise<void> {
  const { store, sandboxState, clock, deliveries, requests, followers, forgetMerchant } = services;
  await store.unit((db) => disableMerchant(db, merchantId, clock.now()));
  forgetMerchant(merchantId);
  followers.endMerchant(merchantId);
  await deletePieces(store, merchantId);
  requests.forget(merchantId);
  await sandboxState.delete(merchantId, async (db) => {
    await deleteRest(db, merchantId);
    await deleteMerchantRow(db, merchantId, clock.now());
  });
  deliveries.forgetKeys(merchantId);
}

async function deletePieces(store: Store, merchantId: number): Promise<void> {
  while (await store.unit((db) => deleteBatch(db, merchantId)));
}
