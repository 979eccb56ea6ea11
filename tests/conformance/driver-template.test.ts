/** The driver template sends valid bodies. */
import { expect, it } from 'vitest';
import template from '../../conformance/driver-template.ts';
import { fund } from '../gateway/harness/fixtures.ts';
import { startTestGateway } from '../gateway/harness.ts';

const more = { merchant_order_id: 'order-1', callback_url: 'https://shop.example/webhooks' };

it.each([
  ['a payment, host to host', '/payments', template.payment({ flow: 'h2h', until: 'SUCCESS' })],
  ['a payment by redirect', '/payments', template.payment({ flow: 'redirect', until: 'FAILED' })],
  ['a payment without its data', '/payments', template.payment({ flow: 'h2h', until: 'SUCCESS', asks: true })],
  ['a payout', '/payouts', template.payout({ until: 'SUCCESS' })],
])('the template’s body of %s is one of the contract', async (_what, path, body) => {
  const { call, gateway, merchant } = await startTestGateway();
  await fund(gateway.store, merchant, 1_000_000);
  const { status, body: response } = await call('POST', path, { ...body, ...more });
  expect({ status, violations: response.violations }).toEqual({
    status: path === '/payouts' ? 201 : 200,
    violations: undefined,
  });
});
