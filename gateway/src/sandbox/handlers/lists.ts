/** Lists of the merchant's payments and payouts. */

import type { Transaction } from '../../domain/transaction.ts';
import { type CreatedParameters, createdRange } from '../../management/pages.ts';
import { summarizeTransaction, type TransactionParameters, transactionPage } from '../../management/transactions.ts';
import type { SandboxCall, SandboxOperation } from '../operation.ts';

export const listPayments = list('payment');
export const listPayouts = list('payout');

function list(kind: Transaction['kind']): SandboxOperation {
  return ({ store }, { merchant, parameters }: SandboxCall<undefined, TransactionParameters & CreatedParameters>) =>
    transactionPage(store.read, merchant.id, kind, parameters, summarizeTransaction, createdRange(parameters));
}
