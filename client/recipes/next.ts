/** Webhooks with Next: a route handler gets the request as it arrived; read its bytes. Any fetch-style server takes it. */
import { type VerifyOptions, verifyWebhook, WebhookError, type WebhookEvent } from 'payments-client/webhooks';

/** `now` and `toleranceSeconds` are for tests: they decide which timestamps count as fresh. */
interface Options extends Pick<VerifyOptions, 'now' | 'toleranceSeconds'> {
  secret: string | string[];
  onEvent: (event: WebhookEvent) => Promise<void>;
}

export function paymentsWebhook({ onEvent, ...options }: Options): (request: Request) => Promise<Response> {
  return async (request) => {
    try {
      const event = await verifyWebhook({ body: await request.arrayBuffer(), headers: request.headers, ...options });
      await onEvent(event);
      return new Response(null, { status: 204 });
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error;
      // A kind of event that is newer than this version is genuine, and no better known when it is sent again.
      if (error.code === 'UNKNOWN_EVENT') return new Response(null, { status: 204 });
      return Response.json({ error: error.code }, { status: 400 });
    }
  };
}

// app/webhooks/payments/route.ts: export const POST = paymentsWebhook({ secret, onEvent });
