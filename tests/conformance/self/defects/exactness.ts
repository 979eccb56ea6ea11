/** Services that compare, parse or convert loosely, or follow redirects. */

import { gatewayDriver } from '../../../../conformance/src/drivers/gateway.ts';
import type { JsonObject } from '../../../../contract/src/model.ts';
import { readBundle } from '../../../../contract/src/model.ts';
import { readWireFormat } from '../../../../gateway/src/webhooks/signature.ts';
import { type Incoming, rewrite, toObject } from '../alteration.ts';
import { createWebhookHeaders } from '../proxy.ts';
import type { Defect } from '../trial.ts';
import { asking, defect, delivering, failed, json, responding, set, shown, turned } from './build.ts';

const DIFFERS = { verdict: 'differs' } as const;
const HOUR_MS = 3_600_000;
const shifted = (hours: number) => (value: unknown) =>
  new Date(Date.parse(String(value)) + hours * HOUR_MS).toISOString();

/** Requests whose Authorization header is only similar to the right one. */
const KEYS: readonly (readonly [name: string, isTaken: (header: string, key: string) => boolean])[] = [
  ['token-scheme', (header, key) => header === `Token ${key}`],
  ['no-scheme', (header, key) => header === key],
  ['shorter-key', (header, key) => header === `Bearer ${key.slice(0, -1)}`],
  [
    'other-case-key',
    (header, key) => header !== `Bearer ${key}` && header.toLowerCase() === `bearer ${key.toLowerCase()}`,
  ],
];

const keys = KEYS.map(([name, isTaken]) =>
  defect(
    {
      ...{
        id: `validation/access/${name}`,
        title: `a request with ${name.replaceAll('-', ' ')} is served`,
        ...DIFFERS,
      },
      foundBy: `access/getBalance/${name}`,
    },
    () => ({
      request(request, { key }) {
        if (isTaken(request.headers['authorization'] ?? '', key)) request.headers['authorization'] = `Bearer ${key}`;
        return undefined;
      },
    }),
  ),
);

/** Finds by the beginning of an ID or order ID. */
const prefixes = (['getPayment', 'getPayout', 'findPayment'] as const).map((operation) =>
  defect(
    {
      ...{ id: `customers/lookup/prefix-${operation}`, title: `${operation} finds by the beginning of an ID` },
      foundBy: `lookup/${operation}/exact`,
    },
    () => {
      const known = new Set<string>();
      const complete = (given: string) => [...known].find((one) => one.length > 8 && one.startsWith(given)) ?? given;
      return {
        request(request) {
          if (request.operation === 'findPayment' && operation === 'findPayment') {
            const parameters = [...new URLSearchParams(request.query)].map(
              ([name, value]) => [name, complete(value)] as [string, string],
            );
            request.query = `?${new URLSearchParams(parameters)}`;
          } else if (request.operation === operation) {
            request.path = request.path.replace(/[^/]+$/, complete);
          }
          return undefined;
        },
        transaction(transaction) {
          known.add(String(transaction['transaction_id']));
          known.add(String(transaction['merchant_order_id']));
        },
      };
    },
  ),
);

const paths: readonly Defect[] = [
  defect(
    {
      id: 'protocol/path/not-ascii',
      title: 'an ID that is not ASCII gets 500',
      ...DIFFERS,
      foundBy: 'bad-request/getPayment/not-ascii',
    },
    () => ({ request: ({ path }) => (path.includes('%E2%82%AC') ? failed() : undefined) }),
  ),
  defect(
    {
      id: 'protocol/path/broken-escape',
      title: 'an ID that is not UTF-8 gets 500',
      ...DIFFERS,
      foundBy: 'bad-request/getPayout/broken-escape',
    },
    () => ({ request: ({ path }) => (path.endsWith('%E2%82') ? failed() : undefined) }),
  ),
  defect(
    {
      id: 'protocol/path/unknown-html',
      title: 'an unknown path gets an HTML page',
      ...DIFFERS,
      foundBy: 'bad-request/unknown-path',
    },
    () => ({
      request: ({ operation, path }) =>
        operation === '' && !path.startsWith('/sandbox')
          ? { status: 404, headers: { 'content-type': 'text/html' }, text: '<h1>Not found</h1>' }
          : undefined,
    }),
  ),
];

const clocks: readonly Defect[] = [
  shown(
    {
      id: 'semantics/clock/local-time',
      title: 'created_at is local time with a Z',
      foundBy: 'consistency/payment/clock',
    },
    {},
    turned('created_at', shifted(5.5)),
  ),
  shown(
    { id: 'semantics/clock/hour-behind', title: 'created_at is an hour behind', foundBy: 'consistency/payout/clock' },
    {},
    turned('created_at', shifted(-1)),
  ),
  shown(
    {
      id: 'semantics/clock/finalized-local-time',
      title: 'finalized_at is local time with a Z',
      foundBy: 'consistency/payment/clock',
    },
    {},
    turned('finalized_at', shifted(5.5)),
  ),
  responding(
    {
      id: 'semantics/clock/always-now',
      title: 'last_updated_at is the time of the request',
      foundBy: 'money/last-updated',
      verdict: 'differs',
      options: { only: ['money/last-updated', 'state/payment/h2h/SUCCESS'] },
    },
    'getBalance',
    (response) => {
      if (response.status !== 200) return;
      response.body = { ...toObject(response.body), last_updated_at: new Date().toISOString() };
    },
  ),
];

