import { expect, it } from 'vitest';
import { responseExamples } from '../../../generated/examples.ts';
import { responseBodies } from '../../../generated/validators.js';

it("a validator reports only the violations of the status's variant", () => {
  const validate = responseBodies.getPayment[200];
  const { succeeded } = responseExamples.getPayment[200];
  expect(validate(succeeded), JSON.stringify(validate.errors)).toBe(true);
  expect(validate({ ...succeeded, amount_paid: 1.5 })).toBe(false);
  const violations = validate.errors?.map(({ instancePath, keyword }) => `${instancePath} ${keyword}`);
  expect(violations).toContain('/amount_paid type');
  expect(violations?.filter((violation) => !violation.startsWith('/amount_paid '))).toEqual([]);
});
