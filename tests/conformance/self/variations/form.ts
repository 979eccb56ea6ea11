/** Other forms of the same content: JSON, HTTP, IDs, times and words. */
import { gzipSync } from 'node:zlib';
import type { JsonObject } from '../../../../contract/src/model.ts';
import { type Alteration, combine, type Outgoing, toObject } from '../alteration.ts';
import { toBytes } from '../proxy.ts';
import type { Variation } from '../trial.ts';
import { ANY, alternate, deeply, pause, variation } from './build.ts';

/** Changes each JSON body, in responses and in webhooks. */
function bodies(change: (inner: JsonObject) => JsonObject, write?: (body: unknown) => string): Alteration {
  return {
    response(response) {
      if (response.body === undefined) return;
      response.body = deeply(response.body, change);
      if (write) response.text = write(response.body);
    },
    webhook(webhook) {
      webhook.body = toObject(deeply(webhook.body, change));
      if (write) webhook.text = write(webhook.body);
    },
  };
}

const reversed = (inner: JsonObject) => Object.fromEntries(Object.entries(inner).reverse());
const extended = (inner: JsonObject): JsonObject => ({ ...inner, trace: { shard: 7 }, _links: [], note: null });
const writeEscaped = (body: unknown) =>
  JSON.stringify(body, null, 2).replace(
    /[\u007f-\uffff]|\//g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

const listHeaders = ({ headers }: Outgoing) => Object.entries(headers);

const http: readonly Variation[] = [
  variation('json/other-form', () => bodies((inner) => extended(reversed(inner)), writeEscaped)),
  variation('http/headers', () => {
    const nextType = alternate(['application/json', 'Application/JSON; Charset=UTF-8', 'application/vnd.pay.v1+json']);
    return {
      response(response) {
        const { headers, status } = response;
        Object.assign(headers, { 'x-served-by': 'node-7', 'set-cookie': 'a=b; Path=/', vary: 'accept' });
        headers['x-request-id'] = `proxy-7, ${headers['x-request-id']}`;
        if (status < 400) headers['content-type'] = nextType();
        response.headers = Object.fromEntries(
          listHeaders(response).map(([name, value]) => [name.toUpperCase(), value]),
        );
      },
    };
  }),
  variation(
    'http/no-headers',
    () => ({
      response(response) {
        response.headers = { 'content-type': response.headers['content-type'] ?? '' };
      },
    }),
    { differs: ['response', 'access', 'disturbance'] },
  ),
  variation('http/gzip-in-chunks', () => ({
    response(response) {
      response.text = gzipSync(toBytes(response));
      response.headers['content-encoding'] = 'gzip';
    },
    write(outgoing, response) {
      response.writeHead(outgoing.status, outgoing.headers);
      const bytes = Buffer.from(toBytes(outgoing));
      for (let at = 0; at < bytes.length; at += 30) response.write(bytes.subarray(at, at + 30));
      response.end();
    },
  })),
  variation('http/slow-without-keep-alive', () => ({
    async response(response) {
      response.headers['connection'] = 'close';
      await pause(150);
    },
  })),
  variation('http/1.0', () => ({
    write(outgoing, { socket }) {
      const lines = listHeaders(outgoing).map(([name, value]) => `${name}: ${value}\r\n`);
      socket?.write(`HTTP/1.0 ${outgoing.status} Whatever\r\n${lines.join('')}\r\n`);
      socket?.end(toBytes(outgoing));
    },
  })),
];

/** Refuses a share of the requests, and says how long to wait. */
const busy = variation(
  'http/busy',
  () => {
    const nextRefusal = alternate<() => [status: number, retryAfter: string]>([
      () => [429, '1'],
      () => [503, '1'],
      () => [429, new Date(Date.now() + 1_000).toUTCString()],
    ]);
    let count = 0;
    return {
      request() {
        count += 1;
        if (count % 50 !== 0) return undefined;
        const [status, retryAfter] = nextRefusal()();
        return { status, headers: { 'retry-after': retryAfter }, text: '' };
      },
    };
  },
  { differs: ['response'] },
);

/** Gives transactions IDs in other forms, in both directions. */
function renameIds(): Alteration {
  const createId = alternate<(count: number) => string>([
    (count) => String(70_000_000 + count),
    () => crypto.randomUUID(),
    (count) => `tx:${'a'.repeat(90)}-${count}.IN`,
    (count) => count.toString(36),
  ]);
  const outside = new Map<string, string>();
  const inside = new Map<string, string>();
  const restore = (text: string) => text.replace(/[^/?=&]+/g, (part) => inside.get(part) ?? part);
  return {
    request(request) {
      request.path = restore(request.path);
      request.query = restore(request.query);
    },
    transaction(transaction) {
      const own = String(transaction['transaction_id']);
      const known = outside.get(own) ?? createId()(outside.size + 1);
      outside.set(own, known);
      inside.set(encodeURIComponent(known), own);
      transaction['transaction_id'] = known;
    },
  };
}

// The gateway's payment page, which is not behind the proxy, returns with the gateway's ids.
const ids = variation('id/other-forms', renameIds, { differs: ['state/payment/redirect/return'] });

const TIMES = ['created_at', 'finalized_at', 'last_updated_at'];

/** Writes every time in another form. */
function times(write: (time: string) => string): Alteration {
  return bodies((inner) =>
    Object.fromEntries(
      Object.entries(inner).map(([name, value]) => [name, TIMES.includes(name) ? write(String(value)) : value]),
    ),
  );
}

const MACHINE_MS = -1_200_000;
const shiftClock = (time: string) => new Date(Date.parse(time) + MACHINE_MS).toISOString();

const clocks: readonly Variation[] = [
  variation('time/offset-and-microseconds', () => times((time) => time.replace('Z', '417+00:00'))),
  variation('time/no-offset', () => times((time) => time.replace('Z', '')), { differs: ANY }),
  variation('time/seconds', () => ({
    ...times((time) => time.replace(/\.\d+Z/, 'Z')),
    transaction(one) {
      if ('finalized_at' in one) one['finalized_at'] = one['created_at'] ?? '';
    },
  })),
  variation('time/other-clock', () =>
    combine([
      times(shiftClock),
      {
        response({ headers }) {
          headers['date'] = new Date(Date.now() + MACHINE_MS).toUTCString();
        },
      },
    ]),
  ),
];

const words = variation('words/other', () => ({
  response(response, { operation }) {
    const body = toObject(response.body);
    if (response.status >= 400)
      response.body = { ...body, title: 'Das ging nicht', detail: 'Bitte prüfen: ✗', errors: [1], code: 7 };
    else if (operation === 'confirmPayment') response.body = { ...body, message: '' };
  },
}));

export const form: readonly Variation[] = [...http, busy, ids, ...clocks, words];
