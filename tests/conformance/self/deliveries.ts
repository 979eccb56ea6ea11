/** Delivers webhooks to the kit in the gateway's place, sooner than the gateway would repeat them. */
import { signedHeaders, signingKey, type WireFormat } from '../../../gateway/src/webhooks/signature.ts';
import type { Webhook } from './alteration.ts';

/** Pauses between the attempts of a valid service. The source leaves them open. */
const RETRY_MS: readonly number[] = [150, 400, 800, 1_600, 3_200];
/** Longer than the kit takes to respond, and shorter than it hangs. */
const RESPONSE_WITHIN_MS = 3_000;

/** Stops the webhooks to an address. */
export const GONE = 410;

/** The headers that a valid service sends, by its clock. */
export function createWebhookHeaders(format: WireFormat, secret: string, now = Date.now): Webhook['headers'] {
  const keys = [signingKey(secret)];
  return ({ id, text }) => signedHeaders(format, { id, timestamp: Math.floor(now() / 1_000), body: text }, keys);
}

export function computeRetryMs(status: number, attempt: number): number | undefined {
  if ((status >= 200 && status < 300) || status === GONE) return undefined;
  return RETRY_MS[attempt - 1];
}

/** Retries the webhook until it is settled or the signal is aborted. `onStatus` gets the status of each reply. */
export async function deliver(
  webhook: Webhook,
  signal: AbortSignal,
  onStatus: (status: number) => void = () => {},
): Promise<void> {
  const text = webhook.text ?? JSON.stringify(webhook.body);
  let waitMs: number | undefined = webhook.delayMs;
  for (let attempt = 1; waitMs !== undefined && !signal.aborted; attempt += 1) {
    if (waitMs > 0) await pause(waitMs, signal);
    if (signal.aborted) return;
    const headers = webhook.headers({ id: webhook.id, text, attempt });
    const status = await attemptOnce(webhook, headers, text, signal);
    if (webhook.replyMs > 0) await pause(webhook.replyMs, signal);
    onStatus(status);
    waitMs = webhook.retryMs(status, attempt);
  }
}

/** The status of the response; 0 without one. */
async function attemptOnce(
  { url, method, follows = false }: Webhook,
  headers: Record<string, string>,
  body: string,
  signal: AbortSignal,
): Promise<number> {
  try {
    const within = AbortSignal.any([signal, AbortSignal.timeout(RESPONSE_WITHIN_MS)]);
    const response = await fetch(url, {
      ...{ method, headers, signal: within, redirect: follows ? 'follow' : 'manual' },
      ...(method !== 'GET' && { body }),
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, ms);
    signal.addEventListener('abort', finish);
  });
}
