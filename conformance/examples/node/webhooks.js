/** Webhooks: signatures, attempts, and the schedule of further attempts. */
import { createHmac } from 'node:crypto';
import { transactionView } from './views.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const RETRIES_MS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR)];
const JITTER = 0.2;

/** The outcome of a payout is sent once more after it was delivered, for receivers that lost it. */
const COPY_MS = 3 * SECOND;

const TIMEOUT_MS = 15 * SECOND;

/** One value for each secret: several are valid while the merchant's secret is rotated. */
export function sign(secrets, id, timestamp, body) {
  return secrets
    .map((secret) => Buffer.from(secret.replace(/^whsec_/, ''), 'base64'))
    .map((key) => `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`)
    .join(' ');
}

/** Makes one attempt. Resolves with the status of the response, or undefined without one. */
export async function attempt({ id, url, snapshot }, secrets) {
  const body = JSON.stringify(transactionView(snapshot));
  const timestamp = Math.floor(Date.now() / 1_000);
  const signature = sign(secrets, id, timestamp, body);
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Daybook-Webhooks',
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signature,
        'x-daybook-signature': signature,
      },
      body,
    });
    await response.body?.cancel();
    return response.status;
  } catch {
    return undefined;
  }
}

/** The event that follows from an attempt. `random` is between 0 and 1. */
export function afterAttempt({ attempts, isDelivered, snapshot }, status, now, random) {
  const dueIn = (ms) => new Date(now + ms).toISOString();
  if (status === 410) return { type: 'webhook.gone' };
  if (status >= 200 && status < 300) {
    const hasCopy = snapshot.kind === 'payout' && !isDelivered;
    return { type: 'webhook.delivered', due_at: hasCopy ? dueIn(COPY_MS) : undefined };
  }
  const delay = isDelivered ? undefined : RETRIES_MS[attempts];
  return { type: 'webhook.failed', due_at: delay && dueIn(delay * (1 + JITTER * random)) };
}
