/** Webhooks with Hono: read the body as bytes, and leave `c.req.json()` alone. It runs on Node, Deno, Bun and workers. */
import { Hono } from 'hono';
import { type VerifyOptions, verifyWebhook, WebhookError, type WebhookEvent } from 'payments-client/webhooks';

/** `now` and `toleranceSeconds` are for tests: they decide which timestamps count as fresh. */
interface Options extends Pick<VerifyOptions, 'now' | 'toleranceSeconds'> {
  secret: string | string[];
  onEvent: (event: WebhookEvent) => Promise<void>;
}

export function paymentsWebhook({ onEvent, ...options }: Options): Hono {
  return new Hono().post('/webhooks/payments', async (c) => {
    try {
      const event = await verifyWebhook({ body: await c.req.arrayBuffer(), headers: c.req.raw.headers, ...options });
      await onEvent(event);
      return c.body(null, 204);
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error;
      // A kind of event that is newer than this version is genuine, and no better known when it is sent again.
      if (error.code === 'UNKNOWN_EVENT') return c.body(null, 204);
      return c.json({ error: error.code }, 400);
    }
  });
}

// app.route('/', paymentsWebhook({ secret, onEvent }));
