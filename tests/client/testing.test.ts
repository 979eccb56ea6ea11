import { describe, expect, expectTypeOf, it } from 'vitest';
import * as fixtures from '../../client/src/testing.ts';
import { signWebhook, verifyWebhook } from '../../client/src/webhooks.ts';
import { readBundle, webhooks } from '../../contract/src/model.ts';
import { webhookExamples } from '../../generated/examples.ts';
import type { PaymentSucceeded, PayoutFailed, WebhookPayload } from '../../generated/types.ts';
import { webhookBodies } from '../../generated/validators.js';

const {
  examplePaymentConfirmationNeeded,
  examplePaymentExtraDataNeeded,
  examplePaymentSucceeded,
  examplePayoutFailed,
} = fixtures;
const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const WEBHOOKS = webhooks(readBundle()).map(({ id }) => id as keyof typeof webhookExamples);
const CHANGES = {
  transaction_id: 'tx_7',
  merchant_order_id: 'order-7',
  amount: 100,
  currency: 'MAD',
  created_at: '2026-05-01T00:00:00Z',
} as const;

type Fixture = (changes?: object) => WebhookPayload;
const fixtureOf = (webhook: string) =>
  (fixtures as unknown as Record<string, Fixture>)[`example${webhook.charAt(0).toUpperCase()}${webhook.slice(1)}`];

describe('a fixture', () => {
  it('exists for exactly the webhooks of the contract', () => {
    expect(Object.keys(fixtures).filter((name) => name.startsWith('example'))).toHaveLength(WEBHOOKS.length);
    expect(WEBHOOKS.map(fixtureOf)).not.toContain(undefined);
  });

  describe.each(WEBHOOKS)('of %s', (webhook) => {
    const make = fixtureOf(webhook) as Fixture;

    it("is the contract's example", () => {
      expect(make()).toEqual(Object.values(webhookExamples[webhook])[0]);
      expect(make({ amount: undefined })).toEqual(make());
    });

    it('has the changes and fits its schema', () => {
      const body = make(CHANGES);
      expect(body).toMatchObject({ ...CHANGES, status: make().status });
      expect(webhookBodies[webhook](body)).toBe(true);
    });

    it('is verified once signed', async () => {
      const body = make(CHANGES);
      const event = await verifyWebhook({ ...(await signWebhook({ body, secret: SECRET })), secret: SECRET });
      expect(event.data).toEqual(body);
    });

    it('is a new copy, which a test may change', () => {
      const first = make() as unknown as Record<string, unknown>;
      for (const value of Object.values(first)) if (Array.isArray(value)) value.length = 0;
      expect(make()).toEqual(Object.values(webhookExamples[webhook])[0]);
    });
  });

  it('keeps derived amounts equal to the amount, unless given', () => {
    expect(examplePaymentSucceeded({ amount: 100 }).amount_paid).toBe(100);
    expect(examplePaymentSucceeded({ amount: 100, amount_paid: 90 })).toMatchObject({ amount: 100, amount_paid: 90 });
    expect(examplePaymentSucceeded({ amount_paid: 90 })).toMatchObject({ amount: 49_900, amount_paid: 90 });
    expect(examplePaymentConfirmationNeeded({ amount: 100 }).pay_data.available_amounts).toEqual([100, 50_000]);
    expect(examplePaymentExtraDataNeeded({ payment_method_type: 'X' }).payment_method).toBe('X');
  });

  it('is typed by its event', () => {
    expectTypeOf(examplePaymentSucceeded()).toEqualTypeOf<PaymentSucceeded>();
    expectTypeOf(examplePayoutFailed({ decline_reason: 'FRAUD_SUSPECTED' })).toEqualTypeOf<PayoutFailed>();
    const wrong = [
      // @ts-expect-error an amount is a number
      () => examplePaymentSucceeded({ amount: '1' }),
      // @ts-expect-error a success has no decline_reason
      () => examplePaymentSucceeded({ decline_reason: 'BANK_REJECTED' }),
      // @ts-expect-error another status is another event
      () => examplePayoutFailed({ status: 'SUCCESS' }),
    ];
    expect(wrong).toHaveLength(3);
  });
});
