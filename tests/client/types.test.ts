/** The types from the view of a program that imports the client. The compiler verifies them: see the stage `types`. */
import { join } from 'node:path';
import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  type CallError,
  type CallOptions,
  type CreatePaymentResponse,
  type CreatePayoutResponse,
  isPayout,
  type Payment,
  type PaymentConfirmationNeeded,
  type PaymentExtraDataNeeded,
  type PaymentFailed,
  type PaymentSucceeded,
  type PaymentsClientOptions,
  type PaymentWaitResult,
  type Payout,
  type PayoutFailed,
  type PayoutSucceeded,
  type PayoutWaitResult,
  type Problem,
  paymentMethodOf,
  type RetryOptions,
  type WaitOptions,
} from '../../client/src/index.ts';
import type { PayoutEvent, SignOptions, VerifyOptions, WebhookEvent } from '../../client/src/webhooks.ts';
import { requestExamples } from '../../generated/examples.ts';
import { ROOT, run } from '../../scripts/tools/process.ts';
import { json, serve } from './service.ts';

const CREATION = requestExamples.createPayment['h2h-upi'].body;
const { client } = serve([json({})]);
/** The type of a call's result, without making the call. */
const answer = <T>(_call: () => Promise<T>) => ({}) as T;
const byId = { params: { path: { transaction_id: 'pay_1' } } };

it('an operation resolves with its success or a problem', () => {
  const found = answer(() => client.GET('/payments', { params: { query: { merchant_order_id: 'order-1' } } }));
  expectTypeOf(found.data).toEqualTypeOf<Payment | undefined>();
  const created = answer(() => client.POST('/payments', { body: CREATION }));
  expectTypeOf(created.data).toEqualTypeOf<CreatePaymentResponse | undefined>();
  const payout = answer(() => client.POST('/payouts', { body: requestExamples.createPayout['imps-inr'].body }));
  expectTypeOf(payout.data).toEqualTypeOf<CreatePayoutResponse | undefined>();
  for (const { error } of [found, created, payout]) {
    expectTypeOf(error).toEqualTypeOf<Problem | undefined>();
  }
});

describe('an option', () => {
  /** The names of optional options that don't accept undefined. The compiler runs with exactOptionalPropertyTypes. */
  type Strict<T> = {
    [K in keyof T]-?: object extends Pick<T, K> ? (undefined extends T[K] ? never : K) : never;
  }[keyof T];

  it('accepts undefined if it is optional', () => {
    expectTypeOf<Strict<PaymentsClientOptions>>().toBeNever();
    expectTypeOf<Strict<RetryOptions>>().toBeNever();
    expectTypeOf<Strict<WaitOptions>>().toBeNever();
    expectTypeOf<Strict<VerifyOptions> | Strict<NonNullable<VerifyOptions['scheme']>>>().toBeNever();
    expectTypeOf<Strict<SignOptions>>().toBeNever();
    expectTypeOf<Strict<CallOptions<'GET', '/payments'>>>().toBeNever();
    expectTypeOf<Strict<CallOptions<'POST', '/payments/{transaction_id}/confirm'>>>().toBeNever();
  });
});

it('the client compiles with the libraries of Node 20', async () => {
  const compiler = join(ROOT, 'node_modules/typescript7/bin/tsc');
  await run(process.execPath, [compiler, '-p', join(ROOT, 'client')]);
});

it('a mistake in a call does not compile', () => {
  const query = { merchant_order_id: 'order-1' };
  const mistakes = () => [
    // @ts-expect-error there is no such path
    client.GET('/refunds'),
    // @ts-expect-error no resource is deleted
    client.DELETE('/payments/{transaction_id}', byId),
    // @ts-expect-error the path parameter is missing
    client.GET('/payments/{transaction_id}'),
    // @ts-expect-error the body is missing
    client.POST('/payments'),
    // @ts-expect-error a required field is missing
    client.POST('/payments', { body: { ...CREATION, callback_url: undefined } }),
    // @ts-expect-error there is no such currency
    client.POST('/payments', { body: { ...CREATION, currency: 'USD' } }),
    // @ts-expect-error there is no such field
    client.POST('/payments', { body: { ...CREATION, returnUrl: 'https://shop.example.com' } }),
    // @ts-expect-error there is no such filter
    client.GET('/payments', { params: { query: { ...query, status: 'FAILED' } } }),
    // @ts-expect-error no identifier is given
    client.GET('/payments', { params: { query: {} } }),
    // @ts-expect-error both identifiers are given
    client.GET('/payments', { params: { query: { ...query, transaction_id: 'pay_1' } } }),
  ];
  expect(mistakes).toBeTypeOf('function');
});

