/** Drivers: the template, time limits, and the gateway's own with a sandbox that creates merchants only with its key. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import template from '../../conformance/driver-template.ts';
import { boundedDriver, type Driver } from '../../conformance/src/drivers/driver.ts';
import { verifyService } from '../../conformance/src/run/verify.ts';
import { fund } from '../gateway/harness/fixtures.ts';
import { startTestGateway } from '../gateway/harness.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

it.each([
  ['a payment, host to host', '/payments', template.payment({ flow: 'h2h', until: 'SUCCESS' }), 200],
  ['a payment by redirect', '/payments', template.payment({ flow: 'redirect', until: 'FAILED' }), 200],
  ['a payment without its data', '/payments', template.payment({ flow: 'h2h', until: 'SUCCESS', asks: true }), 200],
  ['a payout', '/payouts', template.payout({ until: 'SUCCESS' }), 201],
])('the template’s body of %s is one of the contract', async (_what, path, body, status) => {
  const { call, gateway, merchant } = await startTestGateway();
  await fund(gateway.store, merchant, 1_000_000);
  const more = { merchant_order_id: 'order-1', callback_url: 'https://shop.example/webhooks' };
  const response = await call('POST', path, { ...body, ...more });
  expect([response.status, response.body.violations]).toEqual([status, undefined]);
});

const SANDBOX_KEY = 'a-sandbox-key-of-enough-characters';

it.each([
  ['disturbs requests with', SANDBOX_KEY, { verdict: 'conforming' }],
  [
    'names a missing',
    undefined,
    { verdict: 'not reached', reason: expect.stringContaining('Send `Authorization: Bearer <SANDBOX_KEY>`') },
  ],
])('the driver of the gateway %s SANDBOX_KEY of the environment', async (_what, variable, result) => {
  vi.stubEnv('SANDBOX_KEY', variable);
  const test = await startTestGateway({ sandbox: true, sandboxMerchants: { sandboxKey: SANDBOX_KEY } });
  const baseUrl = await test.gateway.listen({ host: '127.0.0.1', port: 0 });
  const only = ['disturbance/getBalance/503'];
  const { results } = await verifyService({ baseUrl, key: test.key, driver: 'gateway', only });
  expect(results).toMatchObject([result]);
});

const ACCESS = { baseUrl: 'http://127.0.0.1:1', key: 'sk_test_1', fetch };

/** An instance of a class, with members that only its own methods reach. */
class Own implements Driver {
  readonly name = 'own';
  readonly #amount = 7;
  payment = () => undefined;
  payout() {
    return { amount: this.#amount };
  }
  items() {
    return {};
  }
  async disturb(operation: string, status: number) {
    return `${operation} ${status} ${this.#amount}`;
  }
  pay(): Promise<void> {
    return new Promise(() => {});
  }
}

describe('a bounded driver', () => {
  it('rejects when a request does not end, and says which', async () => {
    const pay = boundedDriver(new Own(), 20).pay?.('http://page', ACCESS);
    await expect(pay).rejects.toThrow("`pay` didn't end within 0.12 s");
  });

  it('rejects when a request fails at once, and accepts a function without a promise', async () => {
    const run = (move: () => unknown) =>
      boundedDriver({ ...template, move } as Driver, 20).move?.('payment', 'pay_1', { until: 'SUCCESS' }, ACCESS);
    await expect(run(() => undefined)).resolves.toBeUndefined();
    await expect(run(() => JSON.parse('{'))).rejects.toThrow(SyntaxError);
  });

  it('keeps all other members, and adds none', async () => {
    const driver = boundedDriver(new Own(), 20);
    expect(driver.payout({ until: 'SUCCESS' })).toEqual({ amount: 7 });
    expect(await driver.disturb?.('getPayment', 503, ACCESS)).toBe('getPayment 503 7');
    expect([driver.name, driver.move, driver.emptyWallet]).toEqual(['own', undefined, undefined]);
  });
});
