/** Missing, wrong, unsigned, premature and misdirected webhooks. */
import { createHmac } from 'node:crypto';
import type { Json, JsonObject } from '../../../../contract/src/model.ts';
import { findPlace, type Webhook } from '../alteration.ts';
import { computeRetryMs, createWebhookHeaders } from '../proxy.ts';
import type { Defect } from '../trial.ts';
import { type Change, changeHeaders, defect, delivering, set, shown, turned, type Where } from './build.ts';

/** Shows other transactions in webhooks than in responses. */
function told(name: string, found: string, where: Where, change: Change): Defect {
  return shown(`body/${name}`, found, { ...where, on: 'webhook' }, change);
}

const bodies: readonly Defect[] = [
  told(
    'other-amount_paid',
    'webhook/same-as-status',
    {},
    turned('amount_paid', (value) => Number(value) * 100),
  ),
  told('foreign-field', 'webhook/same-fields', { status: 'FAILED' }, set('confirm', ['tid'])),
  told('unknown-transaction', 'webhook/explained', {}, set('transaction_id', 'pay_unknown')),
  told('success-for-failed', 'webhook/arrives/paymentFailed', { kind: 'payment', status: 'FAILED' }, (body) => {
    delete body['decline_reason'];
    Object.assign(body, { status: 'SUCCESS', amount_paid: body['amount'] ?? 0 });
  }),
];

/** Writes the body in another form. */
function written(name: string, found: string, write: (body: JsonObject) => Json): Defect {
  return delivering(`form/${name}`, found, (webhook) => {
    const text = write(webhook.body);
    webhook.text = typeof text === 'string' ? text : JSON.stringify(text);
  });
}

const forms: readonly Defect[] = [
  delivering('form/put', 'webhook/shape', (webhook) => {
    webhook.method = 'PUT';
  }),
  written('wrapped', 'webhook/arrives', (body) => ({ event: 'changed', data: body })),
  written('form', 'webhook/arrives', (body) => new URLSearchParams(body as Record<string, string>).toString()),
  written('id-only', 'webhook/arrives/paymentSucceeded', ({ transaction_id = '', status = '' }) => ({
    transaction_id,
    status,
  })),
];

/** Longer than the kit leaves a webhook without a response. */
const SILENCE_MS = 25_000;

/** Never retries after some responses. */
function notAfter(
  name: string,
  found: string,
  isFinal: (status: number) => boolean,
  options?: Defect['options'],
): Defect {
  const retryMs: Webhook['retryMs'] = (status, attempt) =>
    isFinal(status) ? undefined : computeRetryMs(status, attempt);
  const webhook = (one: Webhook) => void Object.assign(one, { retryMs });
  return defect(`retry/not-after-${name}`, `differs ${found}`, () => ({ webhook }), options);
}

const retries: readonly Defect[] = [
  notAfter('500', 'webhook/retry/500', (status) => status >= 500),
  notAfter('close', 'webhook/retry/close', (status) => status === 0),
  notAfter('silence', 'webhook/retry/no-reply', (status) => status === 0, { timeoutMs: SILENCE_MS }),
  delivering('retry/after-2xx', 'differs webhook/identity', (webhook) => {
    webhook.retryMs = (_status, attempt) => (attempt < 8 ? 20 : undefined);
  }),
  delivering('retry/after-410', 'differs webhook/retry/gone', (webhook) => [webhook]),
  delivering('retry/follows-redirect', 'differs webhook/retry/redirect', (webhook) => {
    webhook.follows = true;
  }),
  delivering('retry/new-id', 'differs webhook/retry/500', (webhook) => {
    const valid = webhook.headers;
    webhook.headers = (signed) => valid({ ...signed, id: `${signed.id}-${signed.attempt}` });
  }),
  delivering('retry/one-id-for-all', 'differs webhook/identity', (webhook) => {
    webhook.id = 'evt_1';
  }),
  delivering('retry/first-headers', 'differs webhook/retry-timestamp', (webhook) => {
    const { headers } = webhook;
    let first: Record<string, string> | undefined;
    // Signed within a second, the timestamps of valid attempts are the same too.
    webhook.retryMs = (status) => (status < 300 ? undefined : 3_000);
    webhook.headers = (signed) => {
      first ??= headers(signed);
      return first;
    };
  }),
  delivering('retry/unsigned', '', (webhook) =>
    changeHeaders(webhook, (valid, { attempt }) => (attempt === 1 ? valid : withoutHeaders(...SIGNATURES)(valid))),
  ),
  delivering('retry/with-news', 'webhook/same-as-status', (webhook) => {
    const { retryMs } = webhook;
    webhook.retryMs = (status, attempt) => {
      webhook.body['created_at'] = new Date().toISOString();
      return retryMs(status, attempt);
    };
  }),
];

const dropped: readonly Defect[] = [
  delivering('dropped/of-payouts', 'webhook/every-status', ({ body }) =>
    findPlace('webhook', body).kind === 'payout' ? [] : undefined,
  ),
  defect('dropped/of-redirects', '', () => {
    const redirects = new Set<Json | undefined>();
    return {
      transaction(one) {
        if ('redirect_url' in one) redirects.add(one['transaction_id']);
      },
      webhook: ({ body }) => (redirects.has(body['transaction_id']) ? [] : undefined),
    };
  }),
  delivering('dropped/not-ascii', '', ({ body }) => (/[^\0-\x7f]/.test(JSON.stringify(body)) ? [] : undefined)),
  delivering('dropped/of-second-merchant', 'webhook/other-secret', ({ secret }, { secondSecret }) =>
    secret === secondSecret ? [] : undefined,
  ),
];

