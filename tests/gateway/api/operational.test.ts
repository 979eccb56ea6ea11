import { describe, expect, it } from 'vitest';
import { simulator } from '../../../gateway/src/channel/simulator.ts';
import { systemClock } from '../../../gateway/src/clock.ts';
import { DEFAULTS } from '../../../gateway/src/config.ts';
import { readContract } from '../../../gateway/src/contract/contract.ts';
import { createMetrics } from '../../../gateway/src/http/operational.ts';
import { createServer } from '../../../gateway/src/http/server.ts';
import { requestExamples } from '../../../generated/examples.ts';
import { openTestSqlite, startTestGateway } from '../harness.ts';

const { body } = requestExamples.createPayment['h2h-upi'];

describe('health', () => {
  it('is ready while the database answers, and not once it is closed', async () => {
    const { gateway } = await startTestGateway();
    const get = async (url: string) => (await gateway.app.inject({ url })).statusCode;
    expect([await get('/health/live'), await get('/health/ready')]).toEqual([200, 200]);
    await gateway.store.close();
    expect([await get('/health/live'), await get('/health/ready')]).toEqual([200, 503]);
  });
});

describe('metrics', () => {
  it('count requests by operation and status', async () => {
    const { gateway, call } = await startTestGateway();
    await call('POST', '/payments', body);
    await call('POST', '/payments', {});
    const { payload } = await gateway.app.inject({ url: '/metrics' });
    expect(payload).toContain('gateway_request_seconds_count{operation="createPayment",status="200"} 1');
    expect(payload).toContain('gateway_request_seconds_count{operation="createPayment",status="400"} 1');
  });
});

describe('limits', () => {
  it('answer 429 with Retry-After to a key that calls too often, and serve other keys', async () => {
    const { call, addMerchant } = await startTestGateway({ limits: { requestsPerSecond: 2 } });
    const other = await addMerchant('Other');
    const statuses = await Promise.all(Array.from({ length: 5 }, () => call('GET', '/merchant/balance')));
    const refused = statuses.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    for (const { body: problem, headers } of refused) {
      expect(problem).toMatchObject({ type: 'urn:problem-type:rate-limited', status: 429 });
      expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
    }
    expect((await other.call('GET', '/merchant/balance')).status).toBe(200);
  });

  it('answer 413 to a body over the limit', async () => {
    const { call } = await startTestGateway({ limits: { bodyBytesMax: 2_000 } });
    expect((await call('POST', '/payments', { ...body, merchant_order_id: 'x'.repeat(3_000) })).status).toBe(413);
  });
});

describe('the start', () => {
  const server = async (change: (contract: ReturnType<typeof readContract>) => ReturnType<typeof readContract>) => {
    const services = {
      store: await openTestSqlite(),
      clock: systemClock,
      channel: simulator,
      checkoutUrl: (token: string) => token,
      wake: () => undefined,
    };
    return createServer({
      contract: change(readContract()),
      services,
      logger: false,
      limits: DEFAULTS,
      metrics: createMetrics(),
    });
  };

  it('is refused when the contract has an operation without a handler', async () => {
    const [first] = readContract().operations;
    const more = server((contract) => ({
      ...contract,
      operations: [...contract.operations, { ...first, id: 'refundPayment' } as never],
    }));
    await expect(more).rejects.toThrow("the contract's operation refundPayment has no handler");
  });

  it('is refused when a handler has no operation in the contract', async () => {
    const fewer = server((contract) => ({
      ...contract,
      operations: contract.operations.filter(({ id }) => id !== 'getPayout'),
    }));
    await expect(fewer).rejects.toThrow('the handler getPayout has no operation in the contract');
  });

  it('is refused when a problem is raised that the contract does not have', async () => {
    const poorer = server((contract) => ({
      ...contract,
      problems: new Map([...contract.problems].filter(([name]) => name !== 'wrong-state')),
    }));
    await expect(poorer).rejects.toThrow('the problem wrong-state is not in the contract');
  });
});
