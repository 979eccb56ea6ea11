/** Payouts: known and unknown outcomes, and no double payout. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { Orders } from '../../client/recipes/orders.ts';
import { reconcile } from '../../client/recipes/reconcile.ts';
import { createPaymentsClient, sendPayout } from '../../client/src/index.ts';
import { startGateway } from '../../gateway/src/server.ts';
import { requestExamples, responseExamples } from '../../generated/examples.ts';
import type { Payout } from '../../generated/types.ts';
import { ROOT, run } from '../../scripts/tools/process.ts';
import { afterwards, temporaryFolder } from '../gateway/harness.ts';
import type { Settings } from './pay-out.ts';
import { cutOff, disconnected, hanging, json, problem, type Reply, serve } from './service.ts';

const REQUEST = requestExamples.createPayout['imps-inr'].body;
const CREATED = responseExamples.createPayout[201]['imps-inr'];
const FAILED = responseExamples.getPayout[200].declined;

describe('sendPayout', () => {
  async function send(replies: Reply[], options = {}) {
    const { client, time, requests } = serve(replies);
    const result = await time.pass(sendPayout(client, REQUEST, options));
    return { ...result, bodies: await Promise.all(requests.map((request) => request.json())) };
  }

  it('reports an accepted payout, even if it is declined already', async () => {
    expect(await send([json(CREATED, 201)])).toMatchObject({ outcome: 'accepted', data: CREATED });
    expect(await send([json(FAILED, 201)])).toMatchObject({ outcome: 'accepted', data: { status: 'FAILED' } });
  });

  it('reports an accepted payout after a retry with the same body', async () => {
    const { outcome, bodies } = await send([disconnected, problem(500), json(CREATED, 201)]);
    expect([outcome, bodies]).toEqual(['accepted', [REQUEST, REQUEST, REQUEST]]);
  });

  it.each([400, 413, 415])('reports a refused payout after %d', async (status) => {
    expect(await send([problem(status)])).toMatchObject({ outcome: 'refused', error: { status } });
  });

  it.each([307, 401, 403, 404, 408, 409, 425, 429, 500, 502, 503, 504])(
    'reports an unknown outcome after %d',
    async (status) => {
      expect(await send([problem(status)])).toMatchObject({ outcome: 'unknown', error: { status } });
    },
  );

  it.each<[string, Reply[], object]>([
    ['a lost connection', [disconnected], { code: 'NETWORK' }],
    ['no response in time', [hanging], { code: 'TIMEOUT' }],
    ['a response that breaks off', [cutOff], { code: 'NETWORK' }],
    ['a success without an ID', [json({ status: 'PROCESSING' }, 201)], { code: 'INVALID_RESPONSE' }],
    ['a refusal of the second attempt', [disconnected, problem(400)], { status: 400 }],
  ])('reports an unknown outcome after %s', async (_name, replies, error) => {
    expect(await send(replies)).toMatchObject({ outcome: 'unknown', error });
  });

  it('reports an unknown outcome after a refusal if the request may have been sent before', async () => {
    expect(await send([problem(400)], { sentBefore: true })).toMatchObject({ outcome: 'unknown' });
  });

  it('rejects with a local error', async () => {
    const { client } = serve([], { auth: () => Promise.reject(new Error('no token')) });
    await expect(sendPayout(client, REQUEST)).rejects.toThrow('no token');
  });
});

describe('the recipe for orders', () => {
  async function start() {
    const gateway = await startGateway();
    afterwards(() => gateway.close());
    await gateway.wallets.fund('INR', 100_000);
    const file = join(await temporaryFolder(), 'orders.db');
    const access = { file, baseUrl: gateway.url, apiKey: gateway.key };
    const request = {
      ...REQUEST,
      amount: 70_000,
      currency: 'INR' as const,
      customer: { ...REQUEST.customer, id: 'manual' },
      callback_url: gateway.webhooks.url,
    };
    const client = createPaymentsClient(access);
    const available = async () => {
      const { data } = await client.GET('/merchant/balance');
      return data?.balances.find(({ currency }) => currency === 'INR')?.available;
    };
    return { gateway, client, file, access, request, available };
  }

  const script = join(ROOT, 'tests/client/pay-out.ts');

  /** Kills the process as soon as it reaches the point. */
  async function killAt(settings: Settings): Promise<void> {
    const child = spawn(process.execPath, [script, JSON.stringify(settings)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = await once(child.stdout, 'data');
    expect(String(line).trim()).toBe(settings.stopAt);
    child.kill('SIGKILL');
    await once(child, 'close');
  }

  it.each(['before the request', 'after the response', 'within the commit'] as const)(
    'pays once if the process is killed %s',
    async (stopAt) => {
      const { gateway, client, file, access, request, available } = await start();
      const before = await available();
      await killAt({ ...access, request, stopAt });
      // Another kill, while the payout is sent again.
      await killAt({ ...access, stopAt: 'after the response' });
      const { stdout } = await run(process.execPath, [script, JSON.stringify(access)]);
      expect(stdout).toBe('0 unknown\n');
      expect(await available()).toBe((before ?? 0) - request.amount);

      const db = new DatabaseSync(file);
      afterwards(async () => db.close());
      const orders = new Orders(db, ({ data }) => {
        db.prepare('INSERT INTO work VALUES (?, ?)').run(data.merchant_order_id, data.status);
      });
      const [order] = orders.open();
      const payout_id = order && 'payout_id' in order ? order.payout_id : '';
      await gateway.payouts.succeed(payout_id);
      const { id, body } = await gateway.webhooks.next('SUCCESS');
      const apply = (state: Parameters<Orders['apply']>[0]) => orders.apply(state);
      await reconcile({ client, open: orders.open(), apply, missing: () => {} });
      apply({ id, data: body as unknown as Payout });
      apply({ id, data: body as unknown as Payout });
      expect(db.prepare('SELECT status FROM work').all()).toEqual([{ status: 'PROCESSING' }, { status: 'SUCCESS' }]);
      expect(orders.open()).toEqual([]);
      expect(await available()).toBe((before ?? 0) - request.amount);
    },
  );
});
