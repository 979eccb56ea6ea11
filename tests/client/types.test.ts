/** The types from the view of a program that imports the client. The compiler verifies them: see the stage `types`. */
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  type Balance,
  type CallError,
  type CallEvent,
  type CallOptions,
  type ConfirmPaymentResponse,
  type CreatePaymentResponse,
  type CreatePayoutResponse,
  createPaymentsClient,
  describeDecline,
  formatMoney,
  isFinal,
  isPayout,
  kindOf,
  needsAction,
  type OtherProblem,
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
import type {
  PayoutEvent,
  SignOptions,
  VerifyOptions,
  WebhookEvent,
  WebhookHandlers,
} from '../../client/src/webhooks.ts';
import { requestExamples } from '../../generated/examples.ts';
import type { CreatePaymentRequest, PaymentMethodType } from '../../generated/types.ts';
import { ROOT, run } from '../../scripts/tools/process.ts';
import { compilerMessages } from '../tools/compiler-messages.ts';
import { json, serve } from './service.ts';

function neverReached(value: never): never {
  throw new Error(`not covered: ${JSON.stringify(value)}`);
}

const CREATION = requestExamples.createPayment['h2h-upi'].body;
const { client } = serve([json({})]);
/** The type of a call's result, without making the call. */
const answer = <T>(_call: () => Promise<T>) => ({}) as T;
const byId = { params: { path: { transaction_id: 'pay_1' } } };

describe('each operation', () => {
  it('resolves with its success or a problem', () => {
    const found = answer(() => client.GET('/payments', { params: { query: { merchant_order_id: 'order-1' } } }));
    expectTypeOf(found.data).toEqualTypeOf<Payment | undefined>();
    const created = answer(() => client.POST('/payments', { body: CREATION }));
    expectTypeOf(created.data).toEqualTypeOf<CreatePaymentResponse | undefined>();
    const read = answer(() => client.GET('/payments/{transaction_id}', byId));
    expectTypeOf(read.data).toEqualTypeOf<Payment | undefined>();
    const clarified = answer(() =>
      client.POST('/payments/{transaction_id}/clarify', { ...byId, body: { clarify_data: { name: 'Asha' } } }),
    );
    expectTypeOf(clarified.data).toEqualTypeOf<Payment | undefined>();
    const confirmed = answer(() =>
      client.POST('/payments/{transaction_id}/confirm', { ...byId, body: { confirm_data: { tid: '1' } } }),
    );
    expectTypeOf(confirmed.data).toEqualTypeOf<ConfirmPaymentResponse | undefined>();
    const balance = answer(() => client.GET('/merchant/balance'));
    expectTypeOf(balance.data).toEqualTypeOf<Balance | undefined>();
    const payout = answer(() => client.POST('/payouts', { body: requestExamples.createPayout['imps-inr'].body }));
    expectTypeOf(payout.data).toEqualTypeOf<CreatePayoutResponse | undefined>();
    const paidOut = answer(() => client.GET('/payouts/{payout_id}', { params: { path: { payout_id: 'out_1' } } }));
    expectTypeOf(paidOut.data).toEqualTypeOf<Payout | undefined>();

    for (const { error } of [found, created, read, clarified, confirmed, balance, payout, paidOut]) {
      expectTypeOf(error).toEqualTypeOf<Problem | undefined>();
    }
  });
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
    const signal: AbortSignal | undefined = undefined;
    const calls = () => [
      client.GET('/merchant/balance', { signal, headers: undefined }),
      client.POST('/payments', { body: CREATION, signal }),
      createPaymentsClient({ baseUrl: 'http://service.test', apiKey: process.env['API_KEY'] }),
      formatMoney(1, 'INR', { locale: undefined }),
    ];
    expect(calls).toBeTypeOf('function');
  });

  it('accepts an async listener', () => {
    expectTypeOf<(event: CallEvent) => Promise<void>>().toExtend<PaymentsClientOptions['onEvent']>();
  });
});

