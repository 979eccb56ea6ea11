/** Completions in an editor while a call is typed. */
import { expect, it } from 'vitest';
import { openEnum, readBundle } from '../../contract/src/model.ts';
import { completions } from '../tools/editor.ts';

const HEAD = `import { createPaymentsClient, describeDecline } from '../../client/src/index.ts';
const client = createPaymentsClient({ baseUrl: 'http://service.test', apiKey: 'k' });
`;

const known = (schema: string) => openEnum(readBundle().components.schemas[schema] ?? {})?.known ?? [];

it.each([
  [
    'paths',
    "client.GET('¦')",
    ['/payments', '/payments/{transaction_id}', '/merchant/balance', '/payouts/{payout_id}'],
  ],
  ['fields', 'client.POST("/payments", { body: { ¦ } })', ['amount', 'merchant_order_id', 'callback_url']],
  ['currencies', "client.POST('/payments', { body: { currency: '¦' } })", ['INR', 'EGP', 'MAD', 'DZD']],
  ['payment methods', "client.POST('/payments', { body: { payment_method_type: '¦' } })", known('PaymentMethodType')],
  ['payout methods', "client.POST('/payouts', { body: { payment_method_type: '¦' } })", known('PayoutMethodType')],
  ['levels of trust', "client.POST('/payments', { body: { customer: { kyc_level: '¦' } } })", known('KycLevel')],
  ['reasons of payments', "describeDecline('payment', '¦')", known('PaymentDeclineReason')],
  ['reasons of payouts', "describeDecline('payout', '¦')", known('PayoutDeclineReason')],
])('an editor offers the %s', (_name, program, expected) => {
  expect(expected.length).toBeGreaterThan(0);
  expect(completions('tests/client', HEAD + program)).toEqual(expect.arrayContaining(expected));
});
