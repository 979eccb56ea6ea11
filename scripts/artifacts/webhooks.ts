/** Helpers for receivers of webhooks, and test vectors of their signatures. */

import { PLACEHOLDER_SECRET } from '../../contract/src/mock/placeholders.ts';
import { type Bundle, webhooks } from '../../contract/src/model.ts';
import { acceptedDeliveries } from '../../contract/src/vectors/accepted.ts';
import { rejectedDeliveries } from '../../contract/src/vectors/rejected.ts';
import type { VectorInputs } from '../../contract/src/vectors/writer.ts';
import { TOLERANCE_SECONDS } from '../../contract/src/webhook-signature.ts';
import type { WebhookVectors } from '../../contract/src/webhook-vectors.ts';
import { readStatus, webhookKinds } from './statuses.ts';

const FUNCTIONS = `/**
 * Tells payments from payouts: a payment names its method, as \`payment_method\` or \`payment_method_type\`, and a payout has
 * neither field. Use it on the body of a webhook, whose \`status\` alone is ambiguous.
 */
export function kindOf(transaction: object): 'payment' | 'payout' {
  return paymentFields.some((name) => name in transaction) ? 'payment' : 'payout';
}

/** True if this is about a payment; narrows the type. */
export function isPayment<T extends object>(transaction: T): transaction is Exclude<T, PayoutBase> {
  return kindOf(transaction) === 'payment';
}

/** True if this is about a payout; narrows the type. */
export function isPayout<T extends object>(transaction: T): transaction is Extract<T, PayoutBase> {
  return kindOf(transaction) === 'payout';
}

/** The name of the event that a body reports, or undefined for an event that this version does not know. */
export function webhookName(body: { readonly status?: unknown }): WebhookName | undefined {
  const names: Readonly<Record<string, WebhookName>> = webhookNames[kindOf(body)];
  return Object.hasOwn(names, String(body.status)) ? names[String(body.status)] : undefined;
}

/** A function for each event that a program handles. */
export type WebhookHandlers<R = unknown> = { readonly [N in WebhookName]?: ((body: WebhookPayloads[N]) => R) | undefined };

/** Calls the handler of the event that a body reports, and returns its result. Without a handler the result is undefined. */
export function dispatchWebhook<R>(body: WebhookPayload, handlers: WebhookHandlers<R>): R | undefined {
  const name = webhookName(body);
  const handle = name && (handlers[name] as ((body: WebhookPayload) => R) | undefined);
  return handle?.(body);
}
`;

/** generated/webhooks.ts without its banner. */
export function webhooksArtifact(bundle: Bundle): string {
  const kinds = webhookKinds(bundle);
  const names = Object.entries(kinds).map(([kind, ids]) => {
    const events = webhooks(bundle).filter(({ id }) => ids.includes(id));
    return [kind, Object.fromEntries(events.map((webhook) => [readStatus(bundle, webhook), webhook.id]))];
  });
  return [
    "import { paymentFields } from './statuses.ts';",
    "import type { PayoutBase, WebhookName, WebhookPayload, WebhookPayloads } from './types.ts';",
    '',
    '/** Names of the events, by kind of transaction and status. */',
    `export const webhookNames = ${JSON.stringify(Object.fromEntries(names), null, 2)} as const satisfies Record<string, Record<string, WebhookName>>;`,
    '',
    FUNCTIONS,
  ].join('\n');
}

const ABOUT =
  'Signed webhooks to test a verification on. With `secret` at the time `now`, accept each of `valid` and reject each of `invalid`.';

const INPUTS: VectorInputs = {
  secret: PLACEHOLDER_SECRET,
  previousSecret: encodeSecret('its previous one, being replaced'),
  foreignSecret: encodeSecret('the secret of another merchant..'),
  now: Date.UTC(2026, 2, 2, 9, 4) / 1_000,
  marginSeconds: 1,
  id: 'evt_01KJPX0M5E8T2VQ4R7S9W1Y3ZA',
  body: (example) => JSON.stringify(example),
};

/** generated/webhook-vectors.json: deliveries of the contract's examples, with fixed secrets at a fixed time. */
export function webhookVectorsArtifact(bundle: Bundle): string {
  const vectors: WebhookVectors = {
    ...{ about: ABOUT, now: INPUTS.now, tolerance_seconds: TOLERANCE_SECONDS },
    valid: acceptedDeliveries(bundle, INPUTS).map(({ name, summary, secret, signedWith, headers, body }) => ({
      ...{ name, summary, secret, signed_with: signedWith, headers, body },
    })),
    invalid: rejectedDeliveries(bundle, INPUTS).map(({ name, reason, code, headers, body }) => ({
      ...{ name, reason, code, secret: INPUTS.secret, headers, body },
    })),
  };
  return `${JSON.stringify(vectors, null, 2)}\n`;
}

function encodeSecret(bytes: string): string {
  return `whsec_${Buffer.from(bytes).toString('base64')}`;
}
