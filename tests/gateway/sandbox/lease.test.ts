/** The lease with which one process serves the sandbox of a database. */
import { describe, expect, it } from 'vitest';
import { migrate } from '../../../gateway/src/database/migrate.ts';
import { NO_LOG } from '../../../gateway/src/platform/log.ts';
import { SANDBOX_LEASE_MS } from '../../../gateway/src/sandbox/lease.ts';
import { ManualClock } from '../../tools/manual-clock.ts';
import { paymentRequest, START } from '../harness/fixtures.ts';
import { createCaller, startTestGateway } from '../harness/gateway.ts';
import { inject } from '../harness/inject.ts';
import { postgresDatabase } from '../harness/stores.ts';

/** A gateway that serves a sandbox, and one that waits for its lease, with the same clock. */
async function startTwo() {
  const shared = await postgresDatabase();
  const stores = [shared.connect(), shared.connect()] as const;
  await migrate(stores[0]);
  const clock = new ManualClock(START);
  const lines: string[] = [];
  const write = (_fields: object, line: string) => void lines.push(line);
  const log = { ...NO_LOG, info: write, warn: write };
  const first = await startTestGateway({ store: stores[0], clock, sandbox: true });
  const second = await startTestGateway({ store: stores[1], clock, sandbox: true, log });
  return { first, second: { ...second, call: createCaller(second.gateway, first.key) }, clock, lines };
}

async function readiness({ gateway }: Awaited<ReturnType<typeof startTwo>>['first']) {
  const { statusCode, json } = await inject(gateway, { url: '/health/ready' });
  return { status: statusCode, body: json() };
}

const READY = { status: 200, body: { status: 'ready' } };

describe('a second process with a sandbox on a database', () => {
  it('refuses requests with the reason', async () => {
    const { first, second, lines } = await startTwo();
    const reason = 'another process serves the sandbox of this database';
    expect(await readiness(first)).toEqual(READY);
    expect(await readiness(second)).toEqual({ status: 503, body: { status: 'waiting', reason } });
    expect(lines).toContain(`waiting: ${reason}`);
    const refused = await second.call('POST', '/payments', paymentRequest());
    expect(refused).toMatchObject({ status: 503, body: { detail: expect.stringContaining(reason) } });
    expect((await first.call('POST', '/payments', paymentRequest())).status).toBe(200);
  });

  it('takes over when the first process stops, with its clocks and faults', async () => {
    const { first, second, clock } = await startTwo();
    const frozen = await first.call('POST', '/sandbox/clock/freeze');
    await first.call('POST', '/sandbox/chaos', { fault: 'unavailable', operation: 'getBalance' });
    await first.gateway.close();
    clock.advance(1_000);
    await expect.poll(() => readiness(second)).toEqual(READY);
    expect((await second.call('GET', '/sandbox/clock')).body).toMatchObject({ frozen: true, now: frozen.body.now });
    expect((await second.call('GET', '/merchant/balance')).status).toBe(503);
  });

  it("takes over when the first process's lease expires, which then stops serving", async () => {
    const { first, second, clock } = await startTwo();
    const { store } = first.gateway;
    // As for a paused process, which could not renew its lease.
    await store.unit((db) => db.run('update sandbox_lease set expires_at = ?', clock.now()));
    await store.unit((db) => db.run("update sandbox_lease set holder = 'paused' || holder"));
    expect((await first.call('POST', '/payments', paymentRequest())).status).toBe(503);
    clock.advance(SANDBOX_LEASE_MS);
    await expect
      .poll(async () => [(await readiness(first)).status, (await readiness(second)).status].sort())
      .toEqual([200, 503]);
  });
});
