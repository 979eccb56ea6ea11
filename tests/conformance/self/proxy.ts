/** A proxy between the kit and the reference gateway, which alters messages in both directions, webhooks included. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { type Json, type JsonObject, type Operation, operations, readBundle } from '../../../contract/src/model.ts';
import { readWireFormat, signedHeaders, signingKey } from '../../../gateway/src/webhooks/signature.ts';
import { listenOnLoopback } from '../../tools/loopback.ts';
import {
  type Alteration,
  type Backend,
  findPlace,
  type Incoming,
  type Outgoing,
  toObject,
  type Webhook,
} from './alteration.ts';
import type { Reference } from './reference.ts';

export interface Proxy {
  readonly url: string;
  close(): Promise<void>;
}

const BUNDLE = readBundle();
const OPERATIONS = operations(BUNDLE).map((operation) => ({ operation, pattern: toPattern(operation) }));
const FORMAT = readWireFormat(BUNDLE);
const HOOKS = '/hooks/';
const URL_LENGTH_MAX = 2_048;
/** Headers of a connection, and headers that the sender computes. */
const DROPPED = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'host', 'date']);

/** Starts the proxy in front of the gateway. */
export async function startProxy(reference: Reference, alteration: Alteration): Promise<Proxy> {
  const callbacks = new Callbacks();
  const gone = new Set<string>();
  const stopping = new AbortController();
  const backend: Backend = { ...reference, send: (request) => forward(reference.url, complete(request)) };

  const handle = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const bytes = await buffer(message);
    const target = message.url ?? '/';
    if (target.startsWith(HOOKS)) {
      response.writeHead(204).end();
      await redeliver(target, message, bytes);
      return;
    }
    const outgoing = await respond(readIncoming(message, bytes));
    if (alteration.write) alteration.write(outgoing, response);
    else write(outgoing, response);
  };

  const respond = async (request: Incoming): Promise<Outgoing> => {
    const instead = await alteration.request?.(request, backend);
    if (instead) return instead;
    const isSecond = request.headers['authorization'] === `Bearer ${reference.secondKey}`;
    request.bytes = callbacks.rewritten(
      request.bytes,
      `${url}${HOOKS}`,
      isSecond ? (reference.secondSecret ?? reference.secret) : reference.secret,
    );
    const outgoing = await forward(reference.url, request);
    for (const transaction of listTransactions(request.operation, outgoing.body)) {
      alteration.transaction?.(transaction, findPlace(request.operation, transaction));
    }
    await alteration.response?.(outgoing, request, backend);
    return outgoing;
  };

  const redeliver = async (target: string, message: IncomingMessage, bytes: Buffer): Promise<void> => {
    const callback = callbacks.original(target.slice(HOOKS.length));
    if (!callback) return;
    const { url, secret } = callback;
    const body = toObject(parse(bytes));
    alteration.transaction?.(body, findPlace('webhook', body));
    const webhook: Webhook = {
      method: 'POST',
      url,
      id: String(message.headers[FORMAT.id]),
      body,
      secret,
      ...{ delayMs: 0, replyMs: 0 },
      headers: createWebhookHeaders(secret),
      retryMs: computeRetryMs,
    };
    const webhooks = (await alteration.webhook?.(webhook, backend)) ?? (gone.has(webhook.url) ? [] : [webhook]);
    const note = (url: string) => (status: number) => (status === GONE ? gone.add(url) : undefined);
    await Promise.all(webhooks.map((one) => deliver(one, stopping.signal, note(one.url))));
  };

  const server = createServer((message, response) => {
    handle(message, response).catch((error: Error) => {
      if (!stopping.signal.aborted) console.error(error);
      response.destroy();
    });
  });
  const { url, close } = await listenOnLoopback(server);
  return {
    url,
    close() {
      stopping.abort();
      return close();
    },
  };
}

/** Sends a response unchanged. */
export function write(outgoing: Outgoing, response: ServerResponse): void {
  response.writeHead(outgoing.status, outgoing.headers).end(toBytes(outgoing));
}

export function toBytes({ body, text }: Outgoing): string | Buffer {
  if (text !== undefined) return text;
  return body === undefined ? '' : JSON.stringify(body);
}

/** Maps callback addresses of the kit to the gateway's, one to one. */
class Callbacks {
  readonly #known: { readonly url: string; readonly secret: string }[] = [];
  /** A webhook of an earlier proxy can come to this one's port. */
  readonly #own = `${randomUUID()}-`;

  /** The body with another callback_url. Invalid bodies stay unchanged. */
  rewritten(bytes: Buffer, prefix: string, secret: string): Buffer {
    const given = toObject(parse(bytes))['callback_url'];
    if (typeof given !== 'string' || given.length > URL_LENGTH_MAX || !/^http:\/\/127\.0\.0\.1:/.test(given))
      return bytes;
    let number = this.#known.findIndex((one) => one.url === given && one.secret === secret);
    if (number < 0) number = this.#known.push({ url: given, secret }) - 1;
    // As Latin-1, which keeps every byte, for bodies that aren't UTF-8.
    const text = bytes
      .toString('latin1')
      .replaceAll(JSON.stringify(given), JSON.stringify(`${prefix}${this.#own}${number}`));
    return Buffer.from(text, 'latin1');
  }

