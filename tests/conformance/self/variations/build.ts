/** Makes valid variations from rows of data. */
import { isObject, type Json, type JsonObject } from '../../../../contract/src/model.ts';
import type { Alteration, Delivered, Later, Outgoing, Place, Webhook } from '../alteration.ts';
import type { Variation } from '../trial.ts';

/** Every check may differ; none may say that the source is violated. */
export const ANY: readonly string[] = [''];

export function variation(
  id: string,
  alter: () => Alteration,
  rest: Pick<Variation, 'differs' | 'options'> = {},
): Variation {
  return { id: `valid/${id}`, alter, ...rest };
}

/** Changes transactions in all responses and webhooks. */
export function shown(
  id: string,
  change: (transaction: JsonObject, place: Place) => void,
  differs: readonly string[] = [],
): Variation {
  return variation(id, () => ({ transaction: change }), { differs });
}

/** Changes the responses of an operation. */
export function responding(
  id: string,
  on: string,
  change: (response: Outgoing) => Later<void>,
  differs: readonly string[] = [],
): Variation {
  const response: Alteration['response'] = (outgoing, { operation }) =>
    operation === on ? change(outgoing) : undefined;
  return variation(id, () => ({ response }), { differs });
}

/** Changes webhooks. */
export function delivering(
  id: string,
  change: (webhook: Webhook) => Delivered,
  differs: readonly string[] = [],
): Variation {
  return variation(id, () => ({ webhook: change }), { differs });
}

/** The value with each of its objects changed. */
export function deeply(value: Json, change: (inner: JsonObject) => JsonObject): Json {
  if (Array.isArray(value)) return value.map((one) => deeply(one, change));
  if (!isObject(value)) return value;
  return change(Object.fromEntries(Object.entries(value).map(([name, one]) => [name, deeply(one, change)])));
}

/** The same form for the same transaction each time. */
export function choose<T>({ transaction_id: id }: JsonObject, forms: readonly [T, ...T[]]): T {
  return forms[Buffer.from(String(id)).reduce((total, byte) => total + byte, 0) % forms.length] ?? forms[0];
}

/** Gives the forms in turn. */
export function alternate<T>(forms: readonly [T, ...T[]]): () => T {
  let count = 0;
  return () => {
    count += 1;
    return forms[count % forms.length] ?? forms[0];
  };
}

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
