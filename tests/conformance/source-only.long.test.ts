import { expect, test } from 'vitest';
import { verifySourceOnly } from './source-only.ts';

test('no check convicts a service that follows only the source', async () => {
  const results = await verifySourceOnly();
  const convicting = results.filter(({ verdict }) => verdict === 'violating' || verdict === 'fault');
  expect(convicting.map(({ id, findings, reason }) => ({ id, findings, reason }))).toEqual([]);
  const at = (id: string) => results.find((result) => result.id === id)?.verdict;
  expect([at('repeat/payment/at-once'), at('repeat/payout/at-once')]).toEqual(['differs', 'differs']);
}, 600_000);
