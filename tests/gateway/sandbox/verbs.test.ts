/** The sandbox's verbs, and receivers with other clocks. */
import fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { paymentsWebhook as fastifyRecipe } from '../../../client/recipes/fastify.ts';
import { paymentsWebhook as fetchRecipe } from '../../../client/recipes/next.ts';
import type { WebhookEvent } from '../../../client/src/webhooks.ts';
import { ApiError, type RunningGateway, startGateway } from '../../../gateway/src/index.ts';
import { requestExamples } from '../../../generated/examples.ts';
import { afterwards } from '../harness/afterwards.ts';

async function started(): Promise<RunningGateway> {
  const gateway = await startGateway();
  afterwards(() => gateway.close());
  return gateway;
}

async function create({ url, key, webhooks }: RunningGateway, path: string, body: object): Promise<string> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, callback_url: webhooks.url }),
  });
  expect(response.ok).toBe(true);
  return ((await response.json()) as { transaction_id: string }).transaction_id;
}

const PAYMENT = requestExamples.createPayment['h2h-upi'].body;
const PAYOUT = requestExamples.createPayout['imps-inr'].body;

describe('the verbs of startGateway', () => {
  it('retry a refused webhook when it is due', async () => {
    const gateway = await started();
    gateway.webhooks.respondWith(500, 503);
    await create(gateway, '/payments', PAYMENT);
    await gateway.clock.advance('10m');
    const { id } = await gateway.webhooks.next('PAY_CONFIRMATION_NEEDED');
    expect(id).toMatch(/^evt_/);
  });

  it('fund the wallet that a payout then empties', async () => {
    const gateway = await started();
    await gateway.wallets.fund('INR', PAYOUT.amount);
    await create(gateway, '/payouts', PAYOUT);
    await gateway.webhooks.next('SUCCESS');
    const { balances } = await gateway.wallets.drain('INR');
    expect(balances).toContainEqual({ currency: 'INR', available: 0, pending: 0 });
  });

  it('list the legal events after an illegal one', async () => {
    const gateway = await started();
    await gateway.channels.set('payment', 'UPI_IN', 'manual');
    const id = await create(gateway, '/payments', PAYMENT);
    const refused = await gateway.payments.succeed(id).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ApiError);
    expect((refused as ApiError).message).toContain(
      'Legal now: ask-for-data, ask-for-confirmation, pay, decline, expire.',
    );
  });
});

type Options = Parameters<typeof fastifyRecipe>[1];

const RECIPES: Readonly<Record<string, (options: Options) => ReturnType<typeof fastify>>> = {
  fastify(options) {
    const app = fastify();
    app.register(fastifyRecipe, options);
    return app;
  },
  'any server with Request and Response'(options) {
    const app = fastify();
    const receive = fetchRecipe(options);
    app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => done(null, body));
    app.post('/webhooks/payments', async ({ headers, body }, reply) => {
      const request = { method: 'POST', headers: headers as Record<string, string>, body: body as string };
      const response = await receive(new Request('http://localhost/webhooks/payments', request));
      return reply.code(response.status).send();
    });
    return app;
  },
};

/** A gateway whose merchant has a receiver. `expire` returns the statuses of the accepted webhooks. */
async function start(recipe: (options: Options) => ReturnType<typeof fastify>, options: Partial<Options> = {}) {
  const gateway = await startGateway();
  afterwards(() => gateway.close());
  const accepted: WebhookEvent[] = [];
  const app = recipe({ secret: gateway.secret, apply: (event) => accepted.push(event), ...options });
  afterwards(() => app.close());
  const callback_url = `${await app.listen({ host: '127.0.0.1', port: 0 })}/webhooks/payments`;
  let orders = 0;
  const expire = async () => {
    accepted.length = 0;
    await fetch(`${gateway.url}/payments`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        ...requestExamples.createPayment['h2h-upi'].body,
        merchant_order_id: `order-${++orders}`,
        customer: { id: `customer-${orders}`, name: 'Asha Rao', phone: '+919812345671' },
        callback_url,
      }),
    });
    const { reached } = await gateway.clock.advance('15m');
    return { reached, accepted: accepted.map(({ status }) => status) };
  };
  return { gateway, expire };
}

const ALL = { reached: true, accepted: ['PAY_CONFIRMATION_NEEDED', 'FAILED'] };

describe.each(Object.entries(RECIPES))('the recipe for %s', (_name, recipe) => {
  it("accepts webhooks regardless of the merchant's clock", async () => {
    const { gateway, expire } = await start(recipe);
    expect(await expire()).toEqual(ALL);
    await gateway.clock.advance('3d');
    expect(await expire()).toEqual(ALL);
    await gateway.clock.release();
    expect(await expire()).toEqual(ALL);
  });

  it("verifies webhooks signed with the merchant's clock, by that clock", async () => {
    let now = Date.now();
    const { gateway, expire } = await start(recipe, { now: () => now, toleranceSeconds: 1_000 });
    await gateway.clock.signWith('merchant');
    now = Date.parse((await gateway.clock.advance('3d')).now);
    expect(await expire()).toEqual(ALL);
  });
});
