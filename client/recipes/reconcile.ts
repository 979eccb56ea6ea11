/**
 * Webhooks that were missed, such as while your endpoint was down: read every order that is still open in your database, and
 * apply what it shows as its webhook would have. There is no list of transactions, so your database is the list. Run it when
 * you are back, and every hour or so.
 */
import { CallError, type Payment, type PaymentsClient, type Payout, type Problem } from 'payments-client';

/** An order without a final status in your database. */
type OpenOrder =
  | { kind: 'payment'; merchant_order_id: string }
  /** A payout is found by its own id. Without one, its creation was never confirmed: send it again, unchanged. */
  | { kind: 'payout'; payout_id: string };

interface Options {
  client: PaymentsClient;
  /** Oldest first. Leave out those of the last minutes, whose webhooks can still arrive. */
  open: Iterable<OpenOrder> | AsyncIterable<OpenOrder>;
  /** The code that also handles webhooks: it stores what is new, and ignores what it has seen. */
  apply: (transaction: Payment | Payout) => Promise<void>;
  /** The service doesn't know the order, so its creation never arrived. Send it again, unchanged, or give it up. */
  unknown: (order: OpenOrder) => Promise<void>;
}

/** Resolves with the orders that could not be read; they stay open until the next run. */
export async function reconcile({ client, open, apply, unknown }: Options) {
  const failed: { order: OpenOrder; error: Problem | CallError }[] = [];
  for await (const order of open) {
    try {
      const { data, error } = await read(client, order);
      if (data) await apply(data);
      else if (error.status === 404) await unknown(order);
      else failed.push({ order, error });
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      failed.push({ order, error });
    }
  }
  return failed;
}

function read(client: PaymentsClient, order: OpenOrder) {
  if (order.kind === 'payout') {
    return client.GET('/payouts/{payout_id}', { params: { path: { payout_id: order.payout_id } } });
  }
  return client.GET('/payments', { params: { query: { merchant_order_id: order.merchant_order_id } } });
}

// setInterval(() => reconcile({ client, open: db.openOrders({ olderThanMinutes: 10 }), apply, unknown }), 3_600_000);
