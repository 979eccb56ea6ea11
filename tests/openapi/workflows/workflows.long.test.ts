/** Each step of each workflow fails on a service with a defect there. */
import { describe, expect, it } from 'vitest';
import { H2H, play, WORKFLOWS } from './play.ts';
import type { Behavior } from './service.ts';

const BROKEN: { workflow: string; defect: string; behavior: Behavior; step: string }[] = [
  {
    workflow: 'h2h-payment',
    defect: 'never asks for data',
    behavior: { states: ['CREATED', 'PAY_CONFIRMATION_NEEDED'] },
    step: 'await-data-request',
  },
  {
    workflow: 'h2h-payment',
    defect: 'does not take the data',
    behavior: { states: H2H, broken: 'POST /payments/ID/clarify' },
    step: 'clarify',
  },
  {
    workflow: 'h2h-payment',
    defect: 'settles without a transfer',
    behavior: { states: ['CREATED', 'EXTRA_DATA_NEEDED', 'SUCCESS'] },
    step: 'await-transfer-request',
  },
  {
    workflow: 'h2h-payment',
    defect: 'does not take the confirmation',
    behavior: { states: H2H, broken: 'POST /payments/ID/confirm' },
    step: 'confirm',
  },
  {
    workflow: 'h2h-payment',
    defect: 'refuses the settlement',
    behavior: { states: [...H2H.slice(0, -1), 'FAILED'] },
    step: 'await-success',
  },
  {
    workflow: 'h2h-payment',
    defect: 'hides the balance',
    behavior: { states: H2H.slice(1), broken: 'GET /merchant/balance' },
    step: 'read-balance',
  },
  {
    workflow: 'redirect-payment',
    defect: 'names no payment page',
    behavior: { states: ['CREATED'] },
    step: 'create',
  },
  {
    workflow: 'redirect-payment',
    defect: 'declines at once',
    behavior: { states: ['CREATED', 'FAILED'], redirect: true },
    step: 'get-by-transaction-id',
  },
  {
    workflow: 'redirect-payment',
    defect: 'does not find the order',
    behavior: { states: ['CREATED'], redirect: true, broken: 'GET /payments' },
    step: 'find-by-order-id',
  },
  {
    workflow: 'declined-payment',
    defect: 'continues instead',
    behavior: { states: ['CREATED', 'VERIFYING', 'SUCCESS'] },
    step: 'await-decline',
  },
  {
    workflow: 'payout',
    defect: 'declines',
    behavior: { states: ['PROCESSING', 'FAILED'] },
    step: 'await-completion',
  },
  {
    workflow: 'declined-payout',
    defect: 'pays out instead',
    behavior: { states: ['PROCESSING', 'SUCCESS'] },
    step: 'await-decline',
  },
];

describe.concurrent('a workflow', () => {
  it.each(BROKEN)('$workflow fails when the service $defect', async ({ workflow, behavior, step }) => {
    const played = await play({ [workflow]: behavior });
    expect(played.code, played.stdout).toBe(1);
    expect(played.failed).toBe(step);
  });
});

it('the workflows are all covered by defects', () => {
  expect([...new Set(BROKEN.map(({ workflow }) => workflow))].sort()).toEqual([...WORKFLOWS].sort());
});
