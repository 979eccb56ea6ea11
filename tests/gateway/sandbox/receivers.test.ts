/** Receivers that compare a signature's time with their own clock, while the merchant's clock differs. */
import fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { paymentsWebhook as fastifyRecipe } from '../../../client/recipes/fastify.ts';
import { paymentsWebhook as fetchRecipe } from '../../../client/recipes/next.ts';
import type { WebhookEvent } from '../../../client/src/webhooks.ts';
import { startGateway } from '../../../gateway/src/server.ts';
import { requestExamples } from '../../../generated/examples.ts';
import { afterwards } from '../harness/afterwards.ts';

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
