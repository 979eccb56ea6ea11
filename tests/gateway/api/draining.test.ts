/** Between the signal to stop and the close, load balancers can take the gateway out while it serves. */
import { expect, it } from 'vitest';
import { startTestGateway } from '../harness.ts';

it('reports that it is not ready and serves until the time is over', async () => {
  const { gateway, call, clock } = await startTestGateway();
  expect((await call('GET', '/health/ready')).status).toBe(200);
  let over = false;
  const drained = gateway.drain(5_000).then(() => {
    over = true;
  });
  clock.advance(4_999);
  expect(await call('GET', '/health/ready')).toMatchObject({ status: 503, body: { status: 'draining' } });
  expect((await call('GET', '/health/live')).status).toBe(200);
  const served = await call('GET', '/merchant/balance');
  expect(served).toMatchObject({ status: 200, headers: { connection: 'close' } });
  expect(over).toBe(false);
  clock.advance(1);
  await drained;
  await gateway.close();
});

it('keeps connections alive while it does not drain', async () => {
  const { call } = await startTestGateway();
  expect((await call('GET', '/merchant/balance')).headers['connection']).not.toBe('close');
});

it('waits no longer than it is let', async () => {
  const { gateway } = await startTestGateway();
  const impatience = new AbortController();
  const drained = gateway.drain(600_000, impatience.signal);
  impatience.abort();
  await drained;
});
