/** The shop's orders, in memory: a restart forgets them. A real shop has a database in this place. */
import { randomUUID } from 'node:crypto';
import type { Currency } from 'payments-client';
import { createEventTracker, type WebhookEvent } from 'payments-client/webhooks';

export interface Order {
  /** Sent as merchant_order_id, and part of the order's address; it can't be guessed. */
  readonly id: string;
  readonly kind: WebhookEvent['kind'];
  readonly title: string;
  readonly amount: number;
  readonly currency: Currency;
  /** Known once the API has responded. */
  transactionId?: string;
  /** URL of the payment page, for payments by redirect. */
  redirectUrl?: string;
  /** Reason why it could not be created. */
  problem?: string;
  /** The last event, from a verified webhook. Ship the goods when its status is SUCCESS. */
  event?: WebhookEvent;
}

export class Orders {
  readonly #orders = new Map<string, Order>();
  readonly #tracker = createEventTracker();

  add(order: Omit<Order, 'id'>, id = newOrderId()): Order {
    const added = { ...order, id };
    this.#orders.set(id, added);
    return added;
  }

  find(id: string | undefined): Order | undefined {
    return this.#orders.get(id ?? '');
  }

  all(): Order[] {
    return [...this.#orders.values()];
  }

  /** Stores a verified event if it is new. Ignores duplicates and older events. */
  async apply(event: WebhookEvent): Promise<void> {
    await this.#tracker.handle(event, () => {
      // By our own reference: an event can arrive before the response to the creation.
      const order = this.find(event.data.merchant_order_id);
      if (order?.kind === event.kind) order.event = event;
    });
  }
}

export function newOrderId(): string {
  return `shop-${randomUUID()}`;
}

/** Whether `newOrderId` may have created the id. Form fields are untrusted. */
export function isOrderId(text: string): boolean {
  return /^shop-[0-9a-f-]{36}$/.test(text);
}
