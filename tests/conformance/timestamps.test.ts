import { expect, it, vi } from 'vitest';
import { isIso8601, readTime } from '../../conformance/src/core/judge.ts';

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

it.each(['2026-02-28T10:00:00', '2026-02-28T10:00:00Z', '2026-02-28T15:30:00+05:30', 'Sat, 28 Feb 2026 10:00:00 GMT'])(
  'reads %s in any time zone as the same time',
  (text) => {
    vi.stubEnv('TZ', 'America/New_York');
    expect(new Date(readTime(text)).toISOString()).toBe('2026-02-28T10:00:00.000Z');
    vi.unstubAllEnvs();
  },
);
