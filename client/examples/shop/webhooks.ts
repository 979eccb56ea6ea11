/** The endpoint for webhooks. It uses nothing of a body before its signature is verified. */
import type { FastifyInstance } from 'fastify';
import { createWebhookReceiver, type ReceiverOptions } from 'payments-client/webhooks';

/** Registered as a plugin, it has its own scope, which keeps JSON as bytes. */
export async function webhooks(app: FastifyInstance, options: ReceiverOptions): Promise<void> {
  const receive = createWebhookReceiver(options);
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

  app.post('/webhooks', async (request, reply) => {
    const { status, ...body } = await receive({ body: request.body as Buffer, headers: request.headers });
    return reply.code(status).send(body);
  });
}
