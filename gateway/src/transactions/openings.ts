/** Prepares new transactions, including the outcomes determined by sandbox test data. */
import type { Channels } from '../channels/channels.ts';
import { channelFor, findMethod } from '../domain/methods.ts';
import type { Plan } from '../domain/rules.ts';
import type { Flow, Order, Payment, Payout, Transaction } from '../domain/transaction.ts';
import { invalid } from '../http/problems.ts';
import type { Services } from './services.ts';

/** The decisions that the test data of a transaction make in advance, if its channel has some. */
export function planOf(
  channels: Channels,
  transaction: Pick<Transaction, 'kind' | 'channel' | 'customer'>,
): Plan | undefined {
  return channels.find(transaction.channel)?.testData?.plan(transaction);
}

/** The opening of an order that a merchant makes now. Throws the problem with test data that can't take effect. */
export function openingOf<O extends Order<Payment> | Order<Payout>>(
  { methods, channels, time, ids }: Services,
  merchantId: number,
  { kind, order, flow }: { readonly kind: Transaction['kind']; readonly order: O; readonly flow: Flow },
) {
  const { orderId, method, customer } = order;
  const { testData } = channels.find(channelFor(findMethod(methods, kind, method), customer)) ?? {};
  const mistake = testData?.mistake({ kind, customer }, flow);
  if (mistake) throw invalid([mistake]);
  const { now } = time.at(merchantId);
  const id = ids.newId(kind === 'payment' ? 'pay' : 'out', now, merchantId, orderId);
  return { methods, id, merchantId, order, now, plan: testData?.plan({ kind, customer }) };
}
