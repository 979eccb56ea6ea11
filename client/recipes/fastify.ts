/** Webhooks with Fastify: the plugin's own scope keeps JSON as bytes. All other routes parse it as before. */
import type { FastifyInstance } from 'fastify';
import { createWebhookReceiver, type ReceiverOptions } from 'payments-client/webhooks';

export async function paymentsWebhook(app: FastifyInstance, options: ReceiverOptions): Promise<void> {
  const receive = createWebhookReceiver(options);
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

  app.post('/webhooks/payments', async (request, reply) => {
    const { status, ...body } = await receive({ body: request.body as Buffer, headers: request.headers });
    return reply.code(status).send(body);
  });
}

// app.register(paymentsWebhook, { secret: process.env.WEBHOOK_SECRET, apply });
