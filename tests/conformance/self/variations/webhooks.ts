/** Choices about webhooks that the source leaves open, decided differently. */
import { createHmac, randomUUID } from 'node:crypto';
import type { JsonObject } from '../../../../contract/src/model.ts';
import { changeHeaders, without } from '../defects/build.ts';
import { createWebhookHeaders, GONE } from '../proxy.ts';
import type { Variation } from '../trial.ts';
import { delivering, variation } from './build.ts';

const SIGNED = ['webhook/signature', 'webhook/timestamp', 'webhook/identity', 'webhook/retry'];
const ROTATED = Buffer.alloc(32).toString('base64');
/** Fields that not every status has. */
const DEPENDENT = ['clarify', 'pay_data', 'confirm', 'finalized_at', 'amount_paid', 'decline_reason'];
/** Statuses without an event in the contract, each sent before the webhook of another. */
const ALSO: Readonly<Record<string, string>> = { PAY_CONFIRMATION_NEEDED: 'CREATED', SUCCESS: 'VERIFYING' };

export const webhooks: readonly Variation[] = [
  delivering('webhook/other-form', (webhook) => {
    webhook.id = randomUUID();
    webhook.text = JSON.stringify(webhook.body, null, 2);
    changeHeaders(webhook, ({ 'x-gateway-signature': branded, 'webhook-signature': standard, ...others }) => ({
      ...others,
      'x-acmepay-signature': `v1,${ROTATED} ${branded}`,
      'webhook-signature': `v1,${ROTATED} ${standard}`,
      'content-type': 'application/json; charset=utf-8',
      'x-event-attempt': '1',
      'user-agent': 'acme/2',
    }));
  }),
  delivering(
    'webhook/branded-only',
    (webhook) => changeHeaders(webhook, ({ 'webhook-signature': _, ...rest }) => rest),
    SIGNED,
  ),
  delivering(
    'webhook/other-algorithm',
    (webhook) =>
      changeHeaders(webhook, (_valid, { text }) => ({
        'content-type': 'application/json',
        'x-acmepay-signature': createHmac('sha512', 'secret').update(text).digest('hex'),
      })),
    SIGNED,
  ),
  delivering('webhook/duplicates', (webhook) => [webhook, { ...webhook, delayMs: 30 }], ['webhook/retry/gone']),
  delivering('webhook/reordered', (webhook) => {
    webhook.delayMs = Math.floor(Math.random() * 400);
  }),
  delivering('webhook/delayed-and-replies-read-late', (webhook) => {
    webhook.delayMs = 1_000;
    webhook.replyMs = 2_500;
  }),
  variation('webhook/replies-in-vain', () => ({
    webhook(webhook) {
      if (webhook.body['status'] !== 'FAILED') return;
      webhook.delayMs = 3_000;
      webhook.headers = createWebhookHeaders(webhook.secret, () => Date.now() - 3_000);
      webhook.retryMs = (_status, attempt) => (attempt < 6 ? 150 : undefined);
    },
  })),
  variation('webhook/asked-before-decline', () => {
    const asked = new Set<unknown>();
    return {
      webhook(webhook) {
        const { body, id } = webhook;
        const { transaction_id: transactionId, payment_method: method } = body;
        if (body['status'] === 'EXTRA_DATA_NEEDED') asked.add(transactionId);
        if (body['status'] !== 'FAILED' || method === undefined || asked.has(transactionId)) return undefined;
        const asking: JsonObject = { ...body, payment_method_type: method };
        without(...DEPENDENT)(asking);
        Object.assign(asking, { status: 'EXTRA_DATA_NEEDED', clarify: ['phone'] });
        return [
          { ...webhook, id: `${id}-asking`, body: asking },
          { ...webhook, delayMs: 100 },
        ];
      },
    };
  }),
  variation('webhook/in-flight-at-410', () => {
    const gone = new Set<string>();
    return {
      webhook(webhook) {
        const { url, headers, retryMs } = webhook;
        webhook.retryMs = (status, attempt) => {
          if (status === GONE) gone.add(url);
          return retryMs(status, attempt);
        };
        if (gone.has(url)) return [];
        if (webhook.body['status'] !== 'PAY_CONFIRMATION_NEEDED') return undefined;
        return [webhook, { ...webhook, headers, delayMs: 1_200, replyMs: 0 }];
      },
    };
  }),
  delivering(
    'webhook/never-again',
    (webhook) => {
      webhook.retryMs = () => undefined;
    },
    ['webhook/retry'],
  ),
  delivering('webhook/other-clocks', (webhook) => {
    const { headers, secret } = webhook;
    const again = createWebhookHeaders(secret, () => Date.now() - 10_000);
    webhook.headers = (signed) => (signed.attempt > 1 ? again : headers)(signed);
  }),
  variation(
    'webhook/second-merchant-waits',
    () => ({
      webhook(webhook, { secondSecret }) {
        if (webhook.secret === secondSecret) webhook.delayMs = 3_500;
      },
    }),
    { options: { timeoutMs: 2_000, only: ['webhook/other-secret', 'webhook/arrives/paymentFailed'] } },
  ),
  delivering(
    'webhook/more-statuses',
    (webhook) => {
      const status = ALSO[String(webhook.body['status'])];
      if (status === undefined || !('payment_method' in webhook.body)) return undefined;
      const body = { ...webhook.body, status };
      without(...DEPENDENT)(body);
      return [{ ...webhook, id: `${webhook.id}-${status}`, body }, webhook];
    },
    ['webhook'],
  ),
];
