/** Between SIGTERM and the close, load balancers can remove the gateway while it serves. */
import { expect, it } from 'vitest';
import { startTestGateway } from '../harness.ts';

it('reports that it is not ready and serves until the time is over', async () => {
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
  await gateway.close();
});

it('waits no longer than the limit', async () => {
  const { gateway } = await startTestGateway();
  const deadline = new AbortController();
  const drained = gateway.drain(600_000, deadline.signal);
  deadline.abort();
  await drained;
});
