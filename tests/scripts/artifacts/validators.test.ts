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
});

const succeeded = bodies.find(({ place }) => place === 'getPayment 200 succeeded')?.value as JsonObject;
