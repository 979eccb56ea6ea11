import { describe, expect, it } from 'vitest';
import { type JsonObject, operations, readBundle, requestExamples, webhooks } from '../../../contract/src/model.ts';
import * as validators from '../../../generated/validators.js';

type Validator = validators.Validator<unknown>;
const bundle = readBundle();
const byOperation = <T>(table: object, id: string) => (table as Record<string, T>)[id];

const bodies = [
  ...operations(bundle).flatMap((operation) => [
    ...requestExamples(operation).flatMap(({ name, body }) =>
      body === undefined
        ? []
        : [
            {
              place: `${operation.id} request ${name}`,
              value: body,
              validator: byOperation<Validator>(validators.requestBodies, operation.id),
            },
          ],
    ),
    ...operation.responses.flatMap(({ status, body }) =>
      (body?.examples ?? []).map(({ name, value }) => ({
        place: `${operation.id} ${status} ${name}`,
        value,
        validator: byOperation<Record<string, Validator>>(validators.responseBodies, operation.id)?.[status],
      })),
    ),
  ]),
  ...webhooks(bundle).flatMap((webhook) =>
    (webhook.request?.examples ?? []).map(({ name, value }) => ({
      place: `${webhook.id} ${name}`,
      value,
      validator: byOperation<Validator>(validators.webhookBodies, webhook.id),
    })),
  ),
];

describe('validators', () => {
  it.each(bodies)('accept the example $place', ({ value, validator }) => {
    expect(validator?.(value), JSON.stringify(validator?.errors)).toBe(true);
  });

  it.each(bodies.filter(({ place }) => place.includes(' request ')))(
    'reject $place with an unknown field',
    ({ value, validator }) => {
      expect(validator?.({ ...(value as JsonObject), unknown_field: 1 })).toBe(false);
    },
  );

  it("report only the violations of the status's variant", () => {
    const validate = validators.responseBodies.getPayment[200];
    expect(validate({ ...succeeded, amount_paid: 1.5 })).toBe(false);
    expect(validate.errors?.map(({ instancePath, keyword }) => `${instancePath} ${keyword}`)).toContain(
      '/amount_paid type',
    );
    expect(new Set(validate.errors?.map(({ instancePath }) => instancePath))).toEqual(new Set(['/amount_paid']));
  });

  it.each([
    ['a fraction', { amount: 1.5 }],
    ['zero', { amount: 0 }],
    ['a negative amount', { amount: -1 }],
    ['an amount as text', { amount: '100' }],
    ['an amount that a reader would round', { amount: 2 ** 53 }],
    ['another currency', { currency: 'USD' }],
    ['an empty order id', { merchant_order_id: '' }],
    ['an order id that is too long', { merchant_order_id: 'x'.repeat(256) }],
    ['a phone number without its plus sign', { customer: { id: 'customer-1', phone: '919812345671' } }],
    ['bank data in a payment', { customer: { id: 'customer-1', bank_code: 'HDFC0000123' } }],
    ['a callback address that is not http', { callback_url: 'ftp://shop.example.com' }],
    ['a field that is not known', { curency: 'INR' }],
  ])('refuse a payment with %s', (_, change) => {
    const example = bodies.find(({ place }) => place === 'createPayment request h2h-upi')?.value as JsonObject;
    expect(validators.requestBodies.createPayment(example)).toBe(true);
    expect(validators.requestBodies.createPayment({ ...example, ...change })).toBe(false);
  });

  it('check path and query parameters', () => {
    expect(validators.parameters.getPayment({ transaction_id: 'pay_1' })).toBe(true);
    expect(validators.parameters.getPayment({ transaction_id: 'x'.repeat(256) })).toBe(false);
    expect(validators.parameters.findPayment({ order: 'x' })).toBe(false);
  });
});

const succeeded = bodies.find(({ place }) => place === 'getPayment 200 succeeded')?.value as JsonObject;
