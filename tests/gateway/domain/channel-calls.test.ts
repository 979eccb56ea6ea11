import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CALL_ENTRIES_MAX,
  type CallResult,
  listCalls,
  withBegunCall,
  withEndedCall,
} from '../../../gateway/src/domain/channel-calls.ts';
import { askAgain, beginCall, CALL_LEASE_MS, retryCall } from '../../../gateway/src/domain/schedule.ts';
import type { ChannelCallName, Payment } from '../../../gateway/src/domain/transaction.ts';
import { openTestPayment, START } from '../harness/fixtures.ts';

const OPENED = openTestPayment(1).transaction;

/** The payment after a call without a status change. */
function called(payment: Payment, call: ChannelCallName, at: number, result: CallResult, error?: string): Payment {
  return { ...payment, calls: withEndedCall(payment, { call, at, took: 20, result, error }) };
}

describe('the calls of a channel', () => {
  it('include the call of a process that died, next to the following one', () => {
    const { transaction } = beginCall(OPENED, START);
    const taken = { ...transaction, calls: withBegunCall(transaction, START) };
    const again = START + CALL_LEASE_MS;
    expect(listCalls(called(taken, 'initiate', again, 'no_response'))).toEqual([
      { call: 'initiate', at: START, times: 1, lastAt: START },
      { call: 'initiate', at: again, result: 'no_response', took: 20, times: 1, lastAt: again },
    ]);
  });

  it('never go back, although a sandbox clock can', () => {
    const later = START + 3_600_000;
    const ahead = called(called(OPENED, 'verify', START - 1_000, 'ask_again'), 'verify', later, 'ask_again');
    expect(listCalls(ahead)).toMatchObject([{ at: START, lastAt: later }]);
    expect(listCalls(called(ahead, 'verify', START, 'ask_again'))).toMatchObject([{ at: START, lastAt: later }]);
    expect(listCalls(called(ahead, 'cancel', START, 'ask_again'))).toMatchObject([{}, { at: later }]);
  });

  it('keep the newest error of similar calls', () => {
    const refused = called(OPENED, 'initiate', START, 'no_response', 'refused');
    const late = called(refused, 'initiate', START, 'no_response', 'timeout');
    expect(listCalls(late)).toEqual([expect.objectContaining({ error: 'timeout', times: 2 })]);
  });

  it('are repeated with increasing delays until the channel responds', () => {
    let { transaction } = beginCall(OPENED, START);
    const delays = Array.from({ length: 8 }, () => {
      const step = retryCall(transaction, new Error('no response'), START);
      transaction = step.transaction;
      return (transaction.dueAt ?? 0) - START;
    });
    expect(delays).toEqual([2, 4, 8, 16, 32, 60, 60, 60].map((seconds) => seconds * 1_000));
  });

  it('are at least a second apart, even if the channel asks for an earlier one', () => {
    expect(askAgain(OPENED, START - 5_000, START).transaction.dueAt).toBe(START + 1_000);
  });

  it('are limited to the first and the newest ones', () => {
    const call = fc.constantFrom<ChannelCallName>('initiate', 'clarify', 'verify', 'cancel');
    const result = fc.constantFrom<CallResult>('ask_again', 'no_response', 'unavailable', 'clarified');
    fc.assert(
      fc.property(fc.array(fc.tuple(call, result), { minLength: 1, maxLength: 100, size: 'max' }), (made) => {
        let payment: Payment = OPENED;
        let runs = 0;
        for (const [index, [name, outcome]] of made.entries()) {
          const before = made[index - 1];
          if (before?.[0] !== name || before[1] !== outcome) runs++;
          payment = retryCall(called(payment, name, START + index, outcome), undefined, START + index).transaction;
        }
        const shown = listCalls(payment);
        expect(shown).toHaveLength(Math.min(runs, CALL_ENTRIES_MAX));
        expect([shown[0]?.call, shown[0]?.result, shown[0]?.at]).toEqual([...(made[0] ?? []), START]);
        expect(shown.at(-1)?.lastAt).toBe(START + made.length - 1);
        const counted = shown.reduce((sum, { times }) => sum + times, 0);
        if (runs <= CALL_ENTRIES_MAX) expect(counted).toBe(made.length);
      }),
    );
  });
});
