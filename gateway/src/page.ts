/**
 * A gateway without a server: in a web page, a worker or a test, on any runtime. Requests are function calls, webhooks
 * go to a function, and the database is in memory, or persisted in the browser's storage.
 */
import type { CreateMerchantRequest } from '../../generated/sandbox/types.ts';
import { type Access, ApiError, callManagement, callSandbox } from './api-client/client.ts';
import { createInbox, type Inbox, type WebhookInbox } from './api-client/inbox.ts';
import { createMerchantActions, type MerchantActions } from './api-client/merchant-actions.ts';
import { readPageFiles } from './checkout/page.ts';
import { DEFAULT_LIMITS } from './config/default-limits.ts';
import { type Core, createCore } from './core.ts';
import { emptyImage } from './database/empty-image.ts';
import { UnreleasedSchema } from './database/migrate.ts';
import type { Store } from './database/store.ts';
import { type KeptDatabase, openKept } from './database/wasm/kept-database.ts';
import { loadSqlite } from './database/wasm/load-sqlite.ts';
import { openWasm } from './database/wasm/wasm-store.ts';
import { readDocumentFile } from './http/gateway-apis.ts';
import { NO_METRICS } from './http/metrics.ts';
import { type Clock, shiftedClock, systemClock } from './platform/clock.ts';
import { NO_LOG } from './platform/log.ts';
import { requireNativeTimers } from './platform/timers.ts';
import { Sandbox } from './sandbox/sandbox.ts';
import { type DeliverRequest, fetchSender } from './webhooks/fetch-sender.ts';

export interface StartSandboxOptions {
  /**
   * Makes keys, secrets and everything random from this text, so that two runs have the same. Ids also contain the time:
   * begin at the same `now` and freeze the clock at the same time to get the same ids. Defaults to random ones.
   */
  readonly seed?: string;
  /** The time at which a new sandbox begins; from then on, time passes. Defaults to the present. */
  readonly now?: Date;
  /**
   * Base URL of the API, without a trailing slash. It isn't listened on. A service worker that forwards requests uses a
   * URL on its own origin, so that payers can open the `redirect_url`. Defaults to http://sandbox.test.
   */
  readonly url?: string;
  /** Receives webhooks for all addresses except the inboxes'. Defaults to `fetch`. */
  readonly onWebhook?: DeliverRequest;
  /** The content of sqlite3.wasm. Defaults to the file next to the script. */
  readonly wasm?: ArrayBuffer | Uint8Array;
  /**
   * Persists the sandbox under this name in the browser (IndexedDB): its first merchant with key and secret, all data,
   * and the clock. Data is stored before the response that reports it. Only the most recently started sandbox with a
   * name can write. By default, the sandbox ends with the page.
   */
  readonly storage?: string;
}

/** A sandbox merchant with a wallet for each currency, and the simulations of its transactions, clock and channels. */
export interface SandboxMerchant extends MerchantActions {
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
  /** Creates another merchant with a wallet for each currency. `available` sets the initial balances in minor units. */
  addMerchant(request?: CreateMerchantRequest): Promise<SandboxMerchant>;
  /** Ends it, and frees its memory. */
  close(): Promise<void>;
}

const URL_DEFAULT = 'http://sandbox.test';
const INBOX = '/webhook-inboxes/';
/** Only the page can create merchants. */
const MERCHANTS = { sandboxKey: '', sandboxMerchantsMax: 10_000, sandboxMerchantDays: 0 };

/**
 * Starts a sandbox. Several can run in one page and share only SQLite's code. Throws an Error if `storage` isn't
 * available.
 */
