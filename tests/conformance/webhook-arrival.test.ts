/** The advice for a webhook that a check needs and that has not arrived. */
import { expect, it } from 'vitest';
import { notArrived } from '../../conformance/src/checks/webhooks/delivery.ts';
import type { Context } from '../../conformance/src/core/check.ts';
import type { TrackedTransaction } from '../../conformance/src/core/transactions.ts';

/** A run in which webhooks with these statuses came to the address, and so many to others. */
function listMissing(statuses: readonly string[], elsewhere: number, baseUrl = 'http://127.0.0.1:4000') {
  const deliveries = statuses.map((status) => ({ body: { status } }));
  const all = [...deliveries, ...Array.from({ length: elsewhere }, () => ({ body: { status: 'FAILED' } }))];
  const receiver = { url: 'http://127.0.0.1:9' };
  const context = { journal: { deliveries: all }, receiver, settings: { baseUrl } } as unknown as Context;
  const { message, remedy } = notArrived(
    context,
    { endpoint: { deliveries } } as unknown as TrackedTransaction,
    'paymentFailed',
  );
  return { message, remedy };
}

it.each([
  ['http://127.0.0.1:4000', 'if it runs in a container, use --webhook-host 0.0.0.0'],
  ['https://sandbox.example.com', "sandbox.example.com can't reach it: use --webhook-host 0.0.0.0, and --webhook-url"],
])('is to make the address reachable if no webhook has come at all from %s', (baseUrl, remedy) => {
  expect(listMissing([], 0, baseUrl)).toEqual({
    message: 'no webhook has arrived at http://127.0.0.1:9',
    remedy: expect.stringContaining(remedy),
  });
});

it.each([
  [[], 'no webhook came here'],
  [['VERIFYING'], '1 webhook came here: VERIFYING'],
])('is to raise the timeout once others have come, and says that %j came here', (statuses, came) => {
  expect(listMissing(statuses, 3)).toEqual({
    message: `paymentFailed has not arrived in time: ${came}`,
    remedy: expect.stringContaining('--timeout'),
  });
});
