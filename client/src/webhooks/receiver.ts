/** An endpoint for webhooks, without the framework. */
import { WebhookError, type WebhookErrorCode } from './errors.ts';
import type { WebhookEvent } from './event.ts';
import { checkSecret } from './scheme.ts';
import { type VerifyOptions, verifyWebhook } from './verify.ts';

export interface ReceiverOptions extends Omit<VerifyOptions, 'body' | 'headers'> {
  /** Stores the event. If it rejects, so does the receiver: respond with 500, so that the event is delivered again. */
  readonly apply: (event: WebhookEvent) => Promise<unknown> | unknown;
  /** Receives a line for each refused or ignored webhook. Defaults to `console.warn`. */
  readonly log?: ((line: string) => unknown) | undefined;
}

/** The response to a webhook: 204, or 400 with the reason. */
export interface WebhookResponse {
  readonly status: 204 | 400;
  readonly error?: WebhookErrorCode;
}

export type WebhookReceiver = (request: Pick<VerifyOptions, 'body' | 'headers'>) => Promise<WebhookResponse>;

/** Creates a receiver. Throws a WebhookError with SECRET_INVALID if the secret is missing or malformed. */
export function createWebhookReceiver({ apply, log = console.warn, ...options }: ReceiverOptions): WebhookReceiver {
  checkSecret(options);
  return async (request) => {
    let event: WebhookEvent;
    try {
      event = await verifyWebhook({ ...options, ...request });
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error;
      // The event is genuine, and a later delivery would not be known either.
      if (error.code === 'UNKNOWN_EVENT') {
        log(`Webhook ignored: ${error.message}`);
        return { status: 204 };
      }
      log(`Webhook refused: ${error.code}. ${error.message}`);
      return { status: 400, error: error.code };
    }
    await apply(event);
    return { status: 204 };
  };
}