export async function startSandbox(options: StartSandboxOptions = {}): Promise<RunningSandbox> {
  requireRuntime();
  requireNativeTimers();
  const url = parseBaseUrl(options.url ?? URL_DEFAULT);
  const inboxes = new Map<string, Inbox>();
  const started = Promise.withResolvers<void>();
  const deliver: DeliverRequest = async (request) => {
    if (!request.url.startsWith(url + INBOX)) return (options.onWebhook ?? fetch)(request);
    // A kept sandbox continues to send before its merchant is here again.
    await started.promise;
    const inbox = inboxes.get(request.url);
    return inbox ? putInto(inbox, request) : new Response('no merchant has this inbox', { status: 404 });
  };
  const database = await openDatabase(options);
  const core = await openCore(database, url, deliver).catch((error: unknown) => {
    throw explainKept(error, options.storage);
  });
  const call = localFetch(url, core.app.fetch);
  const access: Access = { url, key: '', fetch: call };
  const openMerchant = ({ id, key, secret }: OwnMerchant): SandboxMerchant => {
    const verbs = createMerchantActions({ ...access, key });
    const inbox = createInbox(core.contract.bundle, secret, async () => {
      const { signatures, now } = await verbs.clock.read();
      return signatures === 'merchant' ? Date.parse(now) : database.clock.now();
    });
    const address = `${url}${INBOX}${id}`;
    inboxes.set(address, inbox);
    return { url, key, secret, webhooks: { ...inbox, url: address }, ...verbs };
  };
  const addMerchant = async (body?: CreateMerchantRequest) => openMerchant(await createMerchant(access, body));
  const close = () => core.close().finally(() => database.close());
  try {
    const first = openMerchant(await firstMerchant(access, database));
    started.resolve();
    return { ...first, fetch: call, addMerchant, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Puts the gateway together, and closes the database if that fails. */
async function openCore(database: SandboxDatabase, url: string, deliver: DeliverRequest): Promise<Core> {
  const { store, clock, seed } = database;
  try {
    return await createCore({
      ...DEFAULT_LIMITS,
      ...{ store, clock, seed },
      publicUrl: () => url,
      log: NO_LOG,
      openSender: fetchSender(deliver),
      measure: () => NO_METRICS,
      // A page of any origin may have been given it: by a worker, or by a test that intercepts requests.
      corsOrigins: ['*'],
      basePath: new URL(url).pathname.replace(/\/$/, ''),
      hostNames: { host: new URL(url).hostname, allowedHosts: [], publicUrl: () => url },
      readDocument: readDocumentFile,
      pageFiles: readPageFiles(),
      openSandbox: (parts) => new Sandbox({ ...parts, merchantPolicy: MERCHANTS }),
    });
  } catch (error) {
    await database.close();
    throw error;
  }
}

interface OwnMerchant extends MerchantKeys {
  /** Number of the merchant. */
  readonly id: number;
}

async function createMerchant(access: Access, body: CreateMerchantRequest = {}): Promise<OwnMerchant> {
  const { merchant_id: id, key, secret } = await callSandbox(access, 'createMerchant', { body });
  return { id, key, secret };
}

/** The merchant of a persisted database, or a new one. */
async function firstMerchant(access: Access, { merchant, remember }: SandboxDatabase): Promise<OwnMerchant> {
  const kept = merchant && (await findMerchant(access, merchant));
  if (kept) return kept;
  const created = await createMerchant(access);
  await remember(created);
  return created;
}

/** Returns undefined if it was deleted. */
async function findMerchant(access: Access, { key, secret }: MerchantKeys): Promise<OwnMerchant | undefined> {
  try {
    const { merchant } = await callManagement({ ...access, key }, 'getCaller');
    return merchant && { id: merchant.id, key, secret };
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return undefined;
    throw error;
  }
}

/** Throws on runtimes that lack the latest of the features in use. */
function requireRuntime(): void {
  if ('withResolvers' in Promise) return;
  throw new Error('The sandbox needs Node 22.13 or newer, or a browser with Promise.withResolvers (since 2024).');
}

/** Normalizes the URL, without a trailing slash. Throws a TypeError if it can't be a base of requests. */
function parseBaseUrl(text: string): string {
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

export interface DatabaseOptions {
  /** Name under which it is kept. Without one it ends with the store. */
  readonly storage?: string | undefined;
  readonly wasm?: ArrayBuffer | Uint8Array | undefined;
  /** The time at which a new one begins. */
  readonly now?: Date | undefined;
  readonly seed?: string | undefined;
}

/** Access to a merchant. The database itself has only a hash of the key. */
export interface MerchantKeys {
  readonly key: string;
  readonly secret: string;
}

export interface SandboxDatabase {
  readonly store: Store;
  readonly clock: Clock;
  /** Differs from start to start, since a seed makes the same values again. */
  readonly seed: string | undefined;
  /** The most recently stored merchant. */
  readonly merchant: MerchantKeys | undefined;
  /** Remembers a merchant for the next start. */
  remember(merchant: MerchantKeys): Promise<void>;
  /** Closes the store, unless it is closed, and lets go of the browser's storage. */
  close(): Promise<void>;
}

/** The notes of a kept database. */
interface Notes {
  readonly clockShift: number;
  readonly merchant: MerchantKeys;
}

/** Opens it. Throws an Error if it can't be kept. */
export async function openDatabase({ storage, wasm, now, seed }: DatabaseOptions): Promise<SandboxDatabase> {
  const sqlite3 = await loadSqlite(wasm);
  const empty = await emptyImage(sqlite3);
  const kept = storage === undefined ? undefined : await openKept(storage);
  const notes = kept?.notes as Notes | undefined;
  const clockShift = notes?.clockShift ?? (now ? now.getTime() - systemClock.now() : 0);
  const store = openWasm(sqlite3, { image: kept?.content ?? empty, keep: kept && storing(kept) });
  return {
    store,
    clock: shiftedClock(clockShift),
    seed: seed && selectSeed(seed, kept),
    merchant: notes?.merchant,
    remember: async (merchant) => kept?.note({ clockShift, merchant } satisfies Notes),
    async close() {
      await store.close();
      kept?.close();
    },
  };
}

/** The error of a start. If the browser has kept the database of an unreleased revision, the error says how to delete it. */
export function explainKept(error: unknown, storage: string | undefined): unknown {
  if (storage === undefined || !(error instanceof UnreleasedSchema)) return error;
  return new Error(
    `storage: '${storage}' has the database of an unreleased revision. Delete it: indexedDB.deleteDatabase('payments-sandbox:${storage}')`,
    { cause: error },
  );
}

/** Stores each commit. The first failure ends that, and is reported where developers look: requests only get 503 from then on. */
function storing(kept: KeptDatabase): (image: Uint8Array) => Promise<void> {
  return async (image) => {
    try {
      await kept.store(image);
    } catch (error) {
      // biome-ignore lint/suspicious/noConsole: this is a web page.
      console.error(error);
      throw error;
    }
  };
}

function selectSeed(seed: string, kept: Pick<KeptDatabase, 'opened'> | undefined): string {
  return kept && kept.opened > 1 ? `${seed} ${kept.opened}` : seed;
}
