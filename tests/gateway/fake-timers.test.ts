/** A gateway in the process of a test with fake timers, as with `vi.useFakeTimers()`. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { startGateway } from '../../gateway/src/server.ts';
import { requestExamples } from '../../generated/examples.ts';
import { afterwards } from './harness/afterwards.ts';

afterEach(() => vi.useRealTimers());

async function start() {
  const gateway = await startGateway();
  afterwards(() => gateway.close());
  return gateway;
}

/** Creates a payment that expires, and awaits its webhooks. */
async function expire({ url, key, webhooks, clock }: Awaited<ReturnType<typeof start>>) {
  const { body } = requestExamples.createPayment['h2h-upi'];
  await fetch(`${url}/payments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, callback_url: webhooks.url }),
  });
  await webhooks.next('PAY_CONFIRMATION_NEEDED');
  const { reached } = await clock.advance('15m');
  const { body: failed } = await webhooks.next('FAILED');
  return { reached, status: failed.status };
}

const FAKED = { everything: undefined, 'only the date': { toFake: ['Date' as const] } };

describe.each(Object.entries(FAKED))('startGateway while %s is fake', (_name, options) => {
  it('works if timers are faked before it starts', async () => {
    vi.useFakeTimers(options);
    vi.setSystemTime(0);
    expect(await expire(await start())).toEqual({ reached: true, status: 'FAILED' });
  });

  it('works if timers are faked after it has started', async () => {
    const gateway = await start();
    vi.useFakeTimers(options);
    vi.setSystemTime(0);
    expect(await expire(gateway)).toEqual({ reached: true, status: 'FAILED' });
    await gateway.reset();
  });
});

it('startGateway refuses to start if timers were faked when it was imported', async () => {
  vi.useFakeTimers();
  vi.resetModules();
  const { startGateway: startLate } = await import('../../gateway/src/server.ts');
  vi.useRealTimers();
  // The next files of this worker import modules with real timers.
  vi.resetModules();
  await expect(startLate()).rejects.toThrow('Import payments-gateway before `vi.useFakeTimers()`');
});
