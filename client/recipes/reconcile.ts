/**
 * Reads every order that is still open in your database, and applies its state: webhooks can be missed, and a creation
 * can stay without a response. Run it at start and once an hour. There is no list of transactions, so your database is
 * the list.
 */
import {
  CallError,
  type CreatePayoutRequest,
  type PaymentsClient,
  type PayoutResult,
  type Problem,
  sendPayout,
} from 'payments-client';
import type { TransactionState } from 'payments-client/webhooks';

/** An order without a final status in your database. */
export type OpenOrder =
  | { kind: 'payment'; merchant_order_id: string }
  | { kind: 'payout'; payout_id: string }
  /** A payout without a confirmed creation, as after a crash. It is sent again, unchanged. */
  | { kind: 'payout'; request: CreatePayoutRequest };

interface Options {
  client: PaymentsClient;
  /** Oldest first. Leave out the last minutes, whose webhooks can still arrive. */
  open: Iterable<OpenOrder> | AsyncIterable<OpenOrder>;
  /** The function that also applies webhooks. */
  apply: (state: TransactionState) => Promise<void> | void;
  /** The service doesn't know the payment, so its creation never arrived. Send it again, unchanged, or cancel the order. */
  missing: (order: OpenOrder) => Promise<void> | void;
}

/** Resolves with the orders whose state is still unknown. They stay open until the next run. */
export async function reconcile({ client, open, apply, missing }: Options) {
  const failed: { order: OpenOrder; error: Problem | CallError }[] = [];
  for await (const order of open) {
    const { data, error } = await read(client, order);
    if (data) await apply({ data });
    else if (order.kind === 'payment' && !(error instanceof CallError) && error.status === 404) await missing(order);
    else failed.push({ order, error });
  }
  return failed;
}

type Read = { data: TransactionState['data']; error?: never } | { data?: never; error: Problem | CallError };

async function read(client: PaymentsClient, order: OpenOrder): Promise<Read> {
  try {
    if (order.kind === 'payment') {
      return await client.GET('/payments', { params: { query: { merchant_order_id: order.merchant_order_id } } });
    }
    if ('request' in order) return toRead(await sendPayout(client, order.request, { sentBefore: true }));
    return await client.GET('/payouts/{payout_id}', { params: { path: { payout_id: order.payout_id } } });
  } catch (error) {
    if (error instanceof CallError) return { error };
    throw error;
  }
}

function toRead(result: PayoutResult): Read {
  return result.outcome === 'accepted' ? { data: result.data } : { error: result.error };
}

// setInterval(() => reconcile({ client, open: orders.open(), apply: (state) => orders.apply(state), missing }), 3_600_000);
