import type { Call, OperationHandler } from './http/call.ts';
import { getBalance } from './ledger/get-balance.ts';
import { clarifyPayment, confirmPayment } from './payments/act-on-payment.ts';
import { createPayment } from './payments/create-payment.ts';
import { findPayment, getPayment } from './payments/read-payment.ts';
import { createPayout, getPayout } from './payouts/payouts.ts';
import type { Services } from './transactions/services.ts';

// biome-ignore lint/suspicious/noExplicitAny: each operation narrows its call; the routes check it before.
type Operation = (services: Services, call: Call<any, any>) => Promise<unknown>;

/** The contract's operations by operationId. The start compares this list with the contract. */
const OPERATIONS: Readonly<Record<string, Operation>> = {
  createPayment,
  findPayment,
  getPayment,
  clarifyPayment,
  confirmPayment,
  getBalance,
  createPayout,
  getPayout,
};

/** Returns the operations' handlers. */
export function bindOperations(services: Services): Readonly<Record<string, OperationHandler>> {
  const bind =
    (operation: Operation): OperationHandler =>
    (call) =>
      operation(services, call);
  return Object.fromEntries(Object.entries(OPERATIONS).map(([id, operation]) => [id, bind(operation)]));
}
