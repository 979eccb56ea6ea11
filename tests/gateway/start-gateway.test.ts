/** The gateway in a test's process, also while the test fakes timers. */
import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type RunningGateway, type StartGatewayOptions, startGateway } from '../../gateway/src/index.ts';
import { requestExamples } from '../../generated/examples.ts';
import { afterwards } from './harness.ts';

afterEach(() => vi.useRealTimers());

async function started(options?: StartGatewayOptions): Promise<RunningGateway> {
  const gateway = await startGateway(options);
  afterwards(() => gateway.close().catch(() => undefined));
  return gateway;
}

function readBalance({ url, key }: RunningGateway): Promise<Response> {
  return fetch(`${url}/merchant/balance`, { headers: { authorization: `Bearer ${key}` } });
}

/** Folders of this process's in-memory stores. */
function listFolders(): string[] {
  const parents = [tmpdir(), '/dev/shm'].filter((folder) => existsSync(folder));
  return parents
    .flatMap((folder) => readdirSync(folder))
    .filter((name) => name.startsWith(`payments-gateway-${process.pid}-`));
}

describe('startGateway', () => {
  it('gives the same keys and secrets for the same seed', async () => {
    const access = async (options: StartGatewayOptions) => {
      const { key, secret, addMerchant } = await started(options);
      const other = await addMerchant();
      return [key, secret, other.key, other.secret];
    };
    const first = await access({ seed: 'seed' });
    expect(new Set(first).size).toBe(4);
    expect(await access({ seed: 'seed' })).toEqual(first);
    expect(await access({ seed: 'other' })).not.toEqual(first);
    expect(await access({})).not.toEqual(await access({}));
  });

  it('cleans up when closed, and when it cannot start', async () => {
    const gateway = await startGateway();
    const port = Number(new URL(gateway.url).port);
    expect(listFolders()).toHaveLength(1);
    await expect(startGateway({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    expect(listFolders()).toHaveLength(1);
    await gateway.close();
    expect(listFolders()).toEqual([]);
    await expect(readBalance(gateway)).rejects.toThrow('fetch failed');
  });
});

/** Creates a payment that expires, and awaits its webhooks. */
async function expire({ url, key, webhooks, clock }: RunningGateway) {
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

it.each([
  ['all timers', undefined],
  ['only the date', { toFake: ['Date' as const] }],
])('startGateway works if %s are faked before or after its start', async (_what, options) => {
  const before = await started();
  vi.useFakeTimers(options);
  vi.setSystemTime(0);
  for (const gateway of [before, await started()])
    expect(await expire(gateway)).toEqual({ reached: true, status: 'FAILED' });
  await before.reset();
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
