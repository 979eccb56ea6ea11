/** Every member of a repeated creation is compared with the first one. */
import { describe, expect, it } from 'vitest';
import { readBundle } from '../../../contract/src/model.ts';
import { problemType } from '../../tools/problems.ts';
import { settled } from '../harness/customer.ts';
import { fund, paymentRequest, payoutRequest } from '../harness/fixtures.ts';
import { startTestGateway } from '../harness.ts';

const CUSTOMER = { name: 'Asha Rao', email: 'asha@example.com', phone: '+919812345671', kyc_level: 'TRUSTED' } as const;
const BANK = { account_number: '1', bank_code: 'HDFC0001234', bank_name: 'HDFC', bank_branch: 'Pune' };

/** A request of each kind with every member of the contract. */
const KINDS = {
  payments: {
    full: () => paymentRequest({ return_url: 'https://shop.example.com/back', customer: CUSTOMER }),
    schema: 'CreatePaymentRequest',
    customer: 'PaymentCustomer',
  },
  payouts: {
    full: () => payoutRequest({ customer: { ...CUSTOMER, ...BANK } }),
    schema: 'CreatePayoutRequest',
    customer: 'PayoutCustomer',
  },
} as const;

type Json = Record<string, unknown>;

const SCHEMAS = readBundle().components.schemas as Json;

/** Required members of a body, and valid values for members that don't take any string. */
const REQUIRED = new Set(['amount', 'currency', 'payment_method_type', 'callback_url', 'id']);
const OTHERS: Json = { currency: 'EGP', kyc_level: 'STANDARD' };

/** Names of the members that the contract gives a schema. */
function listMembers(schema: string): string[] {
  return Object.keys((SCHEMAS[schema] as { properties: Json }).properties).sort();
}

/** The request with each member changed, and with each optional member removed. */
function otherBodies(request: Json): [what: string, other: Json][] {
  return Object.entries(request)
    .filter(([name]) => name !== 'merchant_order_id')
    .flatMap(([name, value]): [string, Json][] => {
      if (name === 'customer')
        return otherBodies(value as Json).map(([what, customer]) => [`customer ${what}`, { ...request, customer }]);
      const { [name]: _, ...without } = request;
      const changed: [string, Json] = [`${name} changed`, { ...request, [name]: otherValue(name, value) }];
      return REQUIRED.has(name) ? [changed] : [changed, [`without ${name}`, without]];
    });
}

function otherValue(name: string, value: unknown): unknown {
  if (typeof value === 'number') return value + 1;
  return OTHERS[name] ?? `${value}1`;
}

describe.each(Object.keys(KINDS) as (keyof typeof KINDS)[])('a creation of %s with a used order id', (kind) => {
  it('and another body is rejected without a change', async () => {
    const test = await startTestGateway();
    await fund(test.gateway.store, test.merchant, 10_000_000);
    const { full, schema, customer } = KINDS[kind];
    const request = full();
    expect(Object.keys(request).sort()).toEqual(listMembers(schema));
    expect(Object.keys(request.customer).sort()).toEqual(listMembers(customer));
    const { body: first } = await test.call('POST', `/${kind}`, request);
    const before = await settled(test, test.call, first.transaction_id);
    const refused = await Promise.all(
      otherBodies({ ...request }).map(async ([what, other], index) => {
        const { status, body } = await test.call('POST', `/${kind}`, other);
        // The member that one request lacks is in the other.
        const order = { merchant_order_id: `order-${index}` };
        await test.call('POST', `/${kind}`, { ...other, ...order });
        const opposite = await test.call('POST', `/${kind}`, { ...request, ...order });
        return { what, status, type: body.type, opposite: opposite.status };
      }),
    );
    const reused = { status: 409, type: problemType('order-id-reused'), opposite: 409 };
    expect(refused).toEqual(refused.map(({ what }) => ({ what, ...reused })));
    expect(await settled(test, test.call, first.transaction_id)).toEqual(before);
  });

  it('gets a problem with the existing transaction and the differing members', async () => {
    const { call, gateway, merchant } = await startTestGateway();
    await fund(gateway.store, merchant, 10_000_000);
    const request = KINDS[kind].full();
    const { body: first } = await call('POST', `/${kind}`, request);
    const customer = { ...request.customer, id: 'customer-2' };
    const { body } = await call('POST', `/${kind}`, { ...request, callback_url: 'https://shop.example/v2', customer });
    const differences = ['/customer/id', '/callback_url'];
    expect(body).toMatchObject({ transaction_id: first.transaction_id, differences });
    expect(body.detail).toContain('created with another customer.id, callback_url.');
    expect(body.detail).toContain(`once that ${kind.slice(0, -1)} is known to have failed`);
  });
});
