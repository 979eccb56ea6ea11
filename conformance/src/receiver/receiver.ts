/**
 * Receives the service's webhooks. Each transaction gets a dedicated path, which identifies its deliveries and can have
 * its own replies.
 */
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readBodyText } from '../../../contract/src/read-text.ts';
import { type Journal, parseJson, type ReceivedDelivery, type ReplyToStatus, readString } from '../service/exchange.ts';
import { timeoutWhileAwake } from '../time/awake.ts';

export interface WebhookReceiverOptions {
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  /** Base URL at which the service reaches the receiver, such as a proxy with TLS. Defaults to host and port. */
  readonly url?: string;
}

export interface CallbackAddress {
  readonly url: string;
  readonly token: string;
  /** Attempts so far, in the order in which they came. */
  readonly deliveries: readonly ReceivedDelivery[];
  /** Whether the service followed a redirect of this address. */
  wasLeft(): boolean;
  /** Attempts to all addresses of the run. */
  readonly all: readonly ReceivedDelivery[];
  /** Resolves with the first matching delivery, past or future, or undefined after the timeout. */
  find(fits: (delivery: ReceivedDelivery) => boolean, timeoutMs: number): Promise<ReceivedDelivery | undefined>;
}

export interface Receiver {
  readonly url: string;
  /** Replies with 204, except for the refusal. */
  endpoint(refusal?: ReplyToStatus): CallbackAddress;
  /** An address that discards its webhooks, for other merchants. */
  sink(): string;
  close(): Promise<void>;
}

const BODY_BYTES_MAX = 1_000_000;
/** All bodies of a run. They stay in memory. */
const RECEIVED_MAX = 64_000_000;
/** Time to read a webhook. */
const READ_MS = 20_000;
const SINK = 'sink';
/** Path of redirect targets, followed by the token. */
const ELSEWHERE = 'elsewhere-';

interface State {
  /** Undefined once the receiver has refused. */
  refusal: ReplyToStatus | undefined;
  isLeft: boolean;
  readonly deliveries: ReceivedDelivery[];
  readonly waiting: Set<(delivery: ReceivedDelivery) => void>;
}

/** Starts to listen. Rejects with the error of `listen`. */
export async function startReceiver(options: WebhookReceiverOptions, journal: Journal): Promise<Receiver> {
  const states = new Map<string, State>();
  let received = 0;
  const server = createServer({ requestTimeout: READ_MS, headersTimeout: READ_MS }, async (request, response) => {
    try {
      const text = await readBodyText(request, BODY_BYTES_MAX);
      received += text?.length ?? 0;
      if (text === undefined || received > RECEIVED_MAX) response.writeHead(413).end();
      else receive(states, journal, { request, text }, response);
    } catch {
      response.destroy();
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  const url = (options.url ?? `http://${host}:${port}`).replace(/\/+$/, '');
  return {
    url,
    endpoint(refusal) {
      const token = randomBytes(8).toString('hex');
      const state: State = { refusal, isLeft: false, deliveries: [], waiting: new Set() };
      states.set(token, state);
      return {
        url: `${url}/${token}`,
        token,
        deliveries: state.deliveries,
        wasLeft: () => state.isLeft,
        all: journal.deliveries,
        find: (fits, timeoutMs) => find(state, fits, timeoutMs),
      };
    },
    sink: () => `${url}/${SINK}`,
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function receive(
  states: ReadonlyMap<string, State>,
  journal: Journal,
  { request, text }: { readonly request: IncomingMessage; readonly text: string },
  response: ServerResponse,
): void {
  const [path = '', query] = (request.url ?? '').split(/(\?.*)/s);
  const token = path.split('/').at(-1) ?? '';
  const left = token.startsWith(ELSEWHERE) && states.get(token.slice(ELSEWHERE.length));
  if (left) left.isLeft = true;
  const state = states.get(token);
  if (!state) {
    response.writeHead(token === SINK ? 204 : 404).end();
    return;
  }
  const body = parseJson(text);
  const { refusal } = state;
  const isRefused = refusal !== undefined && readString(body, 'status') === refusal.status;
  if (isRefused) state.refusal = undefined;
  const reply = isRefused ? refusal.reply : 204;
  const delivery: ReceivedDelivery = {
    number: journal.deliveries.length + 1,
    ...{ token, method: request.method ?? '', query: query ?? '', headers: flat(request), text },
    ...(body !== undefined && { body }),
    ...{ receivedAt: Date.now(), reply },
  };
  journal.deliveries.push(delivery);
  state.deliveries.push(delivery);
  for (const wake of state.waiting) wake(delivery);
  if (reply === 'close') request.socket.destroy();
  else if (reply !== 'hang')
    response.writeHead(reply, isRedirect(reply) ? { location: `./${ELSEWHERE}${token}` } : {}).end();
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}

async function find(
  state: State,
  fits: (delivery: ReceivedDelivery) => boolean,
  timeoutMs: number,
): Promise<ReceivedDelivery | undefined> {
  const past = state.deliveries.find(fits);
  if (past) return past;
  return new Promise((resolve) => {
    const finish = (found?: ReceivedDelivery): void => {
      cancel();
      state.waiting.delete(wake);
      resolve(found);
    };
    const wake = (delivery: ReceivedDelivery): void => {
      if (fits(delivery)) finish(delivery);
    };
    const cancel = timeoutWhileAwake(timeoutMs, finish);
    state.waiting.add(wake);
  });
}

function flat({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  );
}
