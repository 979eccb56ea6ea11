/** Fixtures for tests of the payment page: a gateway, a payment by redirect, and its page. */

import { requestExamples } from '../../../generated/examples.ts';
import type { CreatePaymentRequest } from '../../../generated/types.ts';
import type { CallFunction, TestGateway, TestGatewayOptions } from '../harness/gateway.ts';
import { type Injected, inject, startTestGateway } from '../harness.ts';

/** An unusable address: the gateway refuses it before any network access. */
export const UPI: CreatePaymentRequest = {
  ...requestExamples.createPayment['redirect-upi'].body,
  callback_url: 'http://127.0.0.1/webhooks',
};

/** The UPI example without the customer data that the page asks for. */
export const UPI_ANONYMOUS: CreatePaymentRequest = { ...UPI, customer: { id: 'customer-1' } };

export interface PageAnswer {
  readonly status: number;
  readonly html: string;
  readonly headers: Injected['headers'];
}

export interface Checkout extends TestGateway {
  /** Creates a payment and returns the path of its page, after the gateway has checked it. */
  open(request?: CreatePaymentRequest, call?: CallFunction): Promise<string>;
  get(path: string): Promise<PageAnswer>;
  /** Sends the form as a browser does. */
  send(path: string, fields: Record<string, string> | string, headers?: Record<string, string>): Promise<PageAnswer>;
  /** Reads the payment from the API. */
  payment(path: string): Promise<Record<string, unknown>>;
}

/** Starts a gateway with a stopped clock, unreachable for browsers. */
export async function startCheckout(options: Omit<TestGatewayOptions, 'clock'> = {}): Promise<Checkout> {
  const started = await startTestGateway(options);
  const { gateway } = started;
  const ids = new Map<string, { id: string; call: CallFunction }>();
  const answer = ({ statusCode, body, headers }: Injected) => ({ status: statusCode, html: body, headers });
  return {
    ...started,
    async open(request = UPI, call = started.call) {
      const { body, status, text } = await call('POST', '/payments', request);
      if (status !== 200) throw new Error(text);
      await started.gateway.idle();
      const path = new URL(body.redirect_url).pathname;
      ids.set(path, { id: body.transaction_id, call });
      return path;
    },
    get: async (path) => answer(await inject(gateway, { url: path })),
    async send(path, fields, more = {}) {
      const headers = { 'content-type': 'application/x-www-form-urlencoded', ...more };
      const payload = typeof fields === 'string' ? fields : new URLSearchParams(fields).toString();
      return answer(await inject(gateway, { method: 'POST', url: path, headers, payload }));
    },
    async payment(path) {
      const known = ids.get(path);
      return (await known?.call('GET', `/payments/${known.id}`))?.body;
    },
  };
}
