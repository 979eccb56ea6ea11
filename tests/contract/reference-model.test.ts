import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readBundle } from '../../contract/src/model.ts';
import {
  balanceAfter,
  EMPTY,
  isOverdrawn,
  listMovements,
  type Movement,
  readMachines,
  type TransactionKind,
} from '../../contract/src/reference-model.ts';
import { senderForm } from '../../contract/src/sender.ts';

const READER = readMachines(readBundle());
const SENDER = readMachines(senderForm(readBundle()));

describe('the state machines', () => {
  it.each([
    ['payment', null, 'CREATED', true],
    ['payment', null, 'SUCCESS', false],
    ['payment', 'VERIFYING', 'SUCCESS', true],
    ['payment', 'SUCCESS', 'FAILED', false],
    ['payout', 'PROCESSING', 'FAILED', true],
    ['payout', 'CREATED', 'PROCESSING', false],
    ['payment', 'TELEPORTED', 'SUCCESS', false],
  ] as const)('allow a %s from %s to %s: %s', (kind, from, to, allowed) => {
    expect(SENDER.allows(kind, from, to)).toBe(allowed);
  });

  it('include moves that readers accept and this kit never makes', () => {
    expect(READER.allows('payment', 'EXTRA_DATA_NEEDED', 'VERIFYING')).toBe(true);
    expect(SENDER.allows('payment', 'EXTRA_DATA_NEEDED', 'VERIFYING')).toBe(false);
  });

  it('connect two statuses over at most one intermediate one', () => {
    expect(SENDER.allowsOver('payment', 'EXTRA_DATA_NEEDED', 'VERIFYING')).toBe(true);
    expect(SENDER.allowsOver('payment', 'VERIFYING', 'EXTRA_DATA_NEEDED')).toBe(false);
    expect(SENDER.allowsOver('payout', null, 'SUCCESS')).toBe(true);
  });

  it('allow a reader to see the same or a later status, never an earlier one', () => {
    expect(SENDER.follows('payment', 'EXTRA_DATA_NEEDED', 'SUCCESS')).toBe(true);
    expect(SENDER.follows('payment', 'SUCCESS', 'SUCCESS')).toBe(true);
    expect(SENDER.follows('payment', 'VERIFYING', 'EXTRA_DATA_NEEDED')).toBe(false);
  });

  it("have the contract's final statuses and notifications", () => {
    expect(SENDER.isFinal('payout', 'SUCCESS')).toBe(true);
    expect(SENDER.isFinal('payout', 'PROCESSING')).toBe(false);
    expect(SENDER.isFinal('payout', 'VERIFYING')).toBe(false);
    expect(SENDER.isFinal('payout', 'constructor')).toBe(false);
    expect(SENDER.isNotified('payment', 'EXTRA_DATA_NEEDED')).toBe(true);
    expect(SENDER.isNotified('payment', 'VERIFYING')).toBe(false);
    expect(SENDER.isNotified('payout', 'EXTRA_DATA_NEEDED')).toBe(false);
  });
});

describe('the money', () => {
  const FUNDED = { ...EMPTY, available: 1_000 };

  it.each([
    ['payment', { status: 'VERIFYING' }, { available: 1_000, pending: 0, reserved: 0 }],
    ['payment', { status: 'SUCCESS' }, { available: 1_000, pending: 300, reserved: 0 }],
    ['payment', { status: 'SUCCESS', settled: true }, { available: 1_300, pending: 0, reserved: 0 }],
    ['payment', { status: 'FAILED' }, { available: 1_000, pending: 0, reserved: 0 }],
    ['payout', { status: 'PROCESSING' }, { available: 700, pending: 0, reserved: 300 }],
    ['payout', { status: 'SUCCESS' }, { available: 700, pending: 0, reserved: 0 }],
    ['payout', { status: 'FAILED' }, { available: 1_000, pending: 0, reserved: 0 }],
    ['payout', { status: 'FAILED', held: false }, { available: 1_000, pending: 0, reserved: 0 }],
  ] as const)('of a %s with %o is %o', (kind, progress, balance) => {
    expect(balanceAfter(FUNDED, listMovements({ kind, amount: 300, ...progress }))).toEqual(balance);
  });

  it('only gains movements as a transaction advances', () => {
    const stories: Record<TransactionKind, readonly object[]> = {
      payment: [{ status: 'VERIFYING' }, { status: 'SUCCESS' }, { status: 'SUCCESS', settled: true }],
      payout: [{ status: 'PROCESSING' }, { status: 'SUCCESS' }],
    };
    for (const [kind, story] of Object.entries(stories) as [TransactionKind, readonly { status: string }[]][]) {
      let before: Movement[] = [];
      for (const progress of story) {
        const now = listMovements({ kind, amount: 300, ...progress });
        expect(now.slice(0, before.length)).toEqual(before);
        before = now;
      }
    }
  });

  it('cancels out a movement and its reversal', () => {
    const accounts = fc.constantFrom('available', 'pending', 'reserved', 'channel', 'bank');
    const movements = fc.array(
      fc.record({ from: accounts, to: accounts, amount: fc.nat(10_000) }) as fc.Arbitrary<Movement>,
    );
    fc.assert(
      fc.property(movements, (there) => {
        const back = there.map(({ from, to, amount }) => ({ from: to, to: from, amount }));
        expect(balanceAfter(balanceAfter(FUNDED, there), back)).toEqual(FUNDED);
      }),
    );
  });

  it.each(['available', 'pending', 'reserved'] as const)('is overdrawn if %s is below zero', (account) => {
    expect(isOverdrawn({ ...FUNDED, [account]: -1 })).toBe(true);
    expect(isOverdrawn(FUNDED)).toBe(false);
  });
});
