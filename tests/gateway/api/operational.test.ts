import { Agent, request } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Channel, ChannelUnavailable } from '../../../gateway/src/channels/channel.ts';
import { DEFAULTS } from '../../../gateway/src/config/settings.ts';
import { bindOperations } from '../../../gateway/src/core.ts';
import type { Database } from '../../../gateway/src/database/store.ts';
import { sandboxMethods } from '../../../gateway/src/domain/methods.ts';
import { createApp } from '../../../gateway/src/http/app.ts';
import { readContract } from '../../../gateway/src/http/contract.ts';
import { REMEMBERED_MS } from '../../../gateway/src/http/key-holders.ts';
import { NO_METRICS } from '../../../gateway/src/http/metrics.ts';
import { postEntry } from '../../../gateway/src/ledger/wallets.ts';
import { systemClock } from '../../../gateway/src/platform/clock.ts';
import { randomIds } from '../../../gateway/src/platform/ids.ts';
import { NO_LOG } from '../../../gateway/src/platform/log.ts';
import { storeTime } from '../../../gateway/src/platform/merchant-time.ts';
import { requestExamples } from '../../../generated/examples.ts';
import { ManualClock } from '../../tools/manual-clock.ts';
import { problemType } from '../../tools/problems.ts';
import { START } from '../harness/fixtures.ts';
import { recordingLog } from '../harness/recording-log.ts';
import {
  createTestChannels,
  everyChannel,
  inject,
  openTestSqlite,
  SIMULATOR,
  startTestGateway,
  type TestGateway,
} from '../harness.ts';

const { body } = requestExamples.createPayment['h2h-upi'];

describe('health', () => {
  it('is ready while the database responds, and unready once closed', async () => {
    const { gateway } = await startTestGateway();
    const get = async (url: string) => (await inject(gateway, { url })).statusCode;
    expect([await get('/health/live'), await get('/health/ready')]).toEqual([200, 200]);
    await gateway.store.close();
    expect([await get('/health/live'), await get('/health/ready')]).toEqual([200, 503]);
  });
});

describe('a jump of the clock', () => {
  it('makes the gateway unready for a minute, and is logged and counted', async () => {
    const { log, lines } = recordingLog();
    let uptime = 0;
    const { gateway, clock } = await startTestGateway({ log, clock: new ManualClock(START), uptime: () => uptime });
    const ready = async () => {
      const { statusCode, body: text } = await inject(gateway, { url: '/health/ready' });
      return { statusCode, ...JSON.parse(text) };
    };
    expect(await ready()).toMatchObject({ statusCode: 200 });
    clock.advance(3 * 3_600_000);
    const jump = { clock: 'machine', jump_ms: 3 * 3_600_000 };
    expect(await ready()).toEqual({ statusCode: 503, status: 'clock jumped', ...jump });
    expect(lines).toContainEqual({ level: 'error', message: 'a clock has jumped', ...jump });
    expect((await inject(gateway, { url: '/metrics' })).body).toContain('gateway_clock_jumps_total{clock="machine"} 1');
    clock.advance(60_000);
    uptime += 60_000;
    expect(await ready()).toMatchObject({ statusCode: 200 });
  });
});

describe('metrics', () => {
  it('count requests by operation and status', async () => {
    const { gateway, call } = await startTestGateway();
    await call('POST', '/payments', body);
    await call('POST', '/payments', {});
    const { body: text } = await inject(gateway, { url: '/metrics' });
    expect(text).toContain('gateway_request_seconds_count{operation="createPayment",status="200"} 1');
    expect(text).toContain('gateway_request_seconds_count{operation="createPayment",status="400"} 1');
  });
});

