/** The transactions of the contract's examples, for tools that send the examples as they are. */
import { requestExamples, responseExamples } from '../../../generated/examples.ts';
import { bindOperations } from '../core.ts';
import { merchantById } from '../merchants/merchants.ts';
import { transactionByOrderId } from '../transactions/rows.ts';
import type { Services } from '../transactions/services.ts';

/** Creates them for the merchant, each with its example's id. Skips order ids in use. */
export async function createExampleTransactions(services: Services, merchantId: number): Promise<void> {
  const { store, ids } = services;
  const merchant = await merchantById(store.read, merchantId);
  if (!merchant) throw new Error(`merchant ${merchantId} was deleted`);
  for (const { kind, operation, body, id } of listCreations()) {
    if (await transactionByOrderId(store.read, merchantId, kind, body.merchant_order_id)) continue;
    const newId: Services['ids']['newId'] = (prefix, ...rest) =>
      id.startsWith(`${prefix}_`) ? id : ids.newId(prefix, ...rest);
    const handlers = bindOperations({ ...services, ids: { ...ids, newId } });
    await handlers[operation]?.({ merchant, parameters: {}, body });
  }
}

/** The creation examples, with the id of the transaction in their responses. */
function listCreations() {
  const payments = Object.entries(responseExamples.createPayment[200]).map(([name, { transaction_id: id }]) => {
    const { body } = requestExamples.createPayment[name as keyof typeof requestExamples.createPayment];
    return { kind: 'payment', operation: 'createPayment', body, id } as const;
  });
  const payouts = Object.entries(responseExamples.createPayout[201]).map(([name, { transaction_id: id }]) => {
    const { body } = requestExamples.createPayout[name as keyof typeof requestExamples.createPayout];
    return { kind: 'payout', operation: 'createPayout', body, id } as const;
  });
  return [...payments, ...payouts];
}