const lookups: readonly Defect[] = [
  shown(
    {
      id: 'semantics/lookup/requested-amount',
      title: 'findPayment shows the requested amount as paid',
      foundBy: 'consistency/payment/same',
      options: { only: ['consistency/payment/same', 'wallet/INR/payments'] },
    },
    { on: 'findPayment', status: 'SUCCESS' },
    (payment) => set('amount_paid', payment['amount'] ?? 0)(payment),
  ),
  shown(
    {
      id: 'semantics/amount_paid/requested',
      title: 'amount_paid is the requested amount everywhere',
      foundBy: 'wallet/INR/payments',
    },
    { kind: 'payment', status: 'SUCCESS' },
    (payment) => set('amount_paid', payment['amount'] ?? 0)(payment),
  ),
  shown(
    {
      id: 'customers/amount/hundredths',
      title: 'amounts are converted to units and back',
      foundBy: 'amount/createPayment/1003',
    },
    {},
    turned('amount', (value) => Math.trunc((Number(value) / 100) * 100)),
  ),
];

/** Repairs a body before the gateway sees it, as a lenient parser does. */
function lenient(name: string, title: string, repair: (text: string) => string): Defect {
  return defect(
    {
      ...{ id: `validation/parsing/${name}`, title, foundBy: `bad-request/createPayment/${name}` },
      ...(name === 'other-case' && DIFFERS),
    },
    () => ({
      request(request) {
        if (request.operation === 'createPayment') request.bytes = Buffer.from(repair(request.bytes.toString()));
        return undefined;
      },
    }),
  );
}

const parsing: readonly Defect[] = [
  lenient('trailing-text', 'text after a body is ignored', (text) => text.replace(/\}x$/, '}')),
  lenient('trailing-comma', 'a comma after the last member is ignored', (text) => text.replace(/,\}$/, '}')),
  lenient('other-case', 'the case of names is ignored', (text) => text.replace('"Amount"', '"amount"')),
];

const isLong = ({ body }: Incoming) => String(toObject(body)['callback_url']).length > 1_000;

const urls: readonly Defect[] = [
  asking(
    {
      id: 'customers/form/long-urls',
      title: 'URLs have up to 1,000 characters',
      ...DIFFERS,
      foundBy: 'form/createPayment/long-urls',
    },
    'createPayment',
    (request) => (isLong(request) ? json(400, { title: 'Bad request', status: 400 }) : undefined),
  ),
  delivering(
    {
      id: 'webhooks/address/cut',
      title: 'callback addresses are cut at 1,000 characters',
      foundBy: 'webhook/long-callback',
    },
    {},
    (webhook) => {
      webhook.url = webhook.url.slice(0, 1_000);
      return undefined;
    },
  ),
  delivering(
    {
      id: 'webhooks/address/redirect',
      title: 'webhooks follow redirects',
      ...DIFFERS,
      foundBy: 'webhook/retry/redirect',
    },
    {},
    (webhook) => {
      webhook.follows = true;
      return undefined;
    },
  ),
];

const secrets: readonly Defect[] = [
  defect(
    {
      id: 'webhooks/signature/one-secret',
      title: 'one signing secret is used for all merchants',
      foundBy: 'webhook/other-secret',
    },
    () => ({
      webhook(webhook, { secret }) {
        webhook.headers = createWebhookHeaders(readWireFormat(readBundle()), secret);
        return undefined;
      },
    }),
  ),
  defect(
    {
      ...{
        id: 'webhooks/signature/no-second-secret',
        title: 'the second merchant gets unknown signatures',
        ...DIFFERS,
      },
      foundBy: 'webhook/other-secret',
    },
    () => ({
      webhook(webhook, { secret }) {
        const isFirst = JSON.stringify(webhook.headers({ id: 'x', text: 'x', attempt: 1 }));
        const own = JSON.stringify(
          createWebhookHeaders(readWireFormat(readBundle()), secret)({ id: 'x', text: 'x', attempt: 1 }),
        );
        if (isFirst === own) return undefined;
        webhook.headers = createWebhookHeaders(
          readWireFormat(readBundle()),
          'whsec_dW5rbm93biB0byBhbnlib2R5IGF0IGFsbA==',
        );
        return undefined;
      },
    }),
  ),
];

const pages: readonly Defect[] = [
  asking(
    {
      id: 'state/redirect/without-return-url',
      title: 'a payment without return_url is a redirect',
      foundBy: 'state/payment/redirect/no-return-url',
    },
    'createPayment',
    (request) => {
      const body = toObject(request.body);
      if (body['currency'] === 'EGP' && !('return_url' in body)) {
        rewrite(request, { ...body, return_url: 'https://shop.example/' });
      }
      return undefined;
    },
  ),
  shown(
    {
      id: 'state/redirect/cancel-reason',
      title: 'a cancelled payment has expired',
      ...DIFFERS,
      foundBy: 'state/payment/redirect/cancelled',
    },
    {},
    (payment: JsonObject) => {
      if (payment['decline_reason'] === 'CANCELLED_BY_CUSTOMER') payment['decline_reason'] = 'TIMEOUT_EXPIRED';
    },
  ),
  defect(
    {
      id: 'state/redirect/return-query',
      title: 'the page loses the query of return_url',
      ...DIFFERS,
      foundBy: 'state/payment/redirect/return',
      options: {
        driver: {
          ...gatewayDriver,
          returnAddress: async (page, access) =>
            ((await gatewayDriver.returnAddress?.(page, access)) ?? '').replace('cart=7&', ''),
        },
      },
    },
    () => ({}),
  ),
];

export const exactness: readonly Defect[] = [
  ...[...keys, ...prefixes, ...paths, ...clocks, ...lookups],
  ...[...parsing, ...urls, ...secrets, ...pages],
];
