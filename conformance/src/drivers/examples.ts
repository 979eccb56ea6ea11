/** Building blocks for every driver: the bodies and items of the contract's own examples. */
import { type Json, type JsonObject, readMember } from '../../../contract/src/model.ts';
import { requestExamples } from '../../../generated/examples.ts';
import type { Driver } from './driver.ts';

type Examples = Readonly<Record<string, { readonly body: object }>>;

const ITEMS: Readonly<Record<string, string>> = Object.assign(
  {},
  ...Object.values(requestExamples.clarifyPayment).map(({ body }) => body.clarify_data),
  ...Object.values(requestExamples.confirmPayment).map(({ body }) => body.confirm_data),
);

const SAMPLE = 'sample-1';

/** The body of a named example with changes, without the fields that the kit adds. */
export function bodyLike(examples: Examples, name: string, changes: JsonObject = {}): JsonObject {
  const { merchant_order_id: _order, callback_url: _callback, ...rest } = (examples[name]?.body ?? {}) as JsonObject;
  return { ...rest, ...changes };
}

/** Items with the examples' values. The amount is one of the payment's offers. */
export function exampleItems(names: readonly string[], payment: Json): Record<string, string> {
  return Object.fromEntries(
    names.map((name) => [name, name === 'amount' ? offeredAmount(payment) : (ITEMS[name] ?? SAMPLE)]),
  );
}

function offeredAmount(payment: Json): string {
  const offered = readMember(readMember(payment, 'pay_data'), 'available_amounts');
  return String((Array.isArray(offered) ? offered[0] : undefined) ?? readMember(payment, 'amount'));
}

export const prismDriver: Driver = {
  name: 'prism',
  followsPrefer: true,
  payment: () => undefined,
  payout: () => undefined,
  items: exampleItems,
};
