/** The domain's tables equal the contract's. */
import { describe, expect, it } from 'vitest';
import { readBundle } from '../../../contract/src/model.ts';
import { senderForm } from '../../../contract/src/sender.ts';
import { PAYMENT_MOVES, PAYOUT_MOVES } from '../../../gateway/src/domain/events.ts';
import { contractMethods, sandboxMethods } from '../../../gateway/src/domain/methods.ts';
import { applyPaymentEvent } from '../../../gateway/src/domain/payment.ts';
import { hasForm } from '../../../gateway/src/domain/rules.ts';
import type { Payment, Step } from '../../../gateway/src/domain/transaction.ts';
import { openTestPayment, START } from '../harness/fixtures.ts';

const MACHINES = senderForm(readBundle())['x-state-machines'];

it.each([
  ['payment', PAYMENT_MOVES],
  ['payout', PAYOUT_MOVES],
] as const)("the moves of a %s are exactly the contract's transitions", (kind, moves) => {
  const pairs = Object.values<object>(moves).flatMap((targets) => Object.entries(targets));
  const inDomain = new Set(pairs.map(([from, to]) => `${from} → ${to}`));
  const later = MACHINES[kind]?.transitions.filter(({ from }) => from !== null) ?? [];
  expect([...inDomain].sort()).toEqual(later.map(({ from, to }) => `${from} → ${to}`).sort());
});

describe('a new payment', () => {
  const open = (changes: object) => openTestPayment(1, changes);

  it('asks for missing data, and is declined without asking if it exceeds a limit', () => {
    const asking = open({ customer: { id: 'one', name: undefined, phone: undefined } });
    expect(asking.transaction.status).toBe('EXTRA_DATA_NEEDED');
    const { transaction, usage } = asking.overLimit?.() ?? {};
    expect(transaction).toMatchObject({ status: 'CREATED', openedAs: 'CREATED' });
    expect(usage).toBeUndefined();
  });

  it('drops the largest offered amount over a limit', () => {
    const payData = { receiver_account: 'a@bank', available_amounts: [200, 300, 100] };
    const event = { type: 'confirmation_needed', payData, confirm: ['tid'] } as const;
    let step: Step<Payment> | undefined = applyPaymentEvent(sandboxMethods, open({}).transaction, event, START);
    const offered: unknown[] = [];
    for (; step; step = step.overLimit?.())
      offered.push([step.transaction.payData?.available_amounts, step.usage?.amount]);
    expect(offered).toEqual([
      [[200, 300, 100], 300],
      [[200, 100], 200],
      [[100], 100],
      [undefined, undefined],
    ]);
  });

  it.each([
    ['UPI_IN', 15],
    ['WALLET_EG', 30],
    ['UNKNOWN', 15],
  ])('with %s expires after %d minutes', (method, minutes) => {
    expect(open({ payment_method_type: method }).transaction.expiresAt).toBe(START + minutes * 60_000);
  });
});

const [upi, imps] = contractMethods;

it.each([
  ['asha@upi', true, true],
  ['123456789', false, true],
  ['12345678', false, false],
  ['1234567890123456789', false, false],
  ['!asha@upi', false, false],
  ['asha@upi!', false, false],
  ['asha@upi\n', false, false],
])('an account %j has the form of UPI: %s, of IMPS: %s', (account, isUpi, isImps) => {
  expect([upi, imps].map((method) => method && hasForm(method, account))).toEqual([isUpi, isImps]);
});
