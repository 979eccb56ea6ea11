/** The command `fund`. */

import { parseArgument, parseName, UserError } from '../../../contract/src/cli.ts';
import { currencies } from '../../../generated/currencies.ts';
import type { Store } from '../database/store.ts';
import { fundWallet } from '../ledger/wallets.ts';
import { type Merchant, merchantById } from '../merchants/merchants.ts';
import { randomIds } from '../platform/ids.ts';
import type { DatabaseCommand } from './database-commands.ts';

export const FUND: DatabaseCommand = {
  usage: 'fund <merchant-id> <amount> <currency>',
  description: 'Add money, in minor units, to a wallet.',
  action: 'fundWallet',
  async run({ store, author: { record, clock } }, id = '', amountText = '', currencyText = '') {
    const { id: merchantId } = await requireMerchant(store, id);
    const currency = parseArgument('The currency', currencyText, parseName(currencies));
    const amount = Number(amountText);
    if (!/^[1-9]\d*$/.test(amountText) || !Number.isSafeInteger(amount)) {
      throw new UserError(
        `The amount is '${amountText}'. It must be an integer of minor units from 1 to ${Number.MAX_SAFE_INTEGER}.`,
        2,
      );
    }
    const now = clock.now();
    const posting = { id: randomIds.newId('led', now), merchantId, currency, now };
    const room = await store.unit(async (db) => {
      const full = await fundWallet(db, posting, amount);
      if (full === undefined) await record(db, { merchantId, subject: posting.id });
      return full;
    });
    if (room !== undefined) {
      throw new UserError(
        `The ${currency} wallet of merchant ${merchantId} can't hold ${amount} more. The amount must be at most ${room}.`,
      );
    }
    return `funded merchant ${merchantId} with ${amount} ${currency} (minor units)`;
  },
};

/** The merchant of this number. Throws a UserError when there is none. */
export async function requireMerchant(store: Store, id: string): Promise<Merchant> {
  const merchant = /^\d{1,15}$/.test(id) ? await merchantById(store.read, Number(id)) : undefined;
  if (!merchant) throw new UserError(`Merchant not found: ${id}.\nTry: payments-gateway merchant list`);
  return merchant;
}