describe('the client', () => {
  it('compiles with the libraries of Node 20', async () => {
    const compiler = join(ROOT, 'node_modules/typescript7/bin/tsc');
    await run(process.execPath, [compiler, '-p', join(ROOT, 'client')]);
  });
});

describe('a mistake in a call', () => {
  it('does not compile', () => {
    const mistakes = () => [
      // @ts-expect-error there is no such path
      client.GET('/refunds'),
      // @ts-expect-error responses are JSON
      client.GET('/merchant/balance', { parseAs: 'text' }),
      // @ts-expect-error nothing is deleted
      client.DELETE('/payments/{transaction_id}', byId),
      // @ts-expect-error the path parameter is missing
      client.GET('/payments/{transaction_id}'),
      // @ts-expect-error the path parameter has another name
      client.GET('/payouts/{payout_id}', byId),
      // @ts-expect-error the body is missing
      client.POST('/payments'),
      // @ts-expect-error a required field is missing
      client.POST('/payments', { body: { ...CREATION, callback_url: undefined } }),
      // @ts-expect-error amounts are numbers
      client.POST('/payments', { body: { ...CREATION, amount: '499' } }),
      // @ts-expect-error there is no such currency
      client.POST('/payments', { body: { ...CREATION, currency: 'USD' } }),
      // @ts-expect-error there is no such field
      client.POST('/payments', { body: { ...CREATION, returnUrl: 'https://shop.example.com' } }),
      // @ts-expect-error payers have no bank
      client.POST('/payments', { body: { ...CREATION, customer: { id: 'c', bank_code: 'b' } } }),
      // @ts-expect-error items are text
      client.POST('/payments/{transaction_id}/confirm', { ...byId, body: { confirm_data: { tid: 1 } } }),
      // @ts-expect-error there is no such filter
      client.GET('/payments', { params: { query: { merchant_order_id: 'order-1', status: 'FAILED' } } }),
    ];
    expect(mistakes).toBeTypeOf('function');
  });
});

describe('results', () => {
  it('of waiting are narrowed exhaustively', () => {
    const describeWait = (waited: PaymentWaitResult): string => {
      switch (waited.outcome) {
        case 'final':
          return waited.data.status === 'SUCCESS' ? `${waited.data.amount_paid}` : waited.data.decline_reason;
        case 'action_needed':
          return waited.data.status === 'EXTRA_DATA_NEEDED' ? waited.data.clarify.join() : waited.data.confirm.join();
        case 'deadline':
          return waited.data?.status ?? 'never read';
        case 'problem':
          return `${waited.error.title}`;
        default:
          return neverReached(waited);
      }
    };
    expect(describeWait({ outcome: 'deadline', data: undefined })).toBe('never read');
    expectTypeOf<Extract<PayoutWaitResult, { outcome: 'deadline' }>['error']>().toEqualTypeOf<
      CallError | Problem | undefined
    >();
    expectTypeOf<Extract<PayoutWaitResult, { outcome: 'final' }>['data']>().toEqualTypeOf<
      PayoutSucceeded | PayoutFailed
    >();
    expectTypeOf<PayoutWaitResult['outcome']>().toEqualTypeOf<'final' | 'deadline' | 'problem'>();
  });

  it('are narrowed by isFinal and needsAction', () => {
    const payment = {} as Payment;
    if (isFinal(payment)) expectTypeOf(payment).toEqualTypeOf<PaymentSucceeded | PaymentFailed>();
    if (needsAction(payment)) expectTypeOf(payment).toEqualTypeOf<PaymentExtraDataNeeded | PaymentConfirmationNeeded>();
    const payout = {} as Payout;
    if (isFinal(payout)) expectTypeOf(payout).toEqualTypeOf<PayoutSucceeded | PayoutFailed>();
    expectTypeOf(kindOf(payout)).toEqualTypeOf<'payment' | 'payout'>();
  });

  it('of describeDecline accept any code of their kind', () => {
    expectTypeOf(describeDecline<'payment'>)
      .parameter(1)
      .toEqualTypeOf<PaymentFailed['decline_reason']>();
    expectTypeOf(describeDecline<'payout'>)
      .parameter(1)
      .toEqualTypeOf<PayoutFailed['decline_reason']>();
    // @ts-expect-error there is no third kind
    const third = () => describeDecline('refund', 'X');
    expect(third).toBeTypeOf('function');
  });
});

