/** Makes defects from rows of data. `index.ts` puts the area before their ids. */
import type { Json, JsonObject } from '../../../../contract/src/model.ts';
import {
  type Alteration,
  type Backend,
  type Delivered,
  findPlace,
  type Incoming,
  type Later,
  type Outgoing,
  type Place,
  type Responded,
  rewrite,
  toObject,
  type Webhook,
} from '../alteration.ts';
import type { Defect } from '../trial.ts';

/** The transactions to change. An absent condition always holds. */
export interface Where {
  /** Operations, or `webhook`. */
  readonly on?: string | readonly string[];
  readonly kind?: Place['kind'];
  readonly status?: string | readonly string[];
}

export type Change = (transaction: JsonObject) => void;

/**
 * A defect of a valid service that is altered. `found` is the check that should find it, after its verdict if that
 * isn't `violating`: `differs repeat/payment/same`. Empty if any check may.
 */
export function defect(id: string, found: string, alter: () => Alteration, options?: Defect['options']): Defect {
  const [, verdict = 'violating', foundBy = ''] = /^(?:(differs|not reached) )?(.*)$/.exec(found) ?? [];
  const expected = foundBy !== '' && { verdict: verdict as Exclude<Defect['verdict'], undefined> };
  return { id, foundBy, ...expected, alter, ...(options && { options }) };
}

/** Changes transactions wherever they are shown. */
export function shown(id: string, found: string, where: Where, change: Change): Defect {
  return defect(id, found, () => ({ transaction: (one, place) => fits(where, place) && change(one) }));
}

/** Changes responses of operations. */
export function responding(
  id: string,
  found: string,
  on: string | readonly string[],
  change: (response: Outgoing, request: Incoming) => Later<void>,
): Defect {
  return defect(id, found, () => ({
    response: (response, request) => (toList(on).includes(request.operation) ? change(response, request) : undefined),
  }));
}

/** Responds in the gateway's place, or changes the request. */
export function asking(
  id: string,
  found: string,
  on: string | readonly string[],
  change: (request: Incoming, backend: Backend) => Responded,
): Defect {
  return defect(id, found, () => ({
    request: (request, backend) => (toList(on).includes(request.operation) ? change(request, backend) : undefined),
  }));
}

/** Refuses requests. */
export function refusing(id: string, found: string, status: number, fits: (request: Incoming) => boolean): Defect {
  return defect(id, found, () => ({ request: (request) => (fits(request) ? problem(status) : undefined) }));
}

/** Changes the parameters of `findPayment`. */
export function querying(id: string, found: string, change: (values: URLSearchParams, query: string) => void): Defect {
  return asking(id, found, 'findPayment', (request) => {
    const values = new URLSearchParams(request.query);
    change(values, request.query);
    request.query = values.size > 0 ? `?${values}` : '';
  });
}

/** Finds transactions by other values than their IDs and order IDs. */
export function finding(
  id: string,
  found: string,
  operation: 'getPayment' | 'getPayout' | 'findPayment',
  fits: (given: string, id: string, order: string) => boolean,
): Defect {
  return defect(id, found, () => {
    const known = new Map<string, string>();
    return {
      request(request) {
        if (request.operation !== operation) return;
        const [value = ''] = new URLSearchParams(request.query).values();
        const given = operation === 'findPayment' ? value : (request.path.split('/').at(-1) ?? '');
        const [match] = [...known].find(([one, order]) => fits(given, one, order)) ?? [];
        if (match === undefined || known.has(given)) return;
        if (operation === 'findPayment') request.query = `?transaction_id=${match}`;
        else request.path = request.path.replace(/[^/]+$/, match);
      },
      transaction(one) {
        known.set(String(one['transaction_id']), String(one['merchant_order_id']));
      },
    };
  });
}

/** Responds to requests with the same key as to the first one. */
export function replaying(
  id: string,
  found: string,
  on: string | readonly string[],
  readKey = ({ path, query }: Incoming) => path + query,
): Defect {
  return defect(id, found, () => {
    const first = new Map<string, Promise<Outgoing>>();
    const resolvers = new Map<Incoming, (response: Outgoing) => void>();
    return {
      request(request) {
        const key = readKey(request);
        if (!toList(on).includes(request.operation) || first.has(key)) return first.get(key);
        const { promise, resolve } = Promise.withResolvers<Outgoing>();
        first.set(key, promise);
        resolvers.set(request, resolve);
        return undefined;
      },
      response(response, request) {
        resolvers.get(request)?.(structuredClone(response));
      },
    };
  });
}

