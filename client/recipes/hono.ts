/** Webhooks with Hono on Node, Deno, Bun and workers: pass the raw request, and don't call `c.req.json()`. */
import { Hono } from 'hono';
import { createWebhookReceiver, type ReceiverOptions } from 'payments-client/webhooks';

export function paymentsWebhook(options: ReceiverOptions): Hono {
  const receive = createWebhookReceiver(options);
  return new Hono().post('/webhooks/payments', async (c) => {
    const { status, ...body } = await receive({ body: c.req.raw.body ?? '', headers: c.req.raw.headers });
    return status === 204 ? c.body(null, 204) : c.json(body, status);
  });
}

// app.route('/', paymentsWebhook({ secret: process.env.WEBHOOK_SECRET, apply }));
