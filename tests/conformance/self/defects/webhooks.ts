/** Missing, wrong, unsigned, premature and misdirected webhooks. */
import type { Json, JsonObject } from '../../../../contract/src/model.ts';
import type { Webhook } from '../alteration.ts';
import { computeRetryMs } from '../proxy.ts';
import type { Defect } from '../trial.ts';
import { defect, delivering, set, turned, type Where } from './build.ts';

/** The events, and where they come from. */
const EVENTS: Readonly<Record<string, Where>> = {
  paymentExtraDataNeeded: { kind: 'payment', status: 'EXTRA_DATA_NEEDED' },
  paymentConfirmationNeeded: { kind: 'payment', status: 'PAY_CONFIRMATION_NEEDED' },
  paymentSucceeded: { kind: 'payment', status: 'SUCCESS' },
  paymentFailed: { kind: 'payment', status: 'FAILED' },
  payoutSucceeded: { kind: 'payout', status: 'SUCCESS' },
  payoutFailed: { kind: 'payout', status: 'FAILED' },
};

const EVERY: Where = {};
const FINAL: Where = { status: ['SUCCESS', 'FAILED'] };
const NONE: readonly Webhook[] = [];
const DIFFERS = { verdict: 'differs' } as const;

const absent = Object.entries(EVENTS).map(([event, where]) =>
  delivering(
    {
      id: `webhooks/absent/${event}`,
      title: `${event} is never sent`,
      foundBy: `webhook/arrives/${event}`,
      options: { timeoutMs: 3_000 },
    },
    where,
    () => NONE,
  ),
);

/** Bodies that contradict the status endpoint. */
const CONTRADICTIONS: readonly (readonly [name: string, where: Where, change: (body: JsonObject) => void])[] = [
  ['other-amount_paid', { kind: 'payment', status: 'SUCCESS' }, turned('amount_paid', (value) => Number(value) * 100)],
  ['other-reason', { status: 'FAILED' }, set('decline_reason', 'INTERNAL_ERROR')],
  [
    'success-for-failed',
    { kind: 'payment', status: 'FAILED' },
    (body) => {
      delete body['decline_reason'];
      Object.assign(body, { status: 'SUCCESS', amount_paid: body['amount'] ?? 0 });
    },
  ],
  [
    'failed-for-payout-success',
    { kind: 'payout', status: 'SUCCESS' },
    (body) => {
      Object.assign(body, { status: 'FAILED', decline_reason: 'BANK_REJECTED' });
    },
  ],
];

const contradictions = CONTRADICTIONS.map(([name, where, change]) => {
  const foundBy = /for/.test(name) ? 'webhook/explained' : 'webhook/same-as-status';
  return delivering(
    { id: `webhooks/contradiction/${name}`, title: `a webhook with ${name.replaceAll('-', ' ')}`, foundBy },
    where,
    ({ body }) => {
      change(body);
      return undefined;
    },
  );
});

const whole = (
  name: string,
  title: string,
  foundBy: string,
  where: Where,
  change: (webhook: Webhook) => readonly Webhook[] | undefined,
): Defect => delivering({ id: `webhooks/form/${name}`, title, foundBy }, where, change);

const written = (write: (body: JsonObject) => Json | string) => (webhook: Webhook) => {
  const text = write(webhook.body);
  webhook.text = typeof text === 'string' ? text : JSON.stringify(text);
  return undefined;
};

const forms: readonly Defect[] = [
  whole('put', 'webhooks come by PUT', 'webhook/shape', EVERY, (webhook) => {
    webhook.method = 'PUT';
    return undefined;
  }),
  whole(
    'wrapped',
    'webhooks are wrapped in data',
    'webhook/arrives',
    EVERY,
    written((body) => ({ event: 'changed', data: body })),
  ),
  whole(
    'list',
    'webhooks are lists',
    'webhook/arrives',
    EVERY,
    written((body) => [body]),
  ),
  whole(
    'form',
    'webhooks are form data',
    'webhook/arrives',
    EVERY,
    written((body) => new URLSearchParams(body as Record<string, string>).toString()),
  ),
  whole(
    'broken',
    'webhooks are broken JSON',
    'webhook/arrives',
    EVERY,
    written((body) => JSON.stringify(body).slice(0, -1)),
  ),
  whole(
    'empty',
    'webhooks are empty',
    'webhook/arrives',
    EVERY,
    written(() => ''),
  ),
  whole(
    'id-only',
    'webhooks carry only id and status',
    'webhook/arrives/paymentSucceeded',
    EVERY,
    written(({ transaction_id = '', status = '' }) => ({ transaction_id, status })),
  ),
  whole(
    'payout-like-payment',
    "a payout's webhook is shaped like a payment's",
    'consistency/payout/kind',
    { kind: 'payout' },
    ({ body }) => {
      Object.assign(body, { payment_method: 'IMPS_IN' });
      return undefined;
    },
  ),
  whole('status-in-lower-case', 'webhooks have statuses in lower case', 'webhook/arrives', EVERY, ({ body }) => {
    body['status'] = String(body['status']).toLowerCase();
    return undefined;
  }),
];

