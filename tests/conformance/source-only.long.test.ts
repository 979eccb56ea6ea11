import { expect, test } from 'vitest';
import { verifySourceOnly } from './source-only.ts';

test('no check reports a service that follows only the source', async () => {
  const results = await verifySourceOnly();
  const reporting = results.filter(({ verdict }) => verdict === 'violating' || verdict === 'fault');
  expect(reporting.map(({ id, findings, reason }) => ({ id, findings, reason }))).toEqual([]);
  const at = (id: string) => results.find((result) => result.id === id)?.verdict;
  expect([at('repeat/payment/at-once'), at('repeat/payout/at-once')]).toEqual(['differs', 'differs']);
}, 600_000);
