/** Looks up the merchant of a call, and the calling operator. */
import type { Database, Store } from '../database/store.ts';
import { ProblemError } from '../http/problems.ts';
import { type MerchantListing, merchantById } from '../merchants/merchants.ts';
import { authenticateOperator, ExpiredOperatorKey, type ValidOperatorKey } from '../operators/operator-keys.ts';
import { timestamp } from '../transactions/view.ts';

interface NamedMerchant {
  readonly merchant_id: string | number;
}

/** The merchant that a path names. Throws the problem `not-found`. */
export async function requireMerchant(db: Database, { merchant_id: id }: NamedMerchant): Promise<MerchantListing> {
  const merchant = await merchantById(db, Number(id));
  if (merchant) return merchant;
  throw new ProblemError('not-found', `No merchant has the number ${id}. GET /management/merchants lists them.`);
}

/** Finds the operator of a key. Throws the problem `unauthorized` for an expired one. */
export async function findOperatorKey(
  store: Pick<Store, 'read' | 'unit'>,
  key: string,
  now: number,
): Promise<ValidOperatorKey | undefined> {
  try {
    return await authenticateOperator(store, key, now);
  } catch (error) {
    if (!(error instanceof ExpiredOperatorKey)) throw error;
    const next = `Create another one: payments-gateway operator-key create ${error.operatorId}`;
    throw new ProblemError('unauthorized', `This operator key expired at ${timestamp(error.at)}. ${next}`);
  }
}
