import fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import * as fixtures from '../../client/src/testing.ts';
import { type Json, type JsonObject, operations, readBundle, resolve, type Schema } from '../../contract/src/model.ts';
import { compile } from '../../contract/src/schemas.ts';
import { senderForm } from '../../contract/src/sender.ts';
import type {
  OtherProblem,
  Payment,
  PaymentFailed,
  PaymentSucceeded,
  ValidationProblem,
} from '../../generated/types.ts';

const { aPayment, aProblem } = fixtures;
const bundle = readBundle();
const validator = compile(senderForm(bundle));
const strict = (type: string) => validator({ $ref: `#/components/schemas/${type}` });
type Factory = (changes?: object) => JsonObject;
const factories = Object.entries(fixtures).filter(([name]) => /^a[A-Z]/.test(name)) as unknown as [string, Factory][];
const typeOf = (name: string) => name.slice(1);

/** The statuses of a type's variants, or of the contract's problems. */
function listStatuses(type: string): (Json | undefined)[] {
  const { discriminator } = bundle.components.schemas[type] ?? {};
  if (discriminator) return Object.keys(discriminator.mapping);
  if (type !== 'Problem') return [undefined];
  const documented = operations(bundle).flatMap(({ responses }) => responses.map(({ status }) => Number(status)));
  return [...new Set(documented)].filter((status) => status >= 400);
}

const changes = fc.record(
  {
    transaction_id: fc.stringMatching(/^\w{1,40}$/),
    merchant_order_id: fc.stringMatching(/^[\w-]{1,40}$/),
    amount: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    currency: fc.constantFrom(...(bundle.components.schemas['Currency']?.enum ?? [])),
  },
  { requiredKeys: [] },
);

describe('test data', () => {
  it('has a function for every body schema, and for nested objects', () => {
    const named = Object.entries(bundle.components.schemas).filter(([, schema]) => isObject(schema));
    const variants = new Set(
      named.flatMap(([, { discriminator }]) =>
        Object.values(discriminator?.mapping ?? {}).map((ref) => ref.split('/').at(-1)),
      ),
    );
    const expected = named.map(([name]) => name).filter((name) => !variants.has(name));
    expect(factories.map(([name]) => typeOf(name)).sort()).toEqual(expected.sort());
  });

  it.each(factories)('of %s matches the schema in every status, with any change', (name, make) => {
    const type = typeOf(name);
    const example = make();
    for (const status of listStatuses(type)) {
      fc.assert(
        fc.property(changes, (given) => {
          const fitting = Object.fromEntries(
            Object.entries(given).filter(([field, value]) => typeof example[field] === typeof value),
          );
          const made = make({ ...fitting, status });
          expect(made).toMatchObject(fitting);
          if (status !== undefined) expect(made['status']).toBe(status);
          expect(strict(type)(made)).toEqual([]);
        }),
        { numRuns: 30 },
      );
    }
  });

  it('keeps derived amounts equal to the amount, unless given', () => {
    expect(aPayment({ amount: 100 })).toMatchObject({ amount: 100, amount_paid: 100 });
    expect(aPayment({ amount: 100, amount_paid: 90 })).toMatchObject({ amount: 100, amount_paid: 90 });
    expect(aPayment({ status: 'PAY_CONFIRMATION_NEEDED', amount: 100 }).pay_data.available_amounts?.[0]).toBe(100);
    expect(aPayment({ amount: undefined }).amount).toBe(aPayment().amount);
  });

  it('is typed by its status', () => {
    expectTypeOf(aPayment()).toEqualTypeOf<PaymentSucceeded>();
    expectTypeOf(aPayment({ status: 'FAILED', decline_reason: 'KYC_BLOCKED' })).toEqualTypeOf<PaymentFailed>();
    expectTypeOf(aPayment({ status: 'FAILED' as Payment['status'] })).toEqualTypeOf<Payment>();
    expectTypeOf(aProblem({ status: 400 })).toEqualTypeOf<ValidationProblem>();
    expectTypeOf(aProblem({ status: 404 })).toEqualTypeOf<OtherProblem>();
    const wrong = [
      // @ts-expect-error a success has no decline_reason
      () => aPayment({ status: 'SUCCESS', decline_reason: 'BANK_REJECTED' }),
      // @ts-expect-error no problem of the contract has this status
      () => aProblem({ status: 418 }),
    ];
    expect(wrong).toHaveLength(2);
  });
});

function isObject(schema: Schema): boolean {
  const { type, discriminator, allOf } = resolve<Schema>(bundle, schema as { $ref: string });
  return type === 'object' || discriminator !== undefined || allOf !== undefined;
}