const RETRY_MS = 25_000;

function retrying(id: string, title: string, foundBy: string, retryMs: Webhook['retryMs'], timeoutMs = 7_000): Defect {
  return delivering(
    { id: `webhooks/retry/${id}`, title, foundBy, ...DIFFERS, options: { timeoutMs } },
    EVERY,
    (webhook) => {
      webhook.retryMs = retryMs;
      return undefined;
    },
  );
}

const never =
  (unless: (status: number) => boolean): Webhook['retryMs'] =>
  (status, attempt) =>
    unless(status) ? computeRetryMs(status, attempt) : undefined;

const retries: readonly Defect[] = [
  retrying(
    'not-after-500',
    'a webhook comes once, even after a 500',
    'webhook/retry/500',
    never((status) => status < 500),
  ),
  retrying(
    'not-after-redirect',
    'a redirect counts as received',
    'webhook/retry/redirect',
    never((status) => status < 300 || status >= 400),
  ),
  retrying(
    'not-after-close',
    'a closed connection counts as received',
    'webhook/retry/close',
    never((status) => status !== 0),
  ),
  retrying(
    'not-after-silence',
    'no reply counts as received',
    'webhook/retry/no-reply',
    never((status) => status !== 0),
    RETRY_MS,
  ),
  defect(
    {
      id: 'webhooks/retry/after-410',
      title: 'an address that replied 410 gets more webhooks',
      foundBy: 'webhook/retry/gone',
      ...DIFFERS,
    },
    () => ({ webhook: (webhook) => [webhook] }),
  ),
  retrying('after-2xx', 'webhooks come again although they were received', 'webhook/identity', (_status, attempt) =>
    attempt < 8 ? 20 : undefined,
  ),
  delivering(
    {
      id: 'webhooks/retry/new-id',
      title: 'each attempt has a new id',
      foundBy: 'webhook/retry/500',
      ...DIFFERS,
      options: { timeoutMs: 7_000 },
    },
    EVERY,
    (webhook) => {
      const valid = webhook.headers;
      webhook.headers = (signed) => valid({ ...signed, id: `${signed.id}-${signed.attempt}` });
      return undefined;
    },
  ),
  delivering(
    {
      id: 'webhooks/retry/duplicate-with-new-id',
      title: 'each event comes twice with different ids',
      foundBy: 'webhook/identity',
      ...DIFFERS,
    },
    FINAL,
    (webhook) => [webhook, { ...webhook, id: `${webhook.id}-b` }],
  ),
  delivering(
    { id: 'webhooks/retry/one-id-for-all', title: 'all events share one id', foundBy: 'webhook/identity', ...DIFFERS },
    EVERY,
    (webhook) => {
      webhook.id = 'evt_1';
      return undefined;
    },
  ),
];

const misdirected: readonly Defect[] = [
  defect(
    {
      id: 'webhooks/explained/another-address',
      title: 'webhooks go to the address of another payment',
      foundBy: 'webhook/explained',
    },
    () => {
      let before: string | undefined;
      return {
        webhook(webhook) {
          const url = before ?? webhook.url;
          before = webhook.url;
          webhook.url = url;
          return undefined;
        },
      };
    },
  ),
  delivering(
    {
      id: 'webhooks/explained/unknown-transaction',
      title: 'webhooks are about an unknown transaction',
      foundBy: 'webhook/explained',
    },
    FINAL,
    ({ body }) => {
      body['transaction_id'] = 'pay_unknown';
      return undefined;
    },
  ),
  delivering(
    {
      id: 'webhooks/explained/success-too-early',
      title: 'SUCCESS is sent when the payment waits for the transfer',
      foundBy: 'webhook/explained',
    },
    { kind: 'payment', status: 'PAY_CONFIRMATION_NEEDED' },
    (webhook) => {
      const { pay_data: _pay, confirm: _confirm, ...rest } = webhook.body;
      const early = {
        ...rest,
        status: 'SUCCESS',
        amount_paid: rest['amount'] ?? 0,
        finalized_at: new Date().toISOString(),
      };
      return [webhook, { ...webhook, id: `${webhook.id}-early`, body: early }];
    },
  ),
];

export const webhooks: readonly Defect[] = [...absent, ...contradictions, ...forms, ...retries, ...misdirected];
