/** The generated types from the view of a program. The compiler verifies them: see the stage `types`. */
import { join } from 'node:path';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type {
  CreatePaymentRequest,
  CreatePaymentResponse,
  CreatePayoutRequest,
  Payment,
  PaymentFailed,
  PaymentMethodType,
  Payout,
  WebhookName,
  WebhookPayloads,
} from '../../../generated/types.ts';
import { ROOT } from '../../../scripts/tools/process.ts';
import { compilerMessages } from '../../tools/compiler-messages.ts';

function neverReached(value: never): never {
  throw new Error(`not covered: ${JSON.stringify(value)}`);
}

function nextStep(payment: Payment): string {
  switch (payment.status) {
    case 'CREATED':
      return `${payment.payment_method ?? payment.payment_method_type}`;
    case 'VERIFYING':
      return payment.payment_method;
    case 'EXTRA_DATA_NEEDED':
      return payment.clarify.join();
    case 'PAY_CONFIRMATION_NEEDED':
      return `${payment.pay_data.receiver_account} ${payment.confirm.join()}`;
    case 'SUCCESS':
      return String(payment.amount_paid);
    case 'FAILED':
      return payment.decline_reason;
    default:
      return neverReached(payment);
  }
}

describe('types', () => {
  it('narrow a payment exhaustively by its status', () => {
    expect(nextStep({ ...base, status: 'SUCCESS', amount_paid: 5, finalized_at: '2026-03-02T09:00:00Z' })).toBe('5');
    expectTypeOf<Extract<Payment, { status: 'FAILED' }>>().toEqualTypeOf<PaymentFailed>();
    expectTypeOf<Payment['status']>().toEqualTypeOf<
      'CREATED' | 'EXTRA_DATA_NEEDED' | 'PAY_CONFIRMATION_NEEDED' | 'VERIFYING' | 'SUCCESS' | 'FAILED'
    >();
    expectTypeOf<Payout['status']>().toEqualTypeOf<'PROCESSING' | 'SUCCESS' | 'FAILED'>();
    expectTypeOf<CreatePaymentResponse['status']>().toEqualTypeOf<
      'CREATED' | 'EXTRA_DATA_NEEDED' | 'PAY_CONFIRMATION_NEEDED' | 'FAILED'
    >();
  });

  it('give each status exactly its own fields', () => {
    expectTypeOf<PaymentFailed>().not.toHaveProperty('amount_paid');
    expectTypeOf<Extract<Payment, { status: 'SUCCESS' }>>().not.toHaveProperty('decline_reason');
    expectTypeOf<Extract<Payment, { status: 'CREATED' }>>().not.toHaveProperty('redirect_url');
    expectTypeOf<Extract<CreatePaymentResponse, { status: 'CREATED' }>>().toHaveProperty('redirect_url');
    expectTypeOf<Payout['payment_method']>().toEqualTypeOf<undefined>();
  });

  it('admit unknown values of open enumerations and none of closed ones', () => {
    expectTypeOf<'CARD_XX'>().toExtend<PaymentMethodType>();
    expectTypeOf<'NEW_REASON'>().toExtend<PaymentFailed['decline_reason']>();
    expectTypeOf<'USD'>().not.toExtend<CreatePaymentRequest['currency']>();
    expectTypeOf<PaymentMethodType>().not.toBeAny();
  });

  it("require exactly the contract's required request fields", () => {
    const minimal: CreatePaymentRequest = {
      amount: 1,
      currency: 'INR',
      merchant_order_id: 'order-1',
      customer: { id: 'customer-1' },
      payment_method_type: 'UPI_IN',
      callback_url: 'https://shop.example.com/webhooks',
    };
    expectTypeOf<CreatePaymentRequest['return_url']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<CreatePaymentRequest['customer']>().not.toHaveProperty('bank_code');
    expectTypeOf<CreatePayoutRequest['customer']>().toHaveProperty('bank_code');
    // @ts-expect-error amount is required
    const broken: CreatePaymentRequest = (({ amount: _, ...rest }) => rest)(minimal);
    expect(broken).not.toHaveProperty('amount');
  });

  it('name the payload of every webhook', () => {
    expectTypeOf<WebhookName>().toEqualTypeOf<
      | 'paymentExtraDataNeeded'
      | 'paymentConfirmationNeeded'
      | 'paymentSucceeded'
      | 'paymentFailed'
      | 'payoutSucceeded'
      | 'payoutFailed'
    >();
    expectTypeOf<WebhookPayloads['paymentFailed']>().toEqualTypeOf<PaymentFailed>();
  });
});

describe('compiler messages', () => {
  it('name types instead of expanding them', () => {
    const file = join(ROOT, 'generated/mistake.ts');
    const mistake = `import type { Payment, Payout, CreatePaymentResponse } from './types.ts';
declare const payment: Payment;
export const payout: Payout = payment;
export const created: CreatePaymentResponse = payment;`;
    const messages = compilerMessages(file, mistake);
    expect(messages).toEqual([
      expect.stringMatching(/^Type 'Payment' is not assignable to type 'Payout'/),
      expect.stringMatching(/^Type 'Payment' is not assignable to type 'CreatePaymentResponse'/),
    ]);
    expect(messages.join()).not.toContain('transaction_id:');
  });
});

const base = {
  transaction_id: 'pay_1',
  merchant_order_id: 'order-1',
  amount: 5,
  currency: 'INR',
  payment_method: 'UPI_IN',
  created_at: '2026-03-02T09:00:00Z',
} as const;