describe('limits', () => {
  // The rate limit's window doesn't end during a test.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => void vi.useRealTimers());

  it('return 429 with Retry-After for a key over its limit, and serve other keys', async () => {
    const { call, addMerchant } = await startTestGateway({ limits: { requestsPerSecond: 2 } });
    const other = await addMerchant('Other');
    const statuses = await Promise.all(Array.from({ length: 5 }, () => call('GET', '/merchant/balance')));
    const refused = statuses.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    for (const { body: problem, headers } of refused) {
      expect(problem).toMatchObject({ type: problemType('rate-limited'), status: 429 });
      expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
    }
    expect((await other.call('GET', '/merchant/balance')).status).toBe(200);
  });

  it('count all operations of a key together', async () => {
    const { call } = await startTestGateway({ limits: { requestsPerSecond: 3 } });
    const calls = [
      '/merchant/balance',
      '/payments/x',
      '/payouts/x',
      '/payments?merchant_order_id=x',
      '/merchant/balance',
    ];
    const statuses = await Promise.all(calls.map(async (path) => (await call('GET', path)).status));
    expect(statuses.filter((status) => status === 429)).toHaveLength(2);
  });

  it('count one key for all spellings of its header', async () => {
    const { call, key } = await startTestGateway({ limits: { requestsPerSecond: 2 } });
    const headers = [`Bearer ${key}`, `bearer ${key}`, `BEARER   ${key}`, `Bearer ${key} `];
    const statuses = await Promise.all(
      headers.map(
        async (authorization) => (await call('GET', '/merchant/balance', undefined, { authorization })).status,
      ),
    );
    expect(statuses.filter((status) => status === 429)).toHaveLength(2);
  });

  it('count calls without a valid key by address', async () => {
    const { call } = await startTestGateway({ limits: { requestsPerSecond: 3 } });
    const statuses = await Promise.all(
      Array.from(
        { length: 6 },
        async (_, index) =>
          (await call('GET', '/merchant/balance', undefined, { authorization: `Bearer sk_test_${index}` })).status,
      ),
    );
    expect(statuses.toSorted()).toEqual([401, 401, 401, 429, 429, 429]);
  });

  it('block an address without a valid key before the database, except for valid keys', async () => {
    const store = await openTestSqlite();
    let lookups = 0;
    const read: Database = {
      all: (sql, ...values) => store.read.all(sql, ...values),
      run: (sql, ...values) => store.read.run(sql, ...values),
      write: (statement, ...values) => store.read.write(statement, ...values),
      get(sql, ...values) {
        if (sql.includes('api_keys')) lookups += 1;
        return store.read.get(sql, ...values);
      },
    };
    const { call, addMerchant } = await startTestGateway({
      store: { ...store, read },
      limits: { requestsPerSecond: 3 },
    });
    const balance = async (authorization?: string) =>
      (await call('GET', '/merchant/balance', undefined, authorization ? { authorization } : {})).status;
    expect(await balance()).toBe(200);
    lookups = 0;
    await Promise.all(Array.from({ length: 50 }, (_, index) => balance(`Bearer sk_test_${index}`)));
    expect(lookups).toBe(3);
    // This key is not cached.
    expect((await (await addMerchant('Other')).call('GET', '/merchant/balance')).status).toBe(429);
    expect(await balance()).toBe(200);
    vi.advanceTimersByTime(REMEMBERED_MS);
    await Promise.all(Array.from({ length: 50 }, (_, index) => balance(`Bearer sk_test_${index}`)));
    expect(await balance()).toBe(200);
  });

  it('return 413 for a body over the limit', async () => {
    const { call } = await startTestGateway({ limits: { bodyBytesMax: 2_000 } });
    expect((await call('POST', '/payments', { ...body, merchant_order_id: 'x'.repeat(3_000) })).status).toBe(413);
  });
});

describe('while it is being stopped', () => {
  it('returns 503 with Retry-After on an idle connection, and finishes requests in flight', async () => {
    const entered = Promise.withResolvers<void>();
    const leave = Promise.withResolvers<void>();
    const channels = everyChannel({
      clarify: async (...args) => {
        entered.resolve();
        await leave.promise;
        return SIMULATOR.clarify(...args);
      },
    });
    const { gateway, call, key } = await startTestGateway({ channels });
    const { body: waiting } = await call('POST', '/payments', { ...body, customer: { id: 'customer-1' } });
    const url = await gateway.listen({ port: 0, host: '127.0.0.1' });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    expect((await get(`${url}/merchant/balance`, key, agent)).status).toBe(200);
    const clarified = call('POST', `/payments/${waiting.transaction_id}/clarify`, {
      clarify_data: { name: 'A', phone: '+919812345671' },
    });
    await entered.promise;
    gateway.server.closeIdleConnections = () => undefined;
    const closed = gateway.close();
    const refused = await get(`${url}/merchant/balance`, key, agent);
    expect(refused).toMatchObject({ status: 503, retryAfter: '1', type: problemType('unavailable') });
    leave.resolve();
    expect((await clarified).body.status).toBe('PAY_CONFIRMATION_NEEDED');
    agent.destroy();
    await closed;
  });
});

