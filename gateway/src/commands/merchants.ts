/** The command that funds a wallet. */

import { parseArgument, parseName, UserError } from '../../../contract/src/cli.ts';
import { currencies } from '../../../generated/currencies.ts';
import type { Store } from '../database/store.ts';
import { fundWallet } from '../ledger/wallets.ts';
import { type Merchant, merchantById } from '../merchants/merchants.ts';
import { randomIds } from '../platform/ids.ts';
import type { Author } from './command-services.ts';

/** Puts money into a wallet from outside. */
export async function fundCommand(
  store: Store,
  merchantId: string,
  amountText: string,
  currencyText: string,
  { record, clock }: Author,
): Promise<string> {
  const merchant = await requireMerchant(store, merchantId);
  const currency = parseArgument('The currency', currencyText, parseName(currencies));
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
