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
function bodies(
  id: string,
  title: string,
  change: (inner: JsonObject) => JsonObject,
  differs: readonly string[] = [],
): Variation {
  const alter = (): Alteration => ({
    response(response) {
      if (response.body !== undefined) response.body = deeply(response.body, change);
    },
    webhook(webhook) {
      webhook.body = toObject(deeply(webhook.body, change));
      return undefined;
    },
  });
  return variation(id, title, alter, { differs });
}

/** Writes each JSON body differently. */
function written(id: string, title: string, write: (body: unknown) => string): Variation {
  return variation(id, title, () => ({
    response(response) {
      if (response.body !== undefined) response.text = write(response.body);
    },
    webhook(webhook) {
      webhook.text = write(webhook.body);
      return undefined;
    },
  }));
}

const escaped = (body: unknown) =>
  JSON.stringify(body).replace(/[\u007f-\uffff]|\//g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);

const json: readonly Variation[] = [
  bodies('json/key-order', 'members come in another order', reversed),
  bodies('json/unknown-fields', 'every object has fields that the contract does not know', extended),
  written('json/indented', 'bodies are indented', (body) => JSON.stringify(body, null, 2)),
  written('json/escaped', 'bodies escape what they need not', escaped),
];

function typed(id: string, type: string): Variation {
  return responding(`type/${id}`, `bodies are sent as ${type}`, (response) => {
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
  responding('http/unknown-headers', 'responses have headers that the contract does not know', (response) => {
    Object.assign(response.headers, { 'x-served-by': 'node-7', 'set-cookie': 'a=b; Path=/', vary: 'accept' });
  }),
  responding('http/headers-in-capitals', 'names of headers are in capitals', (response) => {
    response.headers = Object.fromEntries(listHeaders(response).map(([name, value]) => [name.toUpperCase(), value]));
  }),
  responding('http/gzip', 'responses are compressed', (response) => {
    response.text = gzipSync(toBytes(response));
    response.headers['content-encoding'] = 'gzip';
  }),
  variation('http/chunked', 'responses come in chunks', () => ({
    async write(outgoing, response) {
      response.writeHead(outgoing.status, outgoing.headers);
      const bytes = Buffer.from(toBytes(outgoing));
      for (let at = 0; at < bytes.length; at += 90) response.write(bytes.subarray(at, at + 90));
      response.end();
    },
  })),
  responding('http/no-keep-alive', 'connections are closed after each response', (response) => {
    response.headers['connection'] = 'close';
  }),
  variation('http/1.0', 'responses are HTTP/1.0', () => ({
    write(outgoing, { socket }) {
      const lines = listHeaders(outgoing).map(([name, value]) => `${name}: ${value}\r\n`);
      socket?.write(`HTTP/1.0 ${outgoing.status} Whatever\r\n${lines.join('')}\r\n`);
      socket?.end(toBytes(outgoing));
    },
  })),
  responding('http/slow', 'each response takes 150 ms', () => pause(150)),
  responding(
    'http/without-reason-or-cache',
    'responses have no headers but their media type',
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
    `now and then a request gets ${status}`,
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
function ids(id: string, title: string, make: (count: number) => string): Variation {
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
        return undefined;
      },
      transaction(transaction) {
        transaction['transaction_id'] = outsideOf(String(transaction['transaction_id']));
      },
    };
  };
  return variation(`id/${id}`, title, alter, { differs });
}

const identifiers: readonly Variation[] = [
  ids('numbers', 'ids are numbers in strings', (count) => String(70_000_000 + count)),
  ids('uuids', 'ids are UUIDs', () => crypto.randomUUID()),
  ids('long', 'ids are long and have other characters', (count) => `tx:${'a'.repeat(90)}~${count}.IN`),
  ids('short', 'ids are short', (count) => count.toString(36)),
];

const TIMES = ['created_at', 'finalized_at', 'last_updated_at'];

/** Writes every time in another form. */
function times(id: string, title: string, write: (time: string) => string, differs?: readonly string[]): Variation {
  const change = (inner: JsonObject) =>
    Object.fromEntries(
      Object.entries(inner).map(([name, value]) => [name, TIMES.includes(name) ? write(String(value)) : value]),
    );
  return bodies(`time/${id}`, title, change, differs);
}

const clocks: readonly Variation[] = [
  times('offset', 'times end with +00:00', (time) => time.replace('Z', '+00:00')),
  times('no-offset', 'times are in UTC, without an offset', (time) => time.replace('Z', ''), ANY),
  times('seconds', 'times are in whole seconds', (time) => time.replace(/\.\d+Z/, 'Z')),
  times('microseconds', 'times are in microseconds', (time) => time.replace('Z', '417Z')),
  shown('time/finalized-when-created', 'finalized_at equals created_at', (transaction) => {
    if ('finalized_at' in transaction) transaction['finalized_at'] = transaction['created_at'] ?? '';
  }),
];

const MACHINE_MS = -1_200_000;

const machines: readonly Variation[] = [
  responding('http/second-request-id', 'a proxy adds a second X-Request-Id', (response) => {
    response.headers['x-request-id'] = `proxy-7, ${response.headers['x-request-id']}`;
  }),
  variation('time/other-clock', "the service's clock is 20 minutes late, as its Date header says", () => ({
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
      return undefined;
    },
  })),
];

const later = (value: unknown, ms: number) => new Date(Date.parse(String(value)) + ms).toISOString();

const words: readonly Variation[] = [
  responding('words/errors', 'errors have other titles and details', (response) => {
    if (response.status < 400) return;
    const { title: _title, detail: _detail, ...rest } = toObject(response.body);
    response.body = { ...rest, title: 'Das ging nicht', detail: 'Bitte prüfen: ✗' };
  }),
  responding('words/message', 'confirmPayment has another message', (response, { operation }) => {
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
