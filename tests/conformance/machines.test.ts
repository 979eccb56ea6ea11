import { expect, it } from 'vitest';
import { loadContract } from '../../conformance/src/document/contract.ts';

it.each(['constructor', '__proto__', 'toString'])('%s is a status of no machine', (status) => {
  const { payment, payout } = loadContract().machines;
  expect([payment.states[status], payout.states[status]]).toEqual([undefined, undefined]);
  expect(Object.keys(payment.states)).toContain('SUCCESS');
});
