/** Calls of the example channel to its provider: one idempotency key, and only certain outcomes. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { httpChannel } from '../../../gateway/examples/http-channel/http-channel.ts';
import { ChannelUnavailable } from '../../../gateway/src/channels/channel.ts';
import type { Payment, Payout } from '../../../gateway/src/domain/transaction.ts';

const PAYOUT = { id: 'out_1', amount: 100, currency: 'INR', customer: { id: 'customer-1' } } as Payout;
const PAYMENT = { ...PAYOUT, id: 'pay_1', status: 'VERIFYING' } as unknown as Payment;
const FAILURES_MAX = 5;
const PAUSE_MS = 5_000;

const fetched = vi.fn<typeof fetch>();
const refused = Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } });

beforeEach(() => {
  fetched.mockReset();
  vi.stubGlobal('fetch', fetched);
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const channel = () => httpChannel({ name: 'bank', url: 'http://bank', apiKey: 'key', notificationSecret: 'secret' });
const errorOf = (call: Promise<unknown>) => call.then(() => undefined).catch((error: unknown) => error);

it.each([
  ['refuses the connection', () => Promise.reject(refused), 'CHANNEL_DOWN'],
  ['is overloaded', async () => Response.json({ error: 'not_processed' }, { status: 429 }), 'CHANNEL_OVERLOADED'],
  ['cuts the connection', () => Promise.reject(new TypeError('terminated')), undefined],
  ['is behind a proxy that returns 503', async () => new Response(null, { status: 503 }), undefined],
  ['is behind a proxy that returns 429', async () => new Response('<html>', { status: 429 }), undefined],
  ['responds with something else', async () => new Response('<html>'), undefined],
])('a provider that %s has not done the operation only for certain reasons: %s', async (_what, respond, reason) => {
  fetched.mockImplementation(respond);
  const error = await errorOf(channel().payOut(PAYOUT, 0));
  expect(error).toBeInstanceOf(Error);
  expect(error instanceof ChannelUnavailable ? error.reason : undefined).toBe(reason);
});

it.each([
  ['verify', { state: 'paid' }],
  ['cancel', { state: 'awaiting' }],
  ['payOut', { state: 'held' }],
] as const)('%s rejects the unexpected response %o', async (call, response) => {
  fetched.mockImplementation(async () => Response.json(response));
  const transaction = (call === 'payOut' ? PAYOUT : PAYMENT) as Payment & Payout;
  const error = await errorOf(Promise.resolve(channel()[call]?.(transaction, 0)));
  expect(String(error)).toBe(`Error: unexpected state in the provider's response: ${response.state}`);
});

it('a provider that keeps failing is skipped for a while, then called once', async () => {
  fetched.mockImplementation(async () => new Response(null, { status: 500 }));
  const { payOut } = channel();
  for (let call = 0; call < FAILURES_MAX; call++) await errorOf(payOut(PAYOUT, 0));
  expect(await errorOf(payOut(PAYOUT, 0))).toMatchObject({ reason: 'CHANNEL_DOWN' });
  expect(fetched).toHaveBeenCalledTimes(FAILURES_MAX);
  vi.setSystemTime(Date.now() + PAUSE_MS);
  for (const _ of ['tried', 'paused again']) await errorOf(payOut(PAYOUT, 0));
  expect(fetched).toHaveBeenCalledTimes(FAILURES_MAX + 1);
  vi.setSystemTime(Date.now() + PAUSE_MS);
  fetched.mockImplementation(async () => Response.json({ state: 'paid' }));
  for (const _ of ['tried', 'open again']) expect(await payOut(PAYOUT, 0)).toEqual({ event: { type: 'succeeded' } });
});
