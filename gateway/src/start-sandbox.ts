/**
 * A gateway without a server: in a web page, a worker or a test, on any runtime. Requests are function calls, the database is
 * in memory and ends with it, and webhooks go to a function.
 */
import type { CreateMerchantRequest } from '../../generated/sandbox/types.ts';
import { readPageFiles } from './checkout/page-files.ts';
import { DEFAULT_LIMITS } from './config/default-limits.ts';
import { createCore } from './core.ts';
import { NO_METRICS } from './http/metrics.ts';
import { mountSandbox } from './mount-sandbox.ts';
import { shiftedClock, systemClock } from './platform/clock.ts';
import { NO_LOG } from './platform/log.ts';
import { requireNativeTimers } from './platform/native-timers.ts';
import { type Access, callSandbox } from './sandbox-client/client.ts';
import { createInbox, type Inbox, type WebhookInbox } from './sandbox-client/inbox.ts';
import { type SandboxVerbs, sandboxVerbs } from './sandbox-client/verbs.ts';
import { emptyImage } from './store/engine/empty-image.ts';
import { loadSqlite } from './store/engine/wasm/load-sqlite.ts';
import { openWasm } from './store/engine/wasm/wasm-store.ts';
import { fetchHandler } from './web/fetch-handler.ts';
import { type Deliver, fetchSender } from './web/fetch-sender.ts';
import { readDocumentFile } from './wire/gateway-apis.ts';

export interface StartSandboxOptions {
  /**
   * Makes keys, secrets and everything random from this text, so that two runs have the same. Ids also contain the time:
   * begin at the same `now` and freeze the clock at the same time to get the same ids. Defaults to random ones.
   */
  readonly seed?: string;
  /** The time at which the sandbox begins; from then on, time passes. Defaults to the present. */
  readonly now?: Date;
  /**
   * Base URL of the API, without a slash at its end. Nothing listens there. A service worker that passes requests on uses one of
   * its own origin, so that payers can open the `redirect_url`. Defaults to http://sandbox.test.
   */
  readonly url?: string;
  /** Takes the webhooks for all addresses but those of the inboxes. Defaults to `fetch`. */
  readonly onWebhook?: Deliver;
  /** The content of sqlite3.wasm. Defaults to the file next to the script. */
  readonly wasm?: ArrayBuffer | Uint8Array;
}

/** A merchant of the sandbox with a wallet for each currency, and what can be done to its transactions, time and world. */
export interface SandboxMerchant extends SandboxVerbs {
  /** Base URL of the API, without a slash at its end. */
  readonly url: string;
  readonly key: string;
  /** Signs its webhooks. */
  readonly secret: string;
  /** Receives its webhooks: use `webhooks.url` as `callback_url`, and await `webhooks.next('SUCCESS')`. */
  readonly webhooks: Omit<WebhookInbox, 'close'>;
}

/** A gateway with its first merchant. */
export interface RunningSandbox extends SandboxMerchant {
  /** Responds to requests to `url`, like the global `fetch`; to a path such as `/payments`, too. */
  readonly fetch: typeof fetch;
  /** Creates another merchant, with a wallet for each currency. `available` says what is in them, in minor units. */
  addMerchant(request?: CreateMerchantRequest): Promise<SandboxMerchant>;
  /** Ends it, and frees its memory. */
  close(): Promise<void>;
}

const URL_DEFAULT = 'http://sandbox.test';
const INBOX = '/webhook-inboxes/';
/** Nobody but the page can create them. */
const MERCHANTS = { sandboxKey: '', sandboxMerchantsMax: 10_000, sandboxMerchantDays: 0 };

/** Starts a sandbox. Any number of them can run in one page; they share nothing but the code of SQLite. */
export async function startSandbox(options: StartSandboxOptions = {}): Promise<RunningSandbox> {
  requireRuntime();
  requireNativeTimers();
  const url = baseUrlOf(options.url ?? URL_DEFAULT);
  const inboxes = new Map<string, Inbox>();
  const deliver: Deliver = async (request) => {
    const inbox = inboxes.get(request.url);
    return inbox ? putInto(inbox, request) : (options.onWebhook ?? fetch)(request);
  };
  const sqlite3 = await loadSqlite(options.wasm);
  const store = openWasm(sqlite3, { image: await emptyImage(sqlite3) });
  const clock = options.now ? shiftedClock(options.now.getTime() - systemClock.now()) : systemClock;
  const core = await createCore({
    ...DEFAULT_LIMITS,
    store,
    clock,
    publicUrl: () => url,
    seed: options.seed,
    log: NO_LOG,
    openSender: fetchSender(deliver),
    measure: () => NO_METRICS,
    // A page of any origin may have been given it: by a worker, or by a test that intercepts requests.
    corsOrigins: ['*'],
    hostNames: { host: new URL(url).hostname, allowedHosts: [], publicUrl: () => url },
    readDocument: readDocumentFile,
    pageFiles: readPageFiles(),
    mountGuest: mountSandbox,
    merchantPolicy: MERCHANTS,
  });
  const call = localFetch(url, fetchHandler(core, { basePath: new URL(url).pathname }));
  const addMerchant = async (body: CreateMerchantRequest = {}): Promise<SandboxMerchant> => {
    const access: Access = { url, key: '', fetch: call };
    const { key, secret } = await callSandbox(access, 'createMerchant', { body });
    const verbs = sandboxVerbs({ ...access, key });
    const inbox = createInbox(core.contract.bundle, secret, async () => {
      const { signatures, now } = await verbs.clock.read();
      return signatures === 'merchant' ? Date.parse(now) : clock.now();
    });
    const address = `${url}${INBOX}${inboxes.size + 1}`;
    inboxes.set(address, inbox);
    return { url, key, secret, webhooks: { ...inbox, url: address }, ...verbs };
  };
  try {
    return { ...(await addMerchant()), fetch: call, addMerchant, close: () => core.close() };
  } catch (error) {
    await core.close();
    throw error;
  }
}

/** Throws on runtimes that lack the latest of the features in use. */
function requireRuntime(): void {
  if ('withResolvers' in Promise) return;
  throw new Error('The sandbox needs Node 22.13 or newer, or a browser with Promise.withResolvers (since 2024).');
}

/** The URL as requests have it, without a slash at its end. Throws a TypeError for one that requests can't begin with. */
function baseUrlOf(text: string): string {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol) && !/[?#@]/.test(text)) return url.href.replace(/\/+$/, '');
  throw new TypeError(
    `url: '${text}' is not an http or https URL without credentials, query and fragment, such as ${URL_DEFAULT}`,
  );
}

/** `fetch` for the addresses below one. */
function localFetch(url: string, handle: (request: Request) => Promise<Response>): typeof fetch {
  return async (input, init) => {
    const request = new Request(typeof input === 'string' && input.startsWith('/') ? url + input : input, init);
    if (!request.url.startsWith(`${url}/`))
      throw new TypeError(`${request.url} is not below ${url}, where this sandbox is`);
    return handle(request);
  };
}

async function putInto(inbox: Inbox, request: Request): Promise<Response> {
  const { status, text } = await inbox.receive({
    headers: Object.fromEntries(request.headers.entries()),
    body: await request.text(),
  });
  return new Response(status === 204 ? null : text, { status });
}
