import { expect, test } from 'vitest';
import { verifyService } from '../../conformance/src/run/verify.ts';
import { startSourceOnly } from './source-only.ts';

test('a service that follows only the source violates nothing, and differs where it chose otherwise', async () => {
  const service = await startSourceOnly();
  const { results } = await verifyService({
    baseUrl: service.url,
    secret: 'whsec_c2VjcmV0',
    timeoutMs: 2_500,
    walks: 2,
  });
  await service.close();
  const of = (verdict: string) => results.filter((result) => result.verdict === verdict);
  expect(of('violating').map(({ id, findings }) => ({ id, findings }))).toEqual([]);
  expect(of('fault').map(({ id, reason }) => ({ id, reason }))).toEqual([]);
  expect(of('differs').map(({ id }) => id)).toEqual(
    expect.arrayContaining([
      'repeat/payment/same',
      'webhook/signature',
      'webhook/retry/gone',
      'bad-request/findPayment/unknown-parameter',
    ]),
  );
}, 120_000);
