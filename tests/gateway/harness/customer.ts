/** Actions of merchant and customer in a test: supply requested data, and read a payment's state. */
import { requestExamples } from '../../../generated/examples.ts';
import type { ClarifyPaymentRequest, ConfirmPaymentRequest, Payment } from '../../../generated/types.ts';
import type { CallFunction, TestGateway } from './gateway.ts';

/** Data of the document's examples, by item. */
const DATA: Readonly<Record<string, string>> = Object.assign(
  {},
  ...Object.values(requestExamples.clarifyPayment).map(({ body }) => body.clarify_data),
);

/** The transfer reference of the document's example. */
export const TID = requestExamples.confirmPayment.tid.body.confirm_data.tid;

/** A body with every item that the payment asks for. */
export function clarification(shown: Payment): ClarifyPaymentRequest {
  const items = 'clarify' in shown ? shown.clarify : [];
  return { clarify_data: Object.fromEntries(items.map((item) => [item, DATA[item] ?? 'given'])) };
}

/** The request that confirms the payment, by default with its requested amount. */
export function confirmation(shown: Payment, amount: number = shown.amount): ConfirmPaymentRequest {
  const values: Readonly<Record<string, string>> = { amount: String(amount), tid: TID };
  const items = 'confirm' in shown ? shown.confirm : [];
  return { confirm_data: Object.fromEntries(items.map((item) => [item, values[item] ?? 'given'])) };
}

/** Runs all due work, then reads the transaction from its status endpoint. */
export async function settled({ gateway }: Pick<TestGateway, 'gateway'>, call: CallFunction, id: string) {
  await gateway.idle();
  const { body } = await call('GET', `${id.startsWith('out') ? '/payouts' : '/payments'}/${id}`);
  return body;
}

/** The balance by currency, without the time. */
export async function balances(call: CallFunction): Promise<Record<string, { available: number; pending: number }>> {
  const { body } = await call('GET', '/merchant/balance');
  return Object.fromEntries(
    body.balances.map(({ currency, available, pending }: { currency: string; available: number; pending: number }) => [
      currency,
      { available, pending },
    ]),
  );
}