describe('events', () => {
  it('are narrowed exhaustively by kind and status', () => {
    const tell = (event: WebhookEvent): string => {
      if (event.kind === 'payout') {
        expectTypeOf(event).toEqualTypeOf<PayoutEvent>();
        return event.status === 'FAILED' ? event.data.decline_reason : event.data.finalized_at;
      }
      switch (event.status) {
        case 'EXTRA_DATA_NEEDED':
          return event.data.clarify.join();
        case 'PAY_CONFIRMATION_NEEDED':
          return `${event.data.pay_data.receiver_account}`;
        case 'SUCCESS':
          expectTypeOf(event.data).toEqualTypeOf<PaymentSucceeded>();
          return `${event.data.amount_paid}`;
        case 'FAILED':
          return event.data.decline_reason;
        default:
          return neverReached(event);
      }
    };
    expect(tell({ kind: 'payout', status: 'FAILED', data: { decline_reason: 'X' } } as WebhookEvent)).toBe('X');
  });

  it('are verified from raw bodies only', () => {
    expectTypeOf<Request['body']>().toExtend<VerifyOptions['body'] | null>();
    expectTypeOf<IncomingMessage>().toExtend<VerifyOptions['body']>();
    expectTypeOf<Payment>().not.toExtend<VerifyOptions['body']>();
  });
});

const body = requestExamples.createPayment['h2h-upi'].body;

describe('an app', () => {
  it('handles webhooks by a map of handlers', () => {
    expectTypeOf<WebhookHandlers<Promise<void>>['paymentSucceeded']>().toEqualTypeOf<
      ((payment: PaymentSucceeded) => Promise<void>) | undefined
    >();
    // @ts-expect-error there is no such event
    const unknown: WebhookHandlers = { paymentRefunded: () => {} };
    expect(Object.keys(unknown)).toEqual(['paymentRefunded']);
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

  it('admit unknown values of open enumerations and none of closed ones', () => {
    expectTypeOf<'CARD_XX'>().toExtend<PaymentMethodType>();
    expectTypeOf<'NEW_REASON'>().toExtend<PaymentFailed['decline_reason']>();
    expectTypeOf<'USD'>().not.toExtend<CreatePaymentRequest['currency']>();
    expectTypeOf<PaymentMethodType>().not.toBeAny();
  });
});

describe('compiler errors', () => {
  it('name types instead of expanding them', () => {
    const program = `import { createPaymentsClient, type Payment, type Payout } from '../../client/src/index.ts';
const client = createPaymentsClient({ baseUrl: 'http://service.test', apiKey: 'key' });
const { data, error } = await client.GET('/payments/{transaction_id}', { params: { path: { transaction_id: '1' } } });
export const shown: string = data;
export const told: string = error;
export const payout: Payout = {} as Payment;`;
    const messages = compilerMessages(join(ROOT, 'tests/client/mistake.ts'), program);
    expect(messages).toEqual([
      expect.stringMatching(/^Type 'Payment \| undefined' is not assignable to type 'string'/),
      expect.stringMatching(/^Type 'Problem \| undefined' is not assignable to type 'string'/),
      expect.stringMatching(/^Type 'Payment' is not assignable to type 'Payout'/),
    ]);
    expect(messages.join()).not.toContain('transaction_id:');
  });
});
