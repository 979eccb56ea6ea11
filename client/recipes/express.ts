/** Webhooks with Express 4 and 5: `express.raw` on this route alone. Mount it before any `app.use(express.json())`. */
import express, { type Router } from 'express';
import { type VerifyOptions, verifyWebhook, WebhookError, type WebhookEvent } from 'payments-client/webhooks';

/** `now` and `toleranceSeconds` are for tests: they decide which timestamps count as fresh. */
interface Options extends Pick<VerifyOptions, 'now' | 'toleranceSeconds'> {
  secret: string | string[];
  onEvent: (event: WebhookEvent) => Promise<void>;
}

export function paymentsWebhook({ onEvent, ...options }: Options): Router {
  const router = express.Router();

  router.post('/webhooks/payments', express.raw({ type: 'application/json' }), async (request, response, next) => {
    try {
      const event = await verifyWebhook({ body: request.body, headers: request.headers, ...options });
      await onEvent(event);
      response.status(204).end();
    } catch (error) {
      // Not thrown: Express 4 does not look at what a handler's promise rejects with.
      if (!(error instanceof WebhookError)) return next(error);
      // A kind of event that is newer than this version is genuine, and no better known when it is sent again.
      if (error.code === 'UNKNOWN_EVENT') return void response.status(204).end();
      response.status(400).json({ error: error.code });
    }
  });
  return router;
}

// app.use(paymentsWebhook({ secret, onEvent }));