/** Sends webhooks to a changed callback address. */
function addressed(name: string, found: string, change: (url: string) => string): Defect {
  return delivering(`address/${name}`, found, (webhook) => {
    webhook.url = change(webhook.url);
  });
}

const addresses: readonly Defect[] = [
  addressed('cut', 'webhook/long-callback', (url) => url.slice(0, 1_000)),
  addressed('query-lost', 'webhook/callback-query', (url) => url.split('?')[0] ?? ''),
  addressed('decoded', 'webhook/callback-query', (url) => url.replace(/\?.*/, decodeURIComponent)),
  defect('address/of-another', 'webhook/explained', () => {
    let before: string | undefined;
    return {
      webhook(webhook) {
        const url = before ?? webhook.url;
        before = webhook.url;
        webhook.url = url;
      },
    };
  }),
];

const states: readonly Defect[] = [
  delivering('state/success-too-early', 'webhook/explained', (webhook) => {
    const { pay_data: _pay, confirm: _confirm, ...rest } = webhook.body;
    if (rest['status'] !== 'PAY_CONFIRMATION_NEEDED') return undefined;
    const final = { status: 'SUCCESS', amount_paid: rest['amount'] ?? 0, finalized_at: new Date().toISOString() };
    return [webhook, { ...webhook, id: `${webhook.id}-early`, body: { ...rest, ...final } }];
  }),
  delivering('state/read-when-sent', '', async (webhook, { send, key }) => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    const path = `/${findPlace('webhook', webhook.body).kind}s/${String(webhook.body['transaction_id'])}`;
    const { status, body } = await send({ method: 'GET', path, headers: { authorization: `Bearer ${key}` } });
    if (status === 200) webhook.body = body as JsonObject;
  }),
];

type Headers = Record<string, string>;

const SIGNATURES = ['x-gateway-signature', 'webhook-signature'];

function withoutHeaders(...names: readonly string[]): (valid: Headers) => Headers {
  return (valid) => Object.fromEntries(Object.entries(valid).filter(([name]) => !names.includes(name)));
}

/** Changes the headers of each webhook. */
function headed(name: string, found: string, change: (valid: Headers, text: string) => Headers): Defect {
  return delivering(`signature/${name}`, found, (webhook) =>
    changeHeaders(webhook, (valid, { text }) => change(valid, text)),
  );
}

/** Signs each webhook differently. */
function signed(name: string, sign: (signature: string, valid: Headers, text: string) => string): Defect {
  return headed(name, 'differs webhook/signature', (valid, text) => ({
    ...valid,
    ...Object.fromEntries(SIGNATURES.map((one) => [one, sign(String(valid[one]), valid, text)])),
  }));
}

/** Changes the timestamp after signing. */
function timed(name: string, change: (seconds: number) => string): Defect {
  return headed(name, 'differs webhook/timestamp', (valid) => ({
    ...valid,
    'webhook-timestamp': change(Number(valid['webhook-timestamp'])),
  }));
}

/** Signs another text than the sent one. */
function signingText(name: string, change: (text: string) => string): Defect {
  return delivering(`signature/${name}`, 'differs webhook/signature', (webhook) => {
    const valid = webhook.headers;
    webhook.headers = (attempt) => valid({ ...attempt, text: change(attempt.text) });
  });
}

const signHmac = (content: string) => createHmac('sha256', 'another key').update(content).digest('base64');

const signatures: readonly Defect[] = [
  headed('no-type', 'differs webhook/shape', withoutHeaders('content-type')),
  headed('none', 'webhook/branded-signature', withoutHeaders(...SIGNATURES)),
  headed('misnamed', 'webhook/branded-signature', ({ 'x-gateway-signature': signature = '', ...rest }) => ({
    ...rest,
    'x-signature': signature,
  })),
  headed('no-timestamp', 'differs webhook/signature', withoutHeaders('webhook-timestamp')),
  signed('empty', () => ''),
  signed(
    'other-key',
    (_signature, valid, text) => `v1,${signHmac(`${valid['webhook-id']}.${valid['webhook-timestamp']}.${text}`)}`,
  ),
  signed('unversioned', (signature) => signature.slice(3)),
  signed('in-hex', (signature) => `v1,${Buffer.from(signature.slice(3), 'base64').toString('hex')}`),
  signingText('other-content', (text) => `${text} `),
  signingText('ascii', (text) => text.replaceAll(/[^\0-\x7f]/g, '?')),
  timed('stale', (seconds) => String(seconds - 3_600)),
  timed('in-the-future', (seconds) => String(seconds + 3_600)),
  timed('in-milliseconds', (seconds) => `${seconds}000`),
  delivering('signature/one-secret', 'webhook/other-secret', (webhook, { secret }) => {
    webhook.headers = createWebhookHeaders(secret);
  }),
];

export const webhooks: readonly Defect[] = [
  ...[...bodies, ...forms, ...retries, ...dropped],
  ...[...addresses, ...states, ...signatures],
];
