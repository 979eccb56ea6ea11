/** Lists of the merchant's payments and payouts. */
import type { TransactionList } from '../../../../generated/sandbox/types.ts';
import type { Transaction } from '../../domain/transaction.ts';
import { listTransactions } from '../../store/merchant-transactions.ts';
import type { SandboxCall, SandboxOperation } from '../operation.ts';
import { summarizeTransaction } from '../transactions.ts';
import { idCursor, limitOf, type PageParameters } from './pages.ts';

interface ListParameters extends PageParameters {
  readonly status?: string;
  readonly method?: string;
  readonly merchant_order_id?: string;
  readonly customer_id?: string;
}

export const listPayments = list('payment', 'pay');
export const listPayouts = list('payout', 'out');

function list(kind: Transaction['kind'], prefix: string): SandboxOperation {
  return async (
    { store },
    { merchant, parameters }: SandboxCall<undefined, ListParameters>,
  ): Promise<TransactionList> => {
    const { status, method, merchant_order_id: orderId, customer_id: customerId } = parameters;
    const filter = { status, method, orderId, customerId };
    const page = { from: idCursor(parameters, prefix), limit: limitOf(parameters) };
    const { transactions, next } = await listTransactions(store.read, merchant.id, kind, filter, page);
    return { data: transactions.map(summarizeTransaction), ...(next !== undefined && { next_cursor: next }) };
  };
}
