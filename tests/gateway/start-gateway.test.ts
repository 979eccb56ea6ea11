/** The gateway in a test's process. */
import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { verifyWebhook } from '../../client/src/webhooks.ts';
import { type RunningGateway, type StartGatewayOptions, startGateway } from '../../gateway/src/index.ts';
import { requestExamples } from '../../generated/examples.ts';
import { afterwards } from './harness.ts';
import { startReceiver } from './webhooks/receiver.ts';

async function started(options?: StartGatewayOptions): Promise<RunningGateway> {
  const gateway = await startGateway(options);
  afterwards(() => gateway.close().catch(() => undefined));
  return gateway;
}

function call({ url, key }: RunningGateway, path: string, body?: unknown): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }) };
  return fetch(`${url}${path}`, { headers, ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }) });
}

/** Folders of a process's in-memory stores. */
function listFolders(pid: number | undefined): string[] {
  return [tmpdir(), '/dev/shm']
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder))
    .filter((name) => name.startsWith(`payments-gateway-${pid}-`));
}

const { body: payment } = requestExamples.createPayment['h2h-upi'];

describe('startGateway', () => {
  it('listens on a free port, with a merchant with a wallet for each currency', async () => {
    const gateway = await started();
    const balance = (await (await call(gateway, '/merchant/balance')).json()) as { balances: unknown[] };
    expect(balance.balances).toHaveLength(4);
  });

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

  it('sends webhooks to the test that started it, signed with the secret', async () => {
    const gateway = await started();
    const { address, received, requests } = await startReceiver();
    await call(gateway, '/payments', { ...payment, callback_url: address });
    await received(1);
    const [{ body = '', headers = {} } = {}] = requests;
    const event = await verifyWebhook({ body, headers, secret: gateway.secret });
    expect(event.status).toBe('PAY_CONFIRMATION_NEEDED');
  });

  it('directs payers to its own address', async () => {
    const gateway = await started();
    const { body } = requestExamples.createPayment['redirect-upi'];
    const created = (await (await call(gateway, '/payments', body)).json()) as { redirect_url: string };
    expect(created.redirect_url.startsWith(`${gateway.url}/checkout/`)).toBe(true);
    expect((await fetch(created.redirect_url)).status).toBe(200);
  });

  it('cleans up when closed', async () => {
    const gateway = await startGateway();
    expect(listFolders(process.pid)).not.toEqual([]);
    await gateway.close();
    expect(listFolders(process.pid)).toEqual([]);
    await expect(call(gateway, '/merchant/balance')).rejects.toThrow('fetch failed');
  });

  it('rejects with the reason if it cannot start, and cleans up', async () => {
    const gateway = await startGateway();
    const port = Number(new URL(gateway.url).port);
    await expect(startGateway({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await gateway.close();
    expect(listFolders(process.pid)).toEqual([]);
  });
});
