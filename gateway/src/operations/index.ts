/** The operations by the contract's operationId. The start compares this list with the contract. */
import { clarifyPayment, confirmPayment } from './act-on-payment.ts';
import { createPayment } from './create-payment.ts';
import { getBalance } from './get-balance.ts';
import type { OperationHandler } from './operation.ts';
import { createPayout, getPayout } from './payouts.ts';
import { findPayment, getPayment } from './read-payment.ts';

export const OPERATIONS: Readonly<Record<string, OperationHandler>> = {
  createPayment,
  findPayment,
  getPayment,
  clarifyPayment,
  confirmPayment,
  getBalance,
  createPayout,
  getPayout,
};
