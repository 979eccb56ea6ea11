/** Makes defects from rows of data. */
import type { Json, JsonObject } from '../../../../contract/src/model.ts';
import type { Alteration, Delivered, Incoming, Later, Outgoing, Place, Responded, Webhook } from '../alteration.ts';
import type { Defect } from '../trial.ts';

/** The transactions to change. An absent condition always holds. */
export interface Where {
  /** Operations, or `webhook`. */
  readonly on?: string | readonly string[];
  readonly kind?: Place['kind'];
  readonly status?: string | readonly string[];
}

export type Change = (transaction: JsonObject) => void;

export type Row = Pick<Defect, 'id' | 'foundBy'> & Partial<Pick<Defect, 'verdict' | 'options'>>;

/** The id of a defect, with the check that should find it. Without one, any check may. Defaults to `violating`. */
export function row(id: string, foundBy = '', verdict?: Defect['verdict'], options?: Defect['options']): Row {
  const expected = verdict ?? (foundBy === '' ? undefined : 'violating');
  return { id, foundBy, ...(expected && { verdict: expected }), ...(options && { options }) };
}

/** Changes a valid service as the alteration says. */
export function defect(row: Row, alter: () => Alteration): Defect {
  return { ...row, alter };
}

/** Changes transactions wherever they are shown. */
export function shown(row: Row, where: Where, change: Change): Defect {
  return defect(row, () => ({ transaction: (transaction, place) => fits(where, place) && change(transaction) }));
}

/** Changes responses of operations. */
export function responding(
  row: Row,
  on: string | readonly string[],
  change: (response: Outgoing, request: Incoming) => Later<void>,
): Defect {
  return defect(row, () => ({
    response: (response, request) => (toList(on).includes(request.operation) ? change(response, request) : undefined),
  }));
}

/** Responds in the gateway's place, or changes the request. */
export function asking(row: Row, on: string | readonly string[], change: (request: Incoming) => Responded): Defect {
  return defect(row, () => ({
    request: (request) => (toList(on).includes(request.operation) ? change(request) : undefined),
  }));
}

/** Changes a webhook. */
export function delivering(row: Row, where: Where, change: (webhook: Webhook) => Delivered): Defect {
  return defect(row, () => ({
    webhook: (webhook) => (fits(where, findPlace(webhook)) ? change(webhook) : undefined),
  }));
}

export function fits({ on, kind, status }: Where, place: Place): boolean {
  return (
    (on === undefined || toList(on).includes(place.on)) &&
    (kind === undefined || kind === place.kind) &&
    (status === undefined || toList(status).includes(place.status))
  );
}

export function findPlace({ body }: Webhook): Place {
  const kind = 'payment_method' in body || 'payment_method_type' in body ? 'payment' : 'payout';
  return { on: 'webhook', kind, status: String(body['status']) };
}

export const without =
  (...fields: string[]): Change =>
  (transaction) => {
    for (const field of fields) delete transaction[field];
  };

export const set =
  (field: string, value: Json | ((transaction: JsonObject) => Json)): Change =>
  (transaction) => {
    transaction[field] = typeof value === 'function' ? value(transaction) : value;
  };

export const renamed =
  (from: string, to: string): Change =>
  (transaction) => {
    const value = transaction[from];
    delete transaction[from];
    if (value !== undefined) transaction[to] = value;
  };

export const turned =
  (field: string, turn: (value: Json) => Json): Change =>
  (transaction) => {
    if (transaction[field] !== undefined) transaction[field] = turn(transaction[field]);
  };

/** A JSON response of the gateway's kind. */
export function json(status: number, body: Json): Outgoing {
  const problem = status >= 400 ? 'application/problem+json' : 'application/json';
  return { status, headers: { 'content-type': `${problem}; charset=utf-8`, 'x-request-id': 'req_trial' }, body };
}

export function toList<T>(value: T | readonly T[]): readonly T[] {
  return Array.isArray(value) ? value : [value as T];
}

export const refused = (): Outgoing => json(400, { title: 'Bad request', status: 400 });
export const unknown = (): Outgoing => json(404, { title: 'Not found', status: 404 });
export const conflict = (): Outgoing => json(409, { title: 'Order ID reused', status: 409 });
export const failed = (): Outgoing => json(500, { title: 'Internal error', status: 500 });
