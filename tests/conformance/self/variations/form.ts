/** The same said in another form: JSON, HTTP, ids, times and words. */
import { gzipSync } from 'node:zlib';
import type { JsonObject } from '../../../../contract/src/model.ts';
import { type Alteration, type Outgoing, toObject } from '../alteration.ts';
import { toBytes } from '../proxy.ts';
import type { Variation } from '../trial.ts';
import { ANY, deeply, pause, responding, shown, variation } from './build.ts';

const reversed = (inner: JsonObject) => Object.fromEntries(Object.entries(inner).reverse());
const extended = (inner: JsonObject): JsonObject => ({ ...inner, trace: { shard: 7 }, _links: [], note: null });

/** Changes each JSON body, in responses and in webhooks. */
function bodies(id: string, change: (inner: JsonObject) => JsonObject, differs: readonly string[] = []): Variation {
  const alter = (): Alteration => ({
    response(response) {
      if (response.body !== undefined) response.body = deeply(response.body, change);
    },
    webhook(webhook) {
      webhook.body = toObject(deeply(webhook.body, change));
    },
  });
  return variation(id, alter, { differs });
}

/** Writes each JSON body differently. */
function written(id: string, write: (body: unknown) => string): Variation {
  return variation(id, () => ({
    response(response) {
      if (response.body !== undefined) response.text = write(response.body);
    },
    webhook(webhook) {
      webhook.text = write(webhook.body);
    },
  }));
}

