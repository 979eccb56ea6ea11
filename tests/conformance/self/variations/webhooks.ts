/** Choices about webhooks that the source leaves open, decided differently. */
import { createHmac, randomUUID } from 'node:crypto';
import { type JsonObject, readBundle } from '../../../../contract/src/model.ts';
import { readWireFormat } from '../../../../gateway/src/webhooks/signature.ts';
import type { Webhook } from '../alteration.ts';
import { createWebhookHeaders, GONE } from '../proxy.ts';
import type { Variation } from '../trial.ts';
import { delivering, variation, without } from './build.ts';

const WEBHOOK_HEADERS = ['x-gateway-signature', 'webhook-signature'];

/** Webhooks with other headers. */
function headers(
  id: string,
  change: (valid: Record<string, string>, text: string) => Record<string, string>,
  differs?: readonly string[],
): Variation {
  return delivering(
    `webhook/${id}`,
    (webhook) => {
      const valid = webhook.headers;
      webhook.headers = (signed) => {
        const lower = Object.entries(valid(signed)).map(([name, value]) => [name.toLowerCase(), value] as const);
        return change(Object.fromEntries(lower), signed.text);
      };
    },
    differs,
  );
}

const branded = ({ [WEBHOOK_HEADERS[0] as string]: value = '', ...rest }: Record<string, string>, name: string) => ({
  ...rest,
  [name]: value,
});
const SIGNED = ['webhook/signature', 'webhook/timestamp', 'webhook/identity', 'webhook/retry'];

/** Also sends statuses without an event in the contract. */
function also(status: string, from: string): Variation {
  return delivering(
    `webhook/also-${status}`,
    (webhook: Webhook) => {
      if (webhook.body['status'] !== from || !('payment_method' in webhook.body)) return undefined;
      const body = { ...webhook.body, status };
      without(body, 'clarify', 'pay_data', 'confirm', 'finalized_at', 'amount_paid', 'decline_reason');
      return [{ ...webhook, id: `${webhook.id}-${status}`, body }, webhook];
    },
    ['webhook'],
  );
}

export const webhooks: readonly Variation[] = [
  delivering('webhook/duplicates', (webhook) => [webhook, { ...webhook, delayMs: 30 }], ['webhook/retry/gone']),
  delivering('webhook/reordered', (webhook) => {
    webhook.delayMs = Math.floor(Math.random() * 400);
  }),
  delivering('webhook/delayed', (webhook) => {
    webhook.delayMs = 1_000;
  }),
  delivering('webhook/replies-read-late', (webhook) => {
    webhook.delayMs = 1_000;
    webhook.replyMs = 2_500;
  }),
  variation('webhook/replies-in-vain', () => ({
    webhook(webhook, { secret }) {
      if (webhook.body['status'] !== 'FAILED') return;
      webhook.delayMs = 3_000;
      webhook.headers = createWebhookHeaders(readWireFormat(readBundle()), secret, () => Date.now() - 3_000);
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
        const asking: JsonObject = {
          ...body,
          status: 'EXTRA_DATA_NEEDED',
          payment_method_type: method,
          clarify: ['phone'],
        };
        without(asking, 'finalized_at', 'decline_reason', 'amount_paid');
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
  delivering('webhook/other-ids', (webhook) => {
    webhook.id = randomUUID();
  }),
  delivering('webhook/indented', (webhook) => {
    webhook.text = JSON.stringify(webhook.body, null, 2);
  }),
  headers('other-brand', (valid) => branded(valid, 'x-acmepay-signature')),
  headers('with-charset', (valid) => ({
    ...valid,
    'content-type': 'application/json; charset=utf-8',
  })),
  headers('more-headers', (valid) => ({
    ...valid,
    'x-event-attempt': '1',
    'user-agent': 'acme/2',
  })),
  headers('rotated-secret', (valid) => ({
    ...valid,
    ...Object.fromEntries(
      WEBHOOK_HEADERS.map((name) => [name, `v1,${Buffer.alloc(32).toString('base64')} ${valid[name]}`]),
    ),
  })),
  headers('branded-only', ({ 'webhook-signature': _, ...rest }) => rest, SIGNED),
  headers(
    'other-algorithm',
    (_sound, text) => ({
      'content-type': 'application/json',
      'x-acmepay-signature': createHmac('sha512', 'secret').update(text).digest('hex'),
    }),
    SIGNED,
  ),
  delivering(
    'webhook/never-again',
    (webhook) => {
      webhook.retryMs = () => undefined;
    },
    ['webhook/retry'],
  ),
  variation('webhook/other-clocks', () => ({
    webhook(webhook, { secret }) {
      const first = webhook.headers;
      const again = createWebhookHeaders(readWireFormat(readBundle()), secret, () => Date.now() - 10_000);
      webhook.headers = (signed) => (signed.attempt > 1 ? again : first)(signed);
    },
  })),
  variation(
    'webhook/second-merchant-waits',
    () => ({
      webhook(webhook, { secondSecret }) {
        if (webhook.secret === secondSecret) webhook.delayMs = 3_500;
      },
    }),
    { options: { timeoutMs: 2_000, only: ['webhook/other-secret', 'webhook/arrives/paymentFailed'] } },
  ),
  also('CREATED', 'PAY_CONFIRMATION_NEEDED'),
  also('VERIFYING', 'SUCCESS'),
];
