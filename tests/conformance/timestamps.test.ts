import { expect, it } from 'vitest';
import { isIso8601 } from '../../conformance/src/core/judge.ts';

it.each([
  ['2026-02-28T10:00:00Z', true],
  ['2028-02-29T10:00:00Z', true],
  ['20280229T100000Z', true],
  ['2026-02-29T10:00:00Z', false],
  ['20260431T100000Z', false],
  ['2026-060T10:00:00Z', true],
  ['2026-W09-1', true],
])('the kit takes %s for a time of ISO 8601: %s', (text, isTime) => {
  expect(isIso8601(text)).toBe(isTime);
});