const escaped = (body: unknown) =>
  JSON.stringify(body).replace(/[\u007f-\uffff]|\//g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);

const json: readonly Variation[] = [
  bodies('json/key-order', reversed),
  bodies('json/unknown-fields', extended),
  written('json/indented', (body) => JSON.stringify(body, null, 2)),
  written('json/escaped', escaped),
];

function typed(id: string, type: string): Variation {
  return responding(`type/${id}`, (response) => {
    if (response.status < 400) response.headers['content-type'] = type;
  });
}

const types: readonly Variation[] = [
  typed('without-charset', 'application/json'),
  typed('in-capitals', 'Application/JSON; Charset=UTF-8'),
  typed('suffix', 'application/vnd.pay.v1+json'),
];

const listHeaders = ({ headers }: Outgoing) => Object.entries(headers);

const http: readonly Variation[] = [
  responding('http/unknown-headers', (response) => {
    Object.assign(response.headers, { 'x-served-by': 'node-7', 'set-cookie': 'a=b; Path=/', vary: 'accept' });
  }),
  responding('http/headers-in-capitals', (response) => {
    response.headers = Object.fromEntries(listHeaders(response).map(([name, value]) => [name.toUpperCase(), value]));
  }),
  responding('http/gzip', (response) => {
    response.text = gzipSync(toBytes(response));
    response.headers['content-encoding'] = 'gzip';
  }),
  variation('http/chunked', () => ({
    async write(outgoing, response) {
      response.writeHead(outgoing.status, outgoing.headers);
      const bytes = Buffer.from(toBytes(outgoing));
      for (let at = 0; at < bytes.length; at += 90) response.write(bytes.subarray(at, at + 90));
      response.end();
    },
  })),
  responding('http/no-keep-alive', (response) => {
    response.headers['connection'] = 'close';
  }),
  variation('http/1.0', () => ({
    write(outgoing, { socket }) {
      const lines = listHeaders(outgoing).map(([name, value]) => `${name}: ${value}\r\n`);
      socket?.write(`HTTP/1.0 ${outgoing.status} Whatever\r\n${lines.join('')}\r\n`);
      socket?.end(toBytes(outgoing));
    },
  })),
  responding('http/slow', () => pause(150)),
  responding(
    'http/without-reason-or-cache',
    (response) => {
      response.headers = { 'content-type': response.headers['content-type'] ?? '' };
    },
    ['response', 'access', 'disturbance'],
  ),
];

/** Refuses each so-manieth request of the checks, and says how long to wait. */
function busy(id: string, status: number, retryAfter: () => string): Variation {
  return variation(
    `busy/${id}`,
    () => {
      let count = 0;
      return {
        request() {
          count += 1;
          if (count < 12 || count % 150 !== 0) return undefined;
          return { status, headers: { 'retry-after': retryAfter() }, text: '' };
        },
      };
    },
    { differs: ['response'] },
  );
}

const waits: readonly Variation[] = [
  busy('429', 429, () => '1'),
  busy('503', 503, () => '1'),
  busy('429-until', 429, () => new Date(Date.now() + 1_000).toUTCString()),
];

/** Returns invalid escapes unchanged. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Gives transactions other ids, in both directions. */
function ids(id: string, make: (count: number) => string): Variation {
  // The gateway's payment page, which is not behind the proxy, returns with the gateway's ids.
  const differs = ['state/payment/redirect/return'];
  const alter = (): Alteration => {
    const outside = new Map<string, string>();
    const inside = new Map<string, string>();
    const outsideOf = (own: string): string => {
      const known = outside.get(own) ?? make(outside.size + 1);
      outside.set(own, known);
      inside.set(known, own);
      return known;
    };
    const renamed = (text: string) =>
      text.replace(/[^/?=&]+/g, (part) => {
        const own = inside.get(decode(part));
        return own === undefined ? part : encodeURIComponent(own);
      });
    return {
      request(request) {
        request.path = renamed(request.path);
        request.query = renamed(request.query);
      },
      transaction(transaction) {
        transaction['transaction_id'] = outsideOf(String(transaction['transaction_id']));
      },
    };
  };
  return variation(`id/${id}`, alter, { differs });
}

const identifiers: readonly Variation[] = [
  ids('numbers', (count) => String(70_000_000 + count)),
  ids('uuids', () => crypto.randomUUID()),
  ids('long', (count) => `tx:${'a'.repeat(90)}~${count}.IN`),
  ids('short', (count) => count.toString(36)),
];

const TIMES = ['created_at', 'finalized_at', 'last_updated_at'];

/** Writes every time in another form. */
function times(id: string, write: (time: string) => string, differs?: readonly string[]): Variation {
  const change = (inner: JsonObject) =>
    Object.fromEntries(
      Object.entries(inner).map(([name, value]) => [name, TIMES.includes(name) ? write(String(value)) : value]),
    );
  return bodies(`time/${id}`, change, differs);
}

const clocks: readonly Variation[] = [
  times('offset', (time) => time.replace('Z', '+00:00')),
  times('no-offset', (time) => time.replace('Z', ''), ANY),
  times('seconds', (time) => time.replace(/\.\d+Z/, 'Z')),
  times('microseconds', (time) => time.replace('Z', '417Z')),
  shown('time/finalized-when-created', (transaction) => {
    if ('finalized_at' in transaction) transaction['finalized_at'] = transaction['created_at'] ?? '';
  }),
];

const MACHINE_MS = -1_200_000;

const machines: readonly Variation[] = [
  responding('http/second-request-id', (response) => {
    response.headers['x-request-id'] = `proxy-7, ${response.headers['x-request-id']}`;
  }),
  variation('time/other-clock', () => ({
    response(response) {
      const turn = (inner: JsonObject) =>
        Object.fromEntries(
          Object.entries(inner).map(([name, value]) => [name, TIMES.includes(name) ? later(value, MACHINE_MS) : value]),
        );
      if (response.body !== undefined) response.body = deeply(response.body, turn);
      response.headers['date'] = new Date(Date.now() + MACHINE_MS).toUTCString();
    },
    webhook(webhook) {
      for (const name of TIMES) {
        if (name in webhook.body) webhook.body[name] = later(webhook.body[name], MACHINE_MS);
      }
    },
  })),
];

const later = (value: unknown, ms: number) => new Date(Date.parse(String(value)) + ms).toISOString();

const words: readonly Variation[] = [
  responding('words/errors', (response) => {
    if (response.status < 400) return;
    const { title: _title, detail: _detail, ...rest } = toObject(response.body);
    response.body = { ...rest, title: 'Das ging nicht', detail: 'Bitte prüfen: ✗' };
  }),
  responding('words/message', (response, { operation }) => {
    if (operation === 'confirmPayment' && response.status === 200) {
      response.body = { ...toObject(response.body), message: '' };
    }
  }),
];

export const form: readonly Variation[] = [
  ...json,
  ...types,
  ...http,
  ...waits,
  ...identifiers,
  ...clocks,
  ...machines,
  ...words,
];
