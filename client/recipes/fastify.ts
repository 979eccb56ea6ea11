/** Webhooks with Fastify: in a scope of its own, JSON stays the bytes that arrived; all other routes parse it as before. */
import type { FastifyInstance } from 'fastify';
import { type VerifyOptions, verifyWebhook, WebhookError, type WebhookEvent } from 'payments-client/webhooks';

/** `now` and `toleranceSeconds` are for tests: they decide which timestamps count as fresh. */
interface Options extends Pick<VerifyOptions, 'now' | 'toleranceSeconds'> {
  secret: string | string[];
  onEvent: (event: WebhookEvent) => Promise<void>;
}

export async function paymentsWebhook(app: FastifyInstance, { onEvent, ...options }: Options): Promise<void> {
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

  app.post('/webhooks/payments', async (request, reply) => {
    try {
      const event = await verifyWebhook({ body: request.body as Buffer, headers: request.headers, ...options });
      await onEvent(event);
      return reply.code(204).send();
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error;
      // A kind of event that is newer than this version is genuine, and no better known when it is sent again.
      if (error.code === 'UNKNOWN_EVENT') return reply.code(204).send();
      return reply.code(400).send({ error: error.code });
    }
  });
}

// app.register(paymentsWebhook, { secret, onEvent });
