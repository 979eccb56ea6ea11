/** The commands about merchants: their keys, secrets and wallets. */

import { UserError } from '../../../contract/src/cli.ts';
import type { Currency } from '../../../generated/types.ts';
import type { Store } from '../database/store.ts';
import { readContract } from '../http/contract.ts';
import { createWallet, fundWallet } from '../ledger/wallets.ts';
import { createApiKey, type KeyPolicy, listApiKeys, revokeApiKey } from '../merchants/api-keys.ts';
import {
  createMerchant,
  disableMerchant,
  enableMerchant,
  type Merchant,
  merchantById,
} from '../merchants/merchants.ts';
import { createSigningSecret } from '../merchants/signing-secrets.ts';
import { randomIds } from '../platform/ids.ts';
import type { KeyRing } from '../platform/key-ring.ts';
import { type Author, recordIf } from './command-services.ts';

/** Adds a merchant with a key, a signing secret and the wallets. Prints the key once: only its hash is kept. */
export async function createMerchantCommand(
  store: Store,
  name: string,
  currencies: readonly string[],
  { live, secretKeys }: Pick<KeyPolicy, 'live'> & { secretKeys: KeyRing },
  { record, clock }: Author,
): Promise<string> {
  const now = clock.now();
  return store.unit(async (db) => {
    const merchant = await createMerchant(db, name, now);
    const { id, key } = await createApiKey(db, merchant.id, now, { live });
    const secret = await createSigningSecret(db, merchant.id, now, secretKeys);
    for (const currency of currencies) await createWallet(db, merchant.id, requireCurrency(currency), now);
    await record(db, { merchantId: merchant.id });
    return [
      `merchant        ${merchant.id}  ${name}`,
      `API key         ${key}  (${id}, shown only now)`,
      `signing secret  ${secret}`,
    ].join('\n');
  });
}

/** Adds a key; the others stay valid. */
export async function createKeyCommand(
  store: Store,
  merchantId: string,
  policy: Pick<KeyPolicy, 'live'>,
  { record, clock }: Author,
): Promise<string> {
  const merchant = await requireMerchant(store, merchantId);
  const { id, key } = await store.unit(async (db) => {
    const created = await createApiKey(db, merchant.id, clock.now(), policy);
    await record(db, { merchantId: merchant.id, subject: created.id });
    return created;
  });
  return `API key  ${key}  (${id}, shown only now)`;
}

/** Lists the keys, without the keys themselves. */
export async function listKeysCommand(store: Store, merchantId: string): Promise<string> {
  const merchant = await requireMerchant(store, merchantId);
  const keys = await listApiKeys(store.read, merchant.id);
  return keys
    .map(
      ({ id, hint, createdAt, revoked }) =>
        `${id}  ${hint}  ${new Date(createdAt).toISOString()}${revoked ? '  revoked' : ''}`,
    )
    .join('\n');
}

/** Ends a key; it is refused from within a second on. */
export async function revokeKeyCommand(
  store: Store,
  merchantId: string,
  keyId: string,
  { record, clock }: Author,
): Promise<string> {
  const merchant = await requireMerchant(store, merchantId);
  const revoked = await store.unit((db) =>
    recordIf(revokeApiKey(db, merchant.id, keyId, clock.now()), () =>
      record(db, { merchantId: merchant.id, subject: keyId }),
    ),
  );
  if (!revoked)
    throw new UserError(
      `Merchant ${merchant.id} has no valid key ${keyId}.\nTry: payments-gateway key list ${merchant.id}`,
    );
  return `revoked ${keyId}`;
}

/** Rejects the merchant's API keys within a second. Open transactions continue. */
export async function disableMerchantCommand(
  store: Store,
  merchantId: string,
  { record, clock }: Author,
): Promise<string> {
  const merchant = await requireMerchant(store, merchantId);
  const disabled = await store.unit((db) =>
    recordIf(disableMerchant(db, merchant.id, clock.now()), () => record(db, { merchantId: merchant.id })),
  );
  if (!disabled) throw new UserError(`Merchant ${merchant.id} is already disabled.`);
  return `disabled merchant ${merchant.id}: its API keys get 401. Its transactions and webhooks continue.`;
}

/** Accepts the merchant's API keys again. */
export async function enableMerchantCommand(store: Store, merchantId: string, { record }: Author): Promise<string> {
  const merchant = await requireMerchant(store, merchantId);
  const enabled = await store.unit((db) =>
    recordIf(enableMerchant(db, merchant.id), () => record(db, { merchantId: merchant.id })),
  );
  if (!enabled) throw new UserError(`Merchant ${merchant.id} is not disabled.`);
  return `enabled merchant ${merchant.id}: its API keys are accepted again, except those that were revoked`;
}

/** Puts money into a wallet from outside. */
export async function fundCommand(
  store: Store,
  merchantId: string,
  amountText: string,
  currencyText: string,
  { record, clock }: Author,
): Promise<string> {
  const merchant = await requireMerchant(store, merchantId);
  const currency = requireCurrency(currencyText);
  const amount = Number(amountText);
  if (!/^[1-9]\d*$/.test(amountText) || !Number.isSafeInteger(amount)) {
    throw new UserError(
      `The amount is '${amountText}'. It must be an integer of minor units from 1 to ${Number.MAX_SAFE_INTEGER}.`,
      2,
    );
  }
  const now = clock.now();
  const posting = { id: randomIds.newId('led', now), merchantId: merchant.id, currency, now };
  const room = await store.unit(async (db) => {
    const full = await fundWallet(db, posting, amount);
    if (full === undefined) await record(db, { merchantId: merchant.id, subject: posting.id });
    return full;
  });
  if (room !== undefined) {
    throw new UserError(
      `The ${currency} wallet of merchant ${merchant.id} can't hold ${amount} more. The amount must be at most ${room}.`,
    );
  }
  return `funded merchant ${merchant.id} with ${amount} ${currency} (minor units)`;
}

/** The merchant of this number. Throws a UserError when there is none. */
export async function requireMerchant(store: Store, id: string): Promise<Merchant> {
  const merchant = /^\d{1,15}$/.test(id) ? await merchantById(store.read, Number(id)) : undefined;
  if (!merchant) throw new UserError(`Merchant not found: ${id}.\nTry: payments-gateway merchant list`);
  return merchant;
}

function requireCurrency(text: string): Currency {
  const known = (readContract().bundle.components.schemas['Currency']?.enum ?? []) as string[];
  if (!known.includes(text))
    throw new UserError(`The currency is '${text}'. It must be one of ${known.join(', ')}.`, 2);
  return text as Currency;
}