  original(name: string): { readonly url: string; readonly secret: string } | undefined {
    return name.startsWith(this.#own) ? this.#known[Number(name.slice(this.#own.length))] : undefined;
  }
}

async function forward(base: string, request: Incoming): Promise<Outgoing> {
  const response = await fetch(`${base}${request.path}${request.query}`, {
    method: request.method,
    headers: Object.entries(request.headers).filter(([name]) => !DROPPED.has(name)),
    ...(request.bytes.length > 0 && { body: new Uint8Array(request.bytes) }),
    redirect: 'manual',
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const body = parse(bytes);
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !DROPPED.has(name)));
  return { status: response.status, headers, body, ...(body === undefined && { text: bytes }) };
}

function readIncoming(message: IncomingMessage, bytes: Buffer): Incoming {
  const [path = '', query] = (message.url ?? '/').split(/\?(.*)/s);
  const method = message.method ?? 'GET';
  return {
    operation: findOperation(method, path),
    ...{ method, path, query: query === undefined ? '' : `?${query}` },
    headers: Object.fromEntries(Object.entries(message.headers).map(([name, value]) => [name, String(value)])),
    ...{ bytes, body: parse(bytes) },
  };
}

function complete(request: Parameters<Backend['send']>[0]): Incoming {
  const operation = findOperation(request.method, request.path);
  return { operation, query: '', headers: {}, bytes: Buffer.alloc(0), body: undefined, ...request };
}

function findOperation(method: string, path: string): string {
  const found = OPERATIONS.find(
    ({ operation, pattern }) => operation.method === method.toLowerCase() && pattern.test(path),
  );
  return found?.operation.id ?? '';
}

function toPattern({ path }: Operation): RegExp {
  return new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`);
}

/** Every transaction that a response shows. */
function listTransactions(operation: string, body: Json | undefined): JsonObject[] {
  if (operation === '' || operation === 'getBalance') return [];
  const one = toObject(body);
  return 'transaction_id' in one ? [one] : [];
}

function parse(bytes: Buffer): Json | undefined {
  try {
    return JSON.parse(bytes.toString('utf8')) as Json;
  } catch {
    return undefined;
  }
}

/** Pauses between the attempts of a valid service. The source leaves them open. */
const RETRY_MS: readonly number[] = [150, 400, 800, 1_600, 3_200];
/** Longer than the kit takes to respond, and shorter than it hangs. */
const RESPONSE_WITHIN_MS = 3_000;

/** Stops the webhooks to an address. */
export const GONE = 410;

/** The headers that a valid service sends, by its clock. */
export function createWebhookHeaders(secret: string, now = Date.now): Webhook['headers'] {
  const keys = [signingKey(secret)];
  return ({ id, text }) => signedHeaders(FORMAT, { id, timestamp: Math.floor(now() / 1_000), body: text }, keys);
}

export function computeRetryMs(status: number, attempt: number): number | undefined {
  if ((status >= 200 && status < 300) || status === GONE) return undefined;
  return RETRY_MS[attempt - 1];
}

/** Retries the webhook until it is settled or the signal is aborted. `onStatus` gets the status of each reply. */
export async function deliver(
  webhook: Webhook,
  signal: AbortSignal,
  onStatus: (status: number) => void = () => {},
): Promise<void> {
  let waitMs: number | undefined = webhook.delayMs;
  for (let attempt = 1; waitMs !== undefined && !signal.aborted; attempt += 1) {
    if (waitMs > 0) await pause(waitMs, signal);
    if (signal.aborted) return;
    const text = webhook.text ?? JSON.stringify(webhook.body);
    const headers = webhook.headers({ id: webhook.id, text, attempt });
    const status = await attemptOnce(webhook, headers, text, signal);
    if (webhook.replyMs > 0) await pause(webhook.replyMs, signal);
    onStatus(status);
    waitMs = webhook.retryMs(status, attempt);
  }
}

/** The status of the response; 0 without one. */
async function attemptOnce(
  { url, method, follows = false }: Webhook,
  headers: Record<string, string>,
  body: string,
  signal: AbortSignal,
): Promise<number> {
  try {
    const within = AbortSignal.any([signal, AbortSignal.timeout(RESPONSE_WITHIN_MS)]);
    const response = await fetch(url, {
      ...{ method, headers, signal: within, redirect: follows ? 'follow' : 'manual' },
      ...(method !== 'GET' && { body }),
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return setTimeout(ms, undefined, { signal }).catch(() => undefined);
}