describe('results', () => {
  it('of waiting are narrowed by their outcome', () => {
    type Data<W extends { outcome: string }, O> = Extract<W, { outcome: O }> extends { data: infer D } ? D : never;
    expectTypeOf<PaymentWaitResult['outcome']>().toEqualTypeOf<'final' | 'action_needed' | 'deadline' | 'problem'>();
    expectTypeOf<Data<PaymentWaitResult, 'final'>>().toEqualTypeOf<PaymentSucceeded | PaymentFailed>();
    expectTypeOf<Data<PaymentWaitResult, 'action_needed'>>().toEqualTypeOf<
      PaymentExtraDataNeeded | PaymentConfirmationNeeded
    >();
    expectTypeOf<PayoutWaitResult['outcome']>().toEqualTypeOf<'final' | 'deadline' | 'problem'>();
    expectTypeOf<Data<PayoutWaitResult, 'final'>>().toEqualTypeOf<PayoutSucceeded | PayoutFailed>();
    expectTypeOf<Extract<PayoutWaitResult, { outcome: 'deadline' }>['error']>().toEqualTypeOf<
      CallError | Problem | undefined
    >();
  });
});

describe('events', () => {
  it('are narrowed by kind and status', () => {
    expectTypeOf<WebhookEvent['kind']>().toEqualTypeOf<'payment' | 'payout'>();
    expectTypeOf<Extract<WebhookEvent, { kind: 'payout' }>>().toEqualTypeOf<PayoutEvent>();
    type PaymentEvent = Extract<WebhookEvent, { kind: 'payment' }>;
    expectTypeOf<Extract<PaymentEvent, { status: 'SUCCESS' }>['data']>().toEqualTypeOf<PaymentSucceeded>();
    expectTypeOf<Extract<PaymentEvent, { status: 'FAILED' }>['data']>().toEqualTypeOf<PaymentFailed>();
  });
});

describe('an app', () => {
  it('can rely on violations and the status of a 400 from any service', async () => {
    const { client } = serve([json({ title: 'Bad request' }, 400), json({ title: 'Conflict' }, 409)]);
    const refused = await client.POST('/payments', { body: CREATION });
    expect(refused.error).toEqual({ title: 'Bad request', status: 400, violations: [] });
    const reused = await client.POST('/payments', { body: CREATION });
    expect(reused.error).toEqual({ title: 'Conflict', status: 409 });
  });

  it('tells payouts from payments', () => {
    const one = {} as Payment | Payout;
    if (isPayout(one)) expectTypeOf(one).not.toHaveProperty('amount_paid');
    else expectTypeOf(paymentMethodOf(one)).toEqualTypeOf<'UPI_IN' | (string & {}) | undefined>();
    // @ts-expect-error a payment is not a payout, although it has all of a payout's fields
    const mixed = (payment: PaymentFailed): Payout => payment;
    expect(mixed).toBeTypeOf('function');
  });
});

describe('types', () => {
  it('give each status exactly its own fields', () => {
    expectTypeOf<PaymentFailed>().not.toHaveProperty('amount_paid');
    expectTypeOf<Extract<Payment, { status: 'SUCCESS' }>>().not.toHaveProperty('decline_reason');
    expectTypeOf<Extract<Payment, { status: 'CREATED' }>>().not.toHaveProperty('redirect_url');
    expectTypeOf<Extract<CreatePaymentResponse, { status: 'CREATED' }>>().toHaveProperty('redirect_url');
    expectTypeOf<Payout['payment_method']>().toEqualTypeOf<undefined>();
  });
});
