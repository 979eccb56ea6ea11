/** Missing, wrong, unsigned, premature and misdirected webhooks. */
import { type Json, type JsonObject, readBundle } from '../../../../contract/src/model.ts';
import { readWireFormat } from '../../../../gateway/src/webhooks/signature.ts';
import { type Incoming, toObject, type Webhook } from '../alteration.ts';
import { computeRetryMs, createWebhookHeaders } from '../proxy.ts';
import type { Defect } from '../trial.ts';
import { asking, defect, delivering, json, row, turned, type Where } from './build.ts';

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

const absent = Object.entries(EVENTS).map(([event, where]) =>
  delivering(
    row(`webhooks/absent/${event}`, `webhook/arrives/${event}`, 'violating', { timeoutMs: 3_000 }),
    where,
    () => NONE,
  ),
);

/** Bodies that contradict the status endpoint. */
const CONTRADICTIONS: readonly (readonly [name: string, where: Where, change: (body: JsonObject) => void])[] = [
  ['other-amount_paid', { kind: 'payment', status: 'SUCCESS' }, turned('amount_paid', (value) => Number(value) * 100)],
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
  return delivering(row(`webhooks/contradiction/${name}`, foundBy), where, ({ body }) => {
    change(body);
  });
});

const written = (write: (body: JsonObject) => Json | string) => (webhook: Webhook) => {
  const text = write(webhook.body);
  webhook.text = typeof text === 'string' ? text : JSON.stringify(text);
};

const forms: readonly Defect[] = [
  delivering(row('webhooks/form/put', 'webhook/shape'), EVERY, (webhook) => {
    webhook.method = 'PUT';
  }),
  delivering(
    row('webhooks/form/wrapped', 'webhook/arrives'),
    EVERY,
    written((body) => ({ event: 'changed', data: body })),
  ),
  delivering(
    row('webhooks/form/list', 'webhook/arrives'),
    EVERY,
    written((body) => [body]),
  ),
  delivering(
    row('webhooks/form/form', 'webhook/arrives'),
    EVERY,
    written((body) => new URLSearchParams(body as Record<string, string>).toString()),
  ),
  delivering(
    row('webhooks/form/broken', 'webhook/arrives'),
    EVERY,
    written((body) => JSON.stringify(body).slice(0, -1)),
  ),
  delivering(
    row('webhooks/form/empty', 'webhook/arrives'),
    EVERY,
    written(() => ''),
  ),
  delivering(
    row('webhooks/form/id-only', 'webhook/arrives/paymentSucceeded'),
    EVERY,
    written(({ transaction_id = '', status = '' }) => ({ transaction_id, status })),
  ),
];

const RETRY_MS = 25_000;

function retrying(id: string, foundBy: string, retryMs: Webhook['retryMs'], timeoutMs = 7_000): Defect {
  return delivering(row(`webhooks/retry/${id}`, foundBy, 'differs', { timeoutMs }), EVERY, (webhook) => {
    webhook.retryMs = retryMs;
  });
}

const never =
  (unless: (status: number) => boolean): Webhook['retryMs'] =>
  (status, attempt) =>
    unless(status) ? computeRetryMs(status, attempt) : undefined;

const retries: readonly Defect[] = [
  retrying(
    'not-after-500',
    'webhook/retry/500',
    never((status) => status < 500),
  ),
  retrying(
    'not-after-redirect',
    'webhook/retry/redirect',
    never((status) => status < 300 || status >= 400),
  ),
  retrying(
    'not-after-close',
    'webhook/retry/close',
    never((status) => status !== 0),
  ),
  retrying(
    'not-after-silence',
    'webhook/retry/no-reply',
    never((status) => status !== 0),
    RETRY_MS,
  ),
  defect(row('webhooks/retry/after-410', 'webhook/retry/gone', 'differs'), () => ({ webhook: (webhook) => [webhook] })),
  retrying('after-2xx', 'webhook/identity', (_status, attempt) => (attempt < 8 ? 20 : undefined)),
  delivering(row('webhooks/retry/new-id', 'webhook/retry/500', 'differs', { timeoutMs: 7_000 }), EVERY, (webhook) => {
    const valid = webhook.headers;
    webhook.headers = (signed) => valid({ ...signed, id: `${signed.id}-${signed.attempt}` });
  }),
  delivering(row('webhooks/retry/duplicate-with-new-id', 'webhook/identity', 'differs'), FINAL, (webhook) => [
    webhook,
    { ...webhook, id: `${webhook.id}-b` },
  ]),
  delivering(row('webhooks/retry/one-id-for-all', 'webhook/identity', 'differs'), EVERY, (webhook) => {
    webhook.id = 'evt_1';
  }),
];

const misdirected: readonly Defect[] = [
  defect(row('webhooks/explained/another-address', 'webhook/explained'), () => {
    let before: string | undefined;
    return {
      webhook(webhook) {
        const url = before ?? webhook.url;
        before = webhook.url;
        webhook.url = url;
      },
    };
  }),
  delivering(row('webhooks/explained/unknown-transaction', 'webhook/explained'), FINAL, ({ body }) => {
    body['transaction_id'] = 'pay_unknown';
  }),
  delivering(
    row('webhooks/explained/success-too-early', 'webhook/explained'),
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

const isLong = ({ body }: Incoming) => String(toObject(body)['callback_url']).length > 1_000;

/** Sends webhooks to a changed callback address. */
function addressed(name: string, foundBy: string, change: (url: string) => string): Defect {
  return delivering(row(`webhooks/address/${name}`, foundBy), EVERY, (webhook) => {
    webhook.url = change(webhook.url);
  });
}

const addresses: readonly Defect[] = [
  asking(row('customers/form/long-urls', 'form/createPayment/long-urls', 'differs'), 'createPayment', (request) =>
    isLong(request) ? json(400, { title: 'Bad request', status: 400 }) : undefined,
  ),
  addressed('cut', 'webhook/long-callback', (url) => url.slice(0, 1_000)),
  addressed('query-lost', 'webhook/callback-query', (url) => url.split('?')[0] ?? ''),
  addressed('lower-case', 'webhook/callback-query', (url) => url.toLowerCase()),
  addressed('decoded', 'webhook/callback-query', (url) => url.replace(/\?.*/, decodeURIComponent)),
  delivering(row('webhooks/address/redirect', 'webhook/retry/redirect', 'differs'), {}, (webhook) => {
    webhook.follows = true;
  }),
];

const FORMAT = readWireFormat(readBundle());
const UNKNOWN_SECRET = 'whsec_dW5rbm93biB0byBhbnlib2R5IGF0IGFsbA==';

/** Another secret signs the webhooks of the second merchant. */
function secondSigned(name: string, otherSecret: (first: string) => string, verdict?: Defect['verdict']): Defect {
  return defect(row(`webhooks/signature/${name}`, 'webhook/other-secret', verdict), () => ({
    webhook(webhook, { secret }) {
      if (webhook.secret !== secret) webhook.headers = createWebhookHeaders(FORMAT, otherSecret(secret));
    },
  }));
}

const secrets: readonly Defect[] = [
  secondSigned('one-secret', (first) => first),
  secondSigned('no-second-secret', () => UNKNOWN_SECRET, 'differs'),
];

export const webhooks: readonly Defect[] = [
  ...absent,
  ...contradictions,
  ...forms,
  ...retries,
  ...misdirected,
  ...addresses,
  ...secrets,
];
