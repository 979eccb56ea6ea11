/** The endpoint that callback_url names. It believes nothing before the signature of the raw body is verified. */
import type { FastifyInstance } from 'fastify';
import { verifyWebhook, WebhookError, type WebhookEvent } from 'payments-client/webhooks';

interface Options {
  secret: string;
  onEvent: (event: WebhookEvent) => Promise<void>;
}

/** Registered as a plugin it has a scope of its own, in which JSON stays the bytes that arrived. */
export async function webhooks(app: FastifyInstance, { secret, onEvent }: Options): Promise<void> {
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

  app.post('/webhooks', async (request, reply) => {
    try {
      await onEvent(await verifyWebhook({ body: request.body as Buffer, headers: request.headers, secret }));
      return reply.code(204).send();
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error;
      // A kind of event that is newer than this version is genuine, and no better known when it is sent again.
      if (error.code === 'UNKNOWN_EVENT') return reply.code(204).send();
      console.warn(`webhook refused: ${error.code}. ${error.message}`);
      return reply.code(400).send({ error: error.code });
    }
  });
}
