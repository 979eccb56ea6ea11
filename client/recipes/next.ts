/** Webhooks with a route handler of Next, or any other server that passes a Fetch request. */
import { createWebhookReceiver, type ReceiverOptions } from 'payments-client/webhooks';

export function paymentsWebhook(options: ReceiverOptions): (request: Request) => Promise<Response> {
  const receive = createWebhookReceiver(options);
  return async (request) => {
    const { status, ...body } = await receive({ body: request.body ?? '', headers: request.headers });
    return status === 204 ? new Response(null, { status }) : Response.json(body, { status });
  };
}

// app/webhooks/payments/route.ts: export const POST = paymentsWebhook({ secret: process.env.WEBHOOK_SECRET, apply });