describe('a gateway whose server fails to close', () => {
  it('stops its work, closes the store, and rejects', async () => {
    const { gateway } = await startTestGateway();
    vi.spyOn(gateway.server, 'close').mockImplementationOnce((callback) => {
      callback?.(new Error('a handle is broken'));
      return gateway.server;
    });
    await expect(gateway.close()).rejects.toThrow('a handle is broken');
    await expect(gateway.store.ping()).rejects.toThrow();
  });
});

describe('a channel', () => {
  const created = async (error: Error) => {
    const test = await startTestGateway({ channels: everyChannel({ initiate: () => Promise.reject(error) }) });
    const { body: payment } = await test.call('POST', '/payments', body);
    await test.gateway.idle();
    return (await test.call('GET', `/payments/${payment.transaction_id}`)).body;
  };

  it.each(['CHANNEL_DOWN', 'CHANNEL_OVERLOADED'] as const)(
    'declines the payment with %s when unavailable',
    async (reason) => {
      expect(await created(new ChannelUnavailable(reason))).toMatchObject({ status: 'FAILED', decline_reason: reason });
    },
  );

  it('is asked again after a failed payout, since the money may have been sent', async () => {
    let asked = 0;
    const channels = everyChannel({
      payOut: (...args) => (asked++ === 0 ? Promise.reject(new Error('timeout')) : SIMULATOR.payOut(...args)),
    });
    const { gateway, call, clock, merchant } = await startTestGateway({ channels });
    const posting = {
      id: randomIds.newId('led', clock.now()),
      merchantId: merchant.id,
      currency: 'INR',
      transactionId: null,
      now: clock.now(),
    };
    await gateway.store.unit((db) =>
      postEntry(db, { from: 'bank', to: 'available', amount: 2_000_000, reason: 'funded' }, posting),
    );
    const { body: payout } = await call('POST', '/payouts', requestExamples.createPayout['imps-inr'].body);
    await gateway.idle();
    expect((await call('GET', `/payouts/${payout.transaction_id}`)).body.status).toBe('PROCESSING');
    clock.advance(60_000);
    await gateway.idle();
    expect((await call('GET', `/payouts/${payout.transaction_id}`)).body.status).toBe('SUCCESS');
    expect(asked).toBe(2);
  });
});

describe('a payout at a channel that goes down', () => {
  const balance = async (test: TestGateway) => (await test.call('GET', '/merchant/balance')).body.balances[0];
  const paidOut = async (payOut: Channel['payOut'], more: { channelMsMax?: number } = {}) => {
    const test = await startTestGateway({ channels: everyChannel({ payOut }), ...more });
    const posting = {
      id: randomIds.newId('led', test.clock.now()),
      merchantId: test.merchant.id,
      currency: 'INR',
      transactionId: null,
      now: test.clock.now(),
    };
    await test.gateway.store.unit((db) =>
      postEntry(db, { from: 'bank', to: 'available', amount: 2_000_000, reason: 'funded' }, posting),
    );
    const { body: payout } = await test.call('POST', '/payouts', requestExamples.createPayout['imps-inr'].body);
    await test.gateway.idle();
    const status = async () => (await test.call('GET', `/payouts/${payout.transaction_id}`)).body;
    return { test, status };
  };

  it('is declined and its money released if it was never sent', async () => {
    const { test, status } = await paidOut(() => Promise.reject(new ChannelUnavailable('CHANNEL_DOWN')));
    expect(await status()).toMatchObject({ status: 'FAILED', decline_reason: 'CHANNEL_DOWN' });
    expect(await balance(test)).toMatchObject({ available: 2_000_000 });
  });

  it('is asked about until the channel responds if it was sent', async () => {
    let calls = 0;
    const { test, status } = await paidOut(async (...args) => {
      calls++;
      if (calls === 1) return { askAgainAt: args[1] + 1_000 };
      if (calls === 2) throw new ChannelUnavailable('CHANNEL_DOWN');
      return SIMULATOR.payOut(...args);
    });
    test.clock.advance(2_000);
    await test.gateway.idle();
    expect(await status()).toMatchObject({ status: 'PROCESSING' });
    expect(await balance(test)).toMatchObject({ available: 500_000 });
    test.clock.advance(60_000);
    await test.gateway.idle();
    expect(await status()).toMatchObject({ status: 'SUCCESS' });
    expect(calls).toBe(3);
  });

  it('does not delay others when the channel never responds', async () => {
    const { test, status } = await paidOut(() => new Promise(() => undefined), { channelMsMax: 5 });
    expect(await status()).toMatchObject({ status: 'PROCESSING' });
    const { body: payment } = await test.call('POST', '/payments', body);
    await test.gateway.idle();
    expect((await test.call('GET', `/payments/${payment.transaction_id}`)).body.status).toBe('PAY_CONFIRMATION_NEEDED');
  });
});

