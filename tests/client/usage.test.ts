/** Code that apps write against the client's types. Each snippet compiles unchanged: see the stage `types`. */
import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  type CreatePaymentRequest,
  type Currency,
  currencies,
  currencyNames,
  describeDecline,
  isFinal,
  isPayout,
  minorUnits,
  type OtherProblem,
  type Payment,
  type PaymentBase,
  type PaymentFailed,
  type PaymentStatus,
  type Payout,
  type PayoutStatus,
  type Problem,
  paymentMethodNames,
  paymentMethodOf,
  paymentMethods,
  type paymentStatuses,
  payoutStatuses,
  type ValidationProblem,
  type Violation,
} from '../../client/src/index.ts';
import { dispatchWebhook, type WebhookEvent, type WebhookHandlers } from '../../client/src/webhooks.ts';
import { findPaymentDeclineReason } from '../../generated/decline-reasons.ts';
import { requestExamples, responseExamples, webhookExamples } from '../../generated/examples.ts';
import { json, serve } from './service.ts';

const CREATED = responseExamples.createPayment[200]['h2h-upi'];
const body = requestExamples.createPayment['h2h-upi'].body;

describe('an app', () => {
  it('stores the responses of creations, status reads and webhooks in one map', async () => {
    const { client } = serve([json(CREATED)]);
    const payments = new Map<string, Payment>();
    const { data } = await client.POST('/payments', { body });
    if (data) payments.set(data.transaction_id, data);
    const paid: Payment = webhookExamples.paymentSucceeded.succeeded;
    payments.set(paid.transaction_id, paid);
    expect([...payments.values()].map(({ status }) => status)).toContain('SUCCESS');
  });

  it('labels every status', () => {
    const labels: Record<PaymentStatus | PayoutStatus, string> = {
      CREATED: 'Started',
      EXTRA_DATA_NEEDED: 'Details needed',
      PAY_CONFIRMATION_NEEDED: 'Waiting for your transfer',
      VERIFYING: 'Checking',
      PROCESSING: 'On its way',
      SUCCESS: 'Done',
      FAILED: 'Declined',
    };
    // @ts-expect-error a status without a label
    const incomplete: Record<PayoutStatus, string> = { PROCESSING: 'On its way', SUCCESS: 'Done' };
    expect(Object.keys(labels)).toEqual(expect.arrayContaining(Object.keys(incomplete)));
  });

  it('renders a row for any payment', () => {
    const row = (payment: PaymentBase) => `${payment.merchant_order_id} ${payment.status} ${paymentMethodOf(payment)}`;
    expect(row(CREATED)).toBe('order-1009 CREATED UPI_IN');
    expect(row(webhookExamples.paymentSucceeded.succeeded)).toMatch(/SUCCESS UPI_IN$/);
  });

  it('sends the payer to the payment page', () => {
    const pageOf = (payment: typeof redirect | typeof CREATED) =>
      payment.status === 'CREATED' && 'redirect_url' in payment ? payment.redirect_url : undefined;
    const redirect = responseExamples.createPayment[200]['redirect-upi'];
    expect([pageOf(redirect), pageOf(CREATED)]).toEqual([redirect.redirect_url, undefined]);
  });

  it('finds a payment by one identifier', () => {
    const { client } = serve([]);
    const calls = () => [
      client.GET('/payments', { params: { query: { merchant_order_id: 'order-1' } } }),
      client.GET('/payments', { params: { query: { transaction_id: 'pay_1' } } }),
      // @ts-expect-error neither parameter is given
      client.GET('/payments', { params: { query: {} } }),
      // @ts-expect-error no parameter is given
      client.GET('/payments'),
      // @ts-expect-error both parameters are given
      client.GET('/payments', { params: { query: { merchant_order_id: 'order-1', transaction_id: 'pay_1' } } }),
    ];
    expect(calls).toBeTypeOf('function');
  });

  it('looks up an id from an address unchanged', () => {
    const { client } = serve([]);
    const page = (url: URL) => {
      const transaction_id = url.pathname.split('/').at(-1) ?? '';
      return client.GET('/payments/{transaction_id}', { params: { path: { transaction_id } } });
    };
    expect(page).toBeTypeOf('function');
  });

  it('shows violations next to the fields of a form', async () => {
    const violations: Violation[] = [{ in: 'body', pointer: '/amount', message: 'must be at least 1' }];
    const { client } = serve([json({ title: 'Invalid', status: 400, violations }, 400)]);
    const { error } = await client.POST('/payments', { body });
    if (error?.status !== 400) throw new Error('the service accepts it');
    expectTypeOf(error).toEqualTypeOf<ValidationProblem>();
    const byField = Object.fromEntries(error.violations.map(({ pointer, message }) => [pointer, message]));
    expect(byField).toEqual({ '/amount': 'must be at least 1' });
  });

  it('can rely on violations and the status of a 400 from any service', async () => {
    const { client } = serve([json({ title: 'Bad request' }, 400), json({ title: 'Conflict' }, 409)]);
    const refused = await client.POST('/payments', { body });
    expect(refused.error).toEqual({ title: 'Bad request', status: 400, violations: [] });
    const reused = await client.POST('/payments', { body });
    expect(reused.error).toEqual({ title: 'Conflict', status: 409 });
  });

  it('decides by the status of a problem', () => {
    const advice = (problem: Problem): string => {
      switch (problem.status) {
        case 400:
          return problem.violations.map(({ message }) => message).join();
        case 401:
          return 'Check the API key.';
        case 409:
          return 'Use another order ID.';
        default:
          expectTypeOf(problem).toEqualTypeOf<OtherProblem>();
          return problem.detail ?? 'Try again later.';
      }
    };
    // @ts-expect-error a success is not a problem
    const never = (problem: Problem) => problem.status === 200;
    expect([advice({ status: 409 }), advice({}), never({})]).toEqual([
      'Use another order ID.',
      'Try again later.',
      false,
    ]);
  });

  it('passes optional form values unchanged', () => {
    const form: { name?: string | undefined; email?: string | undefined; shop?: string | undefined } = { name: 'Asha' };
    const request: CreatePaymentRequest = {
      ...body,
      customer: { id: 'customer-1', name: form.name, email: form.email, kyc_level: undefined },
      return_url: form.shop,
    };
    expect(JSON.parse(JSON.stringify(request)).customer).toEqual({ id: 'customer-1', name: 'Asha' });
  });

  it('supplies the data that a payment asks for by name', () => {
    const { client } = serve([]);
    const clarify = (payment: Extract<Payment, { status: 'EXTRA_DATA_NEEDED' }>, entries: Map<string, string>) =>
      client.POST('/payments/{transaction_id}/clarify', {
        params: { path: { transaction_id: payment.transaction_id } },
        body: { clarify_data: Object.fromEntries(payment.clarify.map((name) => [name, entries.get(name)])) },
      });
    expect(clarify).toBeTypeOf('function');
  });

  it("fills drop-downs with the contract's names", () => {
    const options = currencies.map((code) => `${code}: ${currencyNames[code]}, ${minorUnits[code]} decimals`);
    expect(options).toContain('MAD: Moroccan dirham, 2 decimals');
    expectTypeOf<(typeof currencies)[number]>().toEqualTypeOf<Currency>();
    expectTypeOf<(typeof paymentStatuses)[number]>().toEqualTypeOf<PaymentStatus>();
    expectTypeOf<(typeof payoutStatuses)[number]>().toEqualTypeOf<PayoutStatus>();
    expect(paymentMethods.map((method) => paymentMethodNames[method])).toEqual(['UPI in India']);
    expect(payoutStatuses).toEqual(['PROCESSING', 'SUCCESS', 'FAILED']);
  });

  it('explains any decline without a cast', () => {
    const explain = (event: WebhookEvent) =>
      event.status === 'FAILED' ? describeDecline(event.kind, event.data.decline_reason).suggested_action : undefined;
    const declined = webhookExamples.paymentFailed.declined;
    const event = { kind: 'payment', status: 'FAILED', data: declined } as WebhookEvent;
    expect(explain(event)).toMatch(/contact support/);
    expect(findPaymentDeclineReason(declined.decline_reason)).toBeUndefined();
    expect(findPaymentDeclineReason('toString')).toBeUndefined();
    expect(findPaymentDeclineReason('KYC_BLOCKED')?.meaning).toBe('KYC failed');
  });

  it('handles webhooks by a map of handlers', async () => {
    const log: string[] = [];
    const handlers: WebhookHandlers<Promise<void>> = {
      paymentSucceeded: async (payment) => void log.push(`paid ${payment.amount_paid}`),
      paymentExtraDataNeeded: async ({ clarify }) => void log.push(`ask for ${clarify.join()}`),
      payoutFailed: async ({ decline_reason }) => void log.push(`retry ${decline_reason}`),
    };
    await dispatchWebhook(webhookExamples.paymentSucceeded.succeeded, handlers);
    await dispatchWebhook(webhookExamples.payoutFailed.declined, handlers);
    await dispatchWebhook(webhookExamples.paymentFailed.declined, handlers);
    expect(log).toEqual(['paid 49900', 'retry INVALID_ACCOUNT_NUMBER']);
    // @ts-expect-error there is no such event
    const unknown: WebhookHandlers = { paymentRefunded: () => {} };
    expect(Object.keys(unknown)).toEqual(['paymentRefunded']);
  });

  it('narrows an event by its name', () => {
    const tell = (event: WebhookEvent): string => {
      switch (event.name) {
        case 'paymentSucceeded':
          return `${event.data.amount_paid}`;
        case 'payoutSucceeded':
          return event.data.finalized_at;
        default:
          return event.status;
      }
    };
    const data = webhookExamples.paymentSucceeded.succeeded;
    expect(tell({ name: 'paymentSucceeded', data } as WebhookEvent)).toBe('49900');
  });

  it('tells payouts from payments', () => {
    const all = [webhookExamples.paymentFailed.declined, webhookExamples.payoutFailed.declined];
    const kinds = all.map((one) => {
      if (isPayout(one)) expectTypeOf(one).not.toHaveProperty('amount_paid');
      else expectTypeOf(paymentMethodOf(one)).toEqualTypeOf<'UPI_IN' | (string & {}) | undefined>();
      return isPayout(one) ? 'payout' : 'payment';
    });
    expect(kinds).toEqual(['payment', 'payout']);
    // @ts-expect-error a payment is not a payout, although it has all of a payout's fields
    const mixed = (payment: PaymentFailed): Payout => payment;
    expect(mixed).toBeTypeOf('function');
  });

  it('updates its state with any read', () => {
    type State = { readonly payments: ReadonlyMap<string, Payment> };
    const reduce = ({ payments }: State, payment: Payment): State => {
      const known = payments.get(payment.transaction_id);
      return known && isFinal(known)
        ? { payments }
        : { payments: new Map(payments).set(payment.transaction_id, payment) };
    };
    const { payments } = reduce(reduce({ payments: new Map() }, CREATED), webhookExamples.paymentSucceeded.succeeded);
    expect(payments.size).toBeGreaterThan(0);
  });
});
