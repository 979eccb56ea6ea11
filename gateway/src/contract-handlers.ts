/** The operations by the contract's operationId. The start compares this list with the contract. */
import { clarifyPayment, confirmPayment } from './payments/act-on-payment.ts';
import { createPayment } from './payments/create-payment.ts';
import { getBalance } from './ledger/get-balance.ts';
import type { OperationHandler } from './transactions/services.ts';
import { createPayout, getPayout } from './payouts/payouts.ts';
import { findPayment, getPayment } from './payments/read-payment.ts';

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