describe('unusable addresses', () => {
  it.each(['https://shop.example.com:99999/x', 'http://256.256.256.256/', 'http://a%20b/', 'http://?x'])(
    'are refused: %s',
    async (url) => {
      const { call } = await startTestGateway();
      const payment = await call('POST', '/payments', { ...body, callback_url: url, return_url: url });
      expect(payment.status).toBe(400);
      const pointers = payment.body.violations.map(({ pointer }: { pointer: string }) => pointer);
      expect(new Set(pointers)).toEqual(new Set(['/callback_url', '/return_url']));
      expect(
        (await call('POST', '/payouts', { ...requestExamples.createPayout['imps-inr'].body, callback_url: url }))
          .status,
      ).toBe(400);
    },
  );
});

describe('the start', () => {
  const server = async (change: (contract: ReturnType<typeof readContract>) => ReturnType<typeof readContract>) => {
    const services = {
      store: await openTestSqlite(),
      clock: systemClock,
      time: storeTime(systemClock),
      ids: randomIds,
      methods: sandboxMethods,
      channels: createTestChannels(),
      checkoutUrl: (token: string) => token,
      report: () => undefined,
    };
    return createApp({
      contract: change(readContract()),
      services,
      handlers: bindOperations(services),
      log: NO_LOG,
      bodyBytesMax: DEFAULTS.bodyBytesMax,
      requestsPerSecond: DEFAULTS.requestsPerSecond,
      metrics: NO_METRICS,
    });
  };

  it('is refused for an operation of the contract without a handler', async () => {
    const [first] = readContract().operations;
    const more = server((contract) => ({
      ...contract,
      operations: [...contract.operations, { ...first, id: 'refundPayment' } as never],
    }));
    await expect(more).rejects.toThrow('the operation refundPayment has no handler');
  });

  it('is refused for a handler without an operation in the contract', async () => {
    const fewer = server((contract) => ({
      ...contract,
      operations: contract.operations.filter(({ id }) => id !== 'getPayout'),
    }));
    await expect(fewer).rejects.toThrow('the handler getPayout has no operation');
  });

  it('is refused for a problem outside the contract', async () => {
    const poorer = server((contract) => ({
      ...contract,
      problems: new Map([...contract.problems].filter(([name]) => name !== 'wrong-state')),
    }));
    await expect(poorer).rejects.toThrow('the problem wrong-state is not in it');
  });
});

/** A GET over a given connection. */
function get(
  url: string,
  key: string,
  agent: Agent,
): Promise<{ status: number | undefined; retryAfter: string | undefined; type: string | undefined }> {
  return new Promise((resolve, reject) => {
    request(url, { agent, headers: { authorization: `Bearer ${key}` } }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => {
        text += chunk;
      });
      response.on('end', () =>
        resolve({
          status: response.statusCode,
          retryAfter: response.headers['retry-after'],
          type: JSON.parse(text).type,
        }),
      );
    })
      .on('error', reject)
      .end();
  });
}
