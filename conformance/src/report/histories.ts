/** What the journal shows of each transaction: its kind, and its statuses in the order in which they were seen. */
import type { Json, Operation } from '../../../contract/src/model.ts';
import type { Contract } from '../contract/contract.ts';
import { isSuccess, type Kind, OPERATIONS } from '../core/tracked.ts';
import { type Exchange, member, textOf } from '../service/exchange.ts';
import type { Delivery, Journal } from '../service/journal.ts';

export interface Sighting {
  readonly check: string;
  readonly at: number;
  readonly body: Json;
  readonly status: string;
  /** The webhook, if one showed it. */
  readonly delivery?: Delivery;
}

export interface History {
  readonly kind: Kind;
  readonly id: string;
  readonly sightings: readonly Sighting[];
}

/** The transactions of a run. What can't be told apart, such as the responses of a mock, is left out. */
export function historiesOf({ exchanges, deliveries }: Journal): History[] {
  const creations = new Map(Object.entries(OPERATIONS).map(([kind, { create }]) => [create as string, kind as Kind]));
  const histories = new Map<string, { kind: Kind; id: string; sightings: Sighting[] }>();
  const creators = new Map<string, { id: string; check: string }>();
  for (const exchange of exchanges) {
    const { operation } = exchange.call;
    const id = textOf(exchange.body, 'transaction_id');
    if (id === undefined || !isSuccess(operation, exchange) || exchange.call.prefer !== undefined) continue;
    const kind = creations.get(operation.id);
    if (kind && !histories.has(id)) histories.set(id, { kind, id, sightings: [] });
    if (kind) creators.set(tokenOf(exchange), { id, check: exchange.check });
    histories.get(id)?.sightings.push(sightingOf(exchange));
  }
  for (const delivery of deliveries) {
    const id = textOf(delivery.body, 'transaction_id');
    const history = id === undefined ? undefined : histories.get(id);
    const check = creators.get(delivery.token)?.check ?? history?.sightings[0]?.check ?? '';
    const { body = null, receivedAt } = delivery;
    history?.sightings.push({ check, at: receivedAt, body, status: textOf(body, 'status') ?? '', delivery });
  }
  return [...histories.values()].map((history) => ({
    ...history,
    // Stable: what has the same time stays in the order of the journal.
    sightings: history.sightings.toSorted((one, other) => one.at - other.at),
  }));
}

function sightingOf({ check, endedAt, body = null }: Exchange): Sighting {
  return { check, at: endedAt, body, status: textOf(body, 'status') ?? '' };
}

function tokenOf({ call }: Exchange): string {
  return String(member(call.body, 'callback_url') ?? '')
    .split('/')
    .at(-1) as string;
}

/** The event that the contract declares for a status of a kind. */
export function eventOf({ bundle, webhooks }: Contract, kind: Kind, status: string): Operation | undefined {
  return webhooks.find(({ tags, request }) => {
    const name = request?.schema.$ref?.split('/').at(-1) ?? '';
    const constant = bundle.components.schemas[name]?.properties?.['status']?.const;
    return constant === status && tags.some((tag) => tag.toLowerCase().startsWith(kind));
  });
}
