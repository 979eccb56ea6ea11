/** The service's statements about each transaction over the whole run, in order. */
import { type Json, readMember } from '../../../contract/src/model.ts';
import type { TransactionKind } from '../../../contract/src/reference-model.ts';
import {
  type Exchange,
  type Journal,
  parseJson,
  parseToken,
  type ReceivedDelivery,
  readString,
} from '../service/exchange.ts';
import { findCreatedKind } from './transactions.ts';

/** One statement of the service about a transaction: a response, or a webhook. */
export interface Observation {
  readonly status: string;
  readonly body: Json;
  /** Milliseconds since 1970 between which the service said so. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly exchange?: Exchange | undefined;
  readonly delivery?: ReceivedDelivery | undefined;
}

export interface History {
  readonly id: string;
  readonly kind: TransactionKind;
  readonly creation: Exchange;
  /** The body of the creation. */
  readonly request: Json;
  /** The path of the callback address. */
  readonly token: string;
  /** Responses, in the order in which they were complete. */
  readonly responses: readonly Observation[];
  readonly deliveries: readonly ReceivedDelivery[];
}

/** The transactions that the run created, without examples selected by `Prefer`. */
export function listHistories({ exchanges, deliveries }: Journal): History[] {
  const created = new Map<string, { kind: TransactionKind; creation: Exchange; responses: Observation[] }>();
  for (const exchange of exchanges) {
    const { operation, invalid, prefer } = exchange.call;
    const kind = findCreatedKind(operation);
    const id = readString(exchange.body, 'transaction_id');
    if (exchange.status >= 300 || id === undefined || invalid || prefer !== undefined) continue;
    // A repeated creation is about the transaction of the first, and another merchant's is not this one's.
    if (kind && !created.has(id)) created.set(id, { kind, creation: exchange, responses: [] });
    const status = readString(exchange.body, 'status');
    // A repeated creation returns its first response, whatever has happened since.
    const repeated = kind !== undefined && (created.get(id)?.responses.length ?? 0) > 0;
    if (status === undefined || repeated) continue;
    const { startedAt, endedAt, body = null } = exchange;
    created.get(id)?.responses.push({ status, body, startedAt, endedAt, exchange });
  }
  return [...created].map(([id, { kind, creation, responses }]) => {
    const token = parseToken(creation);
    const own = (delivery: ReceivedDelivery) =>
      delivery.token === token && (readString(delivery.body, 'transaction_id') ?? id) === id;
    return {
      ...{ id, kind, creation, token },
      request: creation.call.body ?? parseJson(creation.requestText ?? '') ?? null,
      responses: responses.toSorted((a, b) => a.endedAt - b.endedAt),
      deliveries: deliveries.filter(own),
    };
  });
}

/** Responses and webhooks about the transaction by time. Equal times keep the order of the journal. */
export function listObservations({ responses, deliveries }: History): Observation[] {
  const notified = deliveries.flatMap((delivery) => readObservation(delivery) ?? []);
  return [...responses, ...notified].toSorted((a, b) => a.endedAt - b.endedAt);
}

interface Statement extends Pick<Observation, 'exchange' | 'delivery'> {
  readonly body?: Json | undefined;
}

/** The bodies of responses and webhooks about the transaction. */
export function listBodies({ responses, deliveries }: History): Statement[] {
  return [...responses, ...deliveries.map((delivery) => ({ body: delivery.body, delivery }))];
}

/** The observation in a webhook; undefined if it is not about a transaction. */
export function readObservation(delivery: ReceivedDelivery): Observation | undefined {
  const status = readString(delivery.body, 'status');
  if (status === undefined || readString(delivery.body, 'transaction_id') === undefined) return undefined;
  const { receivedAt, body = null } = delivery;
  return { status, body, startedAt: 0, endedAt: receivedAt, delivery };
}

/** The members of both whose values differ. */
export function differingMembers(one: Json, other: Json, names: Iterable<string>): string[] {
  return [...names].filter((name) => {
    const [a, b] = [readMember(one, name), readMember(other, name)];
    return a !== undefined && b !== undefined && JSON.stringify(a) !== JSON.stringify(b);
  });
}
