/** Makes valid variations from rows of data. */
import type { Json, JsonObject } from '../../../../contract/src/model.ts';
import {
  type Alteration,
  type Delivered,
  type Incoming,
  type Outgoing,
  type Place,
  toObject,
  type Webhook,
} from '../alteration.ts';
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
  differs?: readonly string[],
): Variation {
  return variation(id, () => ({ transaction: change }), differs ? { differs } : {});
}

/** Changes responses. */
export function responding(
  id: string,
  change: (response: Outgoing, request: Incoming) => void | Promise<void>,
  differs?: readonly string[],
): Variation {
  return variation(id, () => ({ response: change }), differs ? { differs } : {});
}

/** Changes webhooks. */
export function delivering(
  id: string,
  change: (webhook: Webhook) => Delivered,
  differs?: readonly string[],
): Variation {
  return variation(id, () => ({ webhook: change }), differs ? { differs } : {});
}

/** The value with each of its objects changed. */
export function deeply(value: Json, change: (inner: JsonObject) => JsonObject): Json {
  if (Array.isArray(value)) return value.map((one) => deeply(one, change));
  if (typeof value !== 'object' || value === null) return value;
  const inner = Object.fromEntries(Object.entries(toObject(value)).map(([name, one]) => [name, deeply(one, change)]));
  return change(inner);
}

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Removes members. */
export function without(one: JsonObject, ...names: readonly string[]): void {
  for (const name of names) delete one[name];
}