/** Refuses a creation that is other than an earlier one with the same key. */
export function clashing(
  id: string,
  found: string,
  isOther: (first: Incoming, again: Incoming) => boolean,
  toKey = (order: string) => order,
): Defect {
  return defect(id, found, () => {
    const seen = new Map<string, Incoming>();
    return {
      request(request) {
        if (!CREATIONS.includes(request.operation)) return undefined;
        const key = toKey(readOrder(request));
        const first = seen.get(key) ?? request;
        seen.set(key, first);
        return isOther(first, request) ? problem(409) : undefined;
      },
    };
  });
}

/** Changes a webhook. */
export function delivering(
  id: string,
  found: string,
  change: (webhook: Webhook, backend: Backend) => Delivered,
  where: Where = {},
): Defect {
  return defect(id, found, () => ({
    webhook: (webhook, backend) =>
      fits(where, findPlace('webhook', webhook.body)) ? change(webhook, backend) : undefined,
  }));
}

/** Changes the headers of each attempt. Their names are in lower case. */
export function changeHeaders(
  webhook: Webhook,
  change: (valid: Record<string, string>, signed: Parameters<Webhook['headers']>[0]) => Record<string, string>,
): void {
  const { headers } = webhook;
  webhook.headers = (signed) => {
    const valid = Object.entries(headers(signed)).map(([name, value]) => [name.toLowerCase(), value]);
    return change(Object.fromEntries(valid), signed);
  };
}

function fits({ on, kind, status }: Where, place: Place): boolean {
  return (
    (on === undefined || toList(on).includes(place.on)) &&
    (kind === undefined || kind === place.kind) &&
    (status === undefined || toList(status).includes(place.status))
  );
}

export const CREATIONS = ['createPayment', 'createPayout'];
export const FINAL = ['SUCCESS', 'FAILED'];

export const readOrder = ({ body }: Incoming) => String(toObject(body)['merchant_order_id']);
export const readCustomer = ({ body }: Incoming) => toObject(toObject(body)['customer']);

/** The payment that an action is for. */
export async function readTarget(request: Incoming, backend: Backend): Promise<JsonObject> {
  const path = request.path.replace(/\/(clarify|confirm)$/, '');
  const headers = { authorization: `Bearer ${backend.key}` };
  return toObject((await backend.send({ method: 'GET', path, headers })).body);
}

const SAMPLES = {
  phone: '+919812345671',
  email: 'a@example.com',
  name: 'Asha Rao',
  account_number: '1234',
  tid: '4061',
};

/** Gives an action all data that the payment asks for, so that the gateway accepts it. */
export async function completeAction(request: Incoming, backend: Backend): Promise<undefined> {
  const payment = await readTarget(request, backend);
  const list = request.operation === 'confirmPayment' ? 'confirm' : 'clarify';
  const samples: JsonObject = { ...SAMPLES, amount: String(payment['amount']) };
  const names = Array.isArray(payment[list]) ? payment[list].map(String) : [];
  rewrite(request, { [`${list}_data`]: Object.fromEntries(names.map((name) => [name, samples[name] ?? 'sample'])) });
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

export const turned =
  (field: string, turn: (value: Json) => Json): Change =>
  (transaction) => {
    if (transaction[field] !== undefined) transaction[field] = turn(transaction[field]);
  };

/** A JSON response of the gateway's kind. */
export function json(status: number, body: Json): Outgoing {
  const type = status >= 400 ? 'application/problem+json' : 'application/json';
  return { status, headers: { 'content-type': `${type}; charset=utf-8`, 'x-request-id': 'req_trial' }, body };
}

export const problem = (status: number) => json(status, { title: 'Refused', status, request_id: 'req_trial' });

function toList<T>(value: T | readonly T[]): readonly T[] {
  return Array.isArray(value) ? value : [value as T];
}
