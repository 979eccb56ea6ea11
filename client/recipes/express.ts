/** Webhooks with Express 4 and 5: `express.raw` on this route only. Mount it before any `app.use(express.json())`. */
import express, { type Router } from 'express';
import { createWebhookReceiver, type ReceiverOptions } from 'payments-client/webhooks';

export function paymentsWebhook(options: ReceiverOptions): Router {
  const receive = createWebhookReceiver(options);
  return express
    .Router()
    .post('/webhooks/payments', express.raw({ type: 'application/json' }), async (request, response, next) => {
      try {
        const { status, ...body } = await receive({ body: request.body, headers: request.headers });
        response.status(status).json(body);
      } catch (error) {
        // Express 4 ignores rejections of handlers.
        next(error);
      }
    });
}

// app.use(paymentsWebhook({ secret: process.env.WEBHOOK_SECRET, apply }));
