/** The stored summary of an error: readable and without secrets. */
import { expect, it } from 'vitest';
import { summarizeError } from '../../../gateway/src/platform/log.ts';

it.each([
  ['its name and message', new RangeError('too far'), 'RangeError: too far'],
  ['one line', new Error('first\n  second\u0000third'), 'Error: first second third'],
  ['what was thrown in place of an error', 'only text', 'only text'],
  ['no API key', new Error('key sk_test_demo_0123456789abc is unknown'), 'Error: key sk_test_… is unknown'],
  ['no signing secret', new Error('signed with whsec_AAAA+b/c=='), 'Error: signed with whsec_…'],
  [
    'no credentials of a header',
    new Error('sent Authorization: Bearer abc.DEF-123'),
    'Error: sent Authorization: Bearer …',
  ],
  [
    'no credentials of a URL',
    new Error('postgres://me:pass@db.example/x failed'),
    'Error: postgres://…@db.example/x failed',
  ],
])('the summary of an error is %s', (_what, error, summary) => {
  expect(summarizeError(error)).toBe(summary);
});

it('the summary of an error is cut to 300 characters without splitting one', () => {
  const summary = summarizeError(new Error('😀'.repeat(10_000)));
  expect(summary).toHaveLength(300);
  expect(summary.isWellFormed()).toBe(true);
});
