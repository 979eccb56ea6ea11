/** Imports of transactions that a channel has carried out and the database doesn't know, as after the restore of a backup. */

import type { Database } from '../database/store.ts';
import { importTransaction } from '../domain/import.ts';
import { findMethod } from '../domain/methods.ts';
import type { Step, Transaction } from '../domain/transaction.ts';
import { type BodyViolation, invalid, ProblemError } from '../http/problems.ts';
import { readWallets } from '../ledger/wallets.ts';
import { idTime } from '../platform/ids.ts';
import { anyTransactionById, transactionByOrderId } from '../transactions/rows.ts';
import type { Services } from '../transactions/services.ts';
import type { Import } from './proposal-rows.ts';

type ImportServices = Pick<Services, 'store' | 'methods' | 'time'>;

/** Returns the step that creates the transaction. Throws the problem if it can't be imported. */
export async function importStep(
  { store, methods, time }: ImportServices,
  merchantId: number,
  { transactionId: id, ...order }: Import,
): Promise<Step<Transaction>> {
  const createdAt = idTime(id);
  const kind = parseKind(id);
  if (createdAt === undefined || kind === undefined) {
    throw violation(
      '/transaction_id',
      'must be the id of a payment or payout, as the statement has it, such as out_01KJ…',
    );
  }
  const method = findMethod(methods, kind, order.method);
  if (!method) throw violation('/payment_method_type', `must be a method of ${kind}s`);
  const channels = Object.values(method.channels);
  if (!channels.includes(order.channel)) throw violation('/channel', `must be one of ${channels.join(', ')}`);
  const wallets = (await readWallets(store.read, merchantId)).map(({ currency }) => currency);
  const currencies = method.currencies.filter((currency) => wallets.includes(currency));
  if (!currencies.includes(order.currency)) {
    const known = currencies.join(', ') || 'none';
    throw violation('/currency', `must be a currency of the method that the merchant has: ${known}`);
  }
  await requireUnknown(store.read, { kind, id, merchantId, orderId: order.orderId });
  return importTransaction(kind, { methods, id, merchantId, order, createdAt }, time.at(merchantId).now);
}

function parseKind(id: string): Transaction['kind'] | undefined {
  return id.startsWith('pay_') ? 'payment' : id.startsWith('out_') ? 'payout' : undefined;
}

async function requireUnknown(
  db: Database,
  { kind, id, merchantId, orderId }: Pick<Transaction, 'kind' | 'id' | 'merchantId' | 'orderId'>,
): Promise<void> {
  const known = await anyTransactionById(db, kind, id);
  if (known) throw new ProblemError('wrong-state', `${id} is known: it is ${known.status}.`);
  const other = await transactionByOrderId(db, merchantId, kind, orderId);
  if (!other) return;
  throw new ProblemError(
    'wrong-state',
    `The merchant's order ${orderId} has the ${kind} ${other.id}, which is ${other.status}. If the merchant repeated the order after the restore, and that ${kind} still waits, end it instead, with the line of ${id} as the reference: payments-gateway ${kind} resolve ${other.id} --succeeded.`,
  );
}

function violation(pointer: string, message: string): ProblemError {
  const found: BodyViolation = { pointer, message };
  return invalid([found]);
}
