/** Health, drain and stop of a gateway. */
import { expect, it } from 'vitest';
import { ManualClock } from '../../tools/manual-clock.ts';
import { problemType } from '../../tools/problems.ts';
import { PAYMENT, START } from '../harness/fixtures.ts';
import { recordingLog } from '../harness/recording-log.ts';
import { everyChannel, inject, SIMULATOR, startTestGateway } from '../harness.ts';

it('health is ready while the database responds, and unready once closed', async () => {
  const { gateway } = await startTestGateway();
  const get = async (url: string) => (await inject(gateway, { url })).statusCode;
  const readGauge = async () => /^gateway_ready\{.*$/m.exec((await inject(gateway, { url: '/metrics' })).body)?.[0];
  expect([await get('/health/live'), await get('/health/ready')]).toEqual([200, 200]);
  expect(await readGauge()).toBe('gateway_ready{status="ready"} 1');
  await gateway.store.close();
  expect([await get('/health/live'), await get('/health/ready')]).toEqual([200, 503]);
  expect(await readGauge()).toBe('gateway_ready{status="database unavailable"} 0');
});

it('a jump of the clock makes the gateway unready for a minute, and is logged and counted', async () => {
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

it('a gateway that is stopping returns 503 with Retry-After on an idle connection, and finishes requests in flight', async () => {
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
  const { body: waiting } = await call('POST', '/payments', { ...PAYMENT, customer: { id: 'customer-1' } });
  const url = await gateway.listen({ port: 0, host: '127.0.0.1' });
  const read = () => fetch(`${url}/merchant/balance`, { headers: { authorization: `Bearer ${key}` } });
  expect(await (await read()).json()).toHaveProperty('balances');
  const clarified = call('POST', `/payments/${waiting.transaction_id}/clarify`, {
    clarify_data: { name: 'A', phone: '+919812345671' },
  });
  await entered.promise;
  gateway.server.closeIdleConnections = () => undefined;
  const closed = gateway.close();
  const refused = await read();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await refused.json()).toMatchObject({ type: problemType('unavailable') });
  leave.resolve();
  expect((await clarified).body.status).toBe('PAY_CONFIRMATION_NEEDED');
  await closed;
});

it('a draining gateway reports that it is not ready and serves until the time is over', async () => {
  const { gateway, call, clock, key } = await startTestGateway();
  const url = await gateway.listen({ port: 0 });
  const read = () => fetch(`${url}/merchant/balance`, { headers: { authorization: `Bearer ${key}` } });
  expect((await read()).headers.get('connection')).toBe('keep-alive');
  expect((await call('GET', '/health/ready')).status).toBe(200);
  let over = false;
  const drained = gateway.drain(5_000).then(() => {
    over = true;
  });
  clock.advance(4_999);
  expect(await call('GET', '/health/ready')).toMatchObject({ status: 503, body: { status: 'draining' } });
  expect((await call('GET', '/health/live')).status).toBe(200);
  const served = await read();
  expect([served.status, served.headers.get('connection')]).toEqual([200, 'close']);
  expect(over).toBe(false);
  clock.advance(1);
  await drained;
  // A drain waits no longer than its deadline.
  await gateway.drain(600_000, AbortSignal.timeout(1));
});
