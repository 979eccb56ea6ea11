/** What the service said about each transaction over the whole run, in the order in which it said it. */
import type { Json } from '../../../contract/src/model.ts';
import { type Exchange, member, textOf } from '../service/exchange.ts';
import { type Delivery, type Journal, tokenIn } from '../service/journal.ts';
import { createdBy, type Kind } from './tracked.ts';

/** One statement of the service about a transaction: a response, or a webhook. */
export interface Sighting {
  readonly status: string;
  readonly body: Json;
  /** Milliseconds since 1970 between which the service said so. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly exchange?: Exchange;
  readonly delivery?: Delivery;
}

export interface History {
  readonly id: string;
  readonly kind: Kind;
  /** The body of the creation. */
  readonly request: Json;
  /** The path of the callback address. */
  readonly token: string;
  /** Responses, in the order in which they were complete. */
  readonly responses: readonly Sighting[];
  readonly deliveries: readonly Delivery[];
}

/** The transactions that the run has created. */
export function historiesOf({ exchanges, deliveries }: Journal): History[] {
  const created = new Map<string, { kind: Kind; request: Json; token: string; responses: Sighting[] }>();
  for (const exchange of exchanges) {
    const kind = createdBy(exchange.call.operation);
    const id = textOf(exchange.body, 'transaction_id');
    if (exchange.status >= 300 || id === undefined || exchange.call.invalid) continue;
    // A repeated creation is about the transaction of the first, and another merchant's is not this one's.
    if (kind && !created.has(id)) {
      const request = exchange.call.body ?? parsed(exchange.requestText);
      created.set(id, { kind, request, token: tokenIn(exchange), responses: [] });
    }
    const status = textOf(exchange.body, 'status');
    // A repeated creation returns its first response, whatever has happened since.
    const repeated = kind !== undefined && (created.get(id)?.responses.length ?? 0) > 0;
    if (status === undefined || repeated) continue;
    const { startedAt, endedAt, body = null } = exchange;
    created.get(id)?.responses.push({ status, body, startedAt, endedAt, exchange });
  }
  return [...created].map(([id, { responses, token, ...rest }]) => ({
    ...{ id, token, ...rest },
    responses: responses.toSorted((a, b) => a.endedAt - b.endedAt),
    deliveries: deliveries.filter(
      (delivery) => delivery.token === token && (textOf(delivery.body, 'transaction_id') ?? id) === id,
    ),
  }));
}

function parsed(text: string | undefined): Json {
  try {
    return JSON.parse(text ?? 'null') as Json;
  } catch {
    return null;
  }
}

/** The sighting in a webhook; undefined if it is not about a transaction. */
export function sightingIn(delivery: Delivery): Sighting | undefined {
  const status = textOf(delivery.body, 'status');
  if (status === undefined || textOf(delivery.body, 'transaction_id') === undefined) return undefined;
  const { receivedAt, body = null } = delivery;
  return { status, body, startedAt: 0, endedAt: receivedAt, delivery };
}

/** The members of both whose values differ. */
export function differingMembers(one: Json, other: Json, names: Iterable<string>): string[] {
  return [...names].filter((name) => {
    const [a, b] = [member(one, name), member(other, name)];
    return a !== undefined && b !== undefined && JSON.stringify(a) !== JSON.stringify(b);
  });
}
