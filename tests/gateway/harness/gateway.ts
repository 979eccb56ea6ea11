/** A gateway inside the test's process, with a merchant, and a clock moved by the test. */
import { expect } from 'vitest';
import type { Store } from '../../../gateway/src/database/store.ts';
import { sandboxMethods } from '../../../gateway/src/domain/methods.ts';
import { createApiKey } from '../../../gateway/src/merchants/api-keys.ts';
import { createMerchant, type Merchant } from '../../../gateway/src/merchants/merchants.ts';
import { createSigningSecret } from '../../../gateway/src/merchants/signing-secrets.ts';
import { createIds } from '../../../gateway/src/platform/ids.ts';
import { createGateway, type Gateway, type GatewayOptions } from '../../../gateway/src/server.ts';
import { checkOwnResponse } from '../../tools/gateway-api-sender.ts';
import { ManualClock } from '../../tools/manual-clock.ts';
import { checkResponse, matchWebhooks } from '../../tools/sender.ts';
import { afterwards } from './afterwards.ts';
import { START } from './fixtures.ts';
import { believeProxies, type Injected, inject } from './inject.ts';
import { openTestSqlite } from './stores.ts';

export interface Answer {
  readonly status: number;
  /** Parsed if it is JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read members of many kinds of responses.
  readonly body: any;
  readonly text: string;
  readonly headers: Injected['headers'];
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS';

/** Calls the gateway. A string body is sent verbatim, anything else as JSON. An undefined header is omitted. */
export type CallFunction = (
  method: Method,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string | undefined>>,
) => Promise<Answer>;

export interface TestMerchant {
  readonly merchant: Merchant;
  readonly key: string;
  readonly secret: string;
  /** Calls as this merchant. */
  readonly call: CallFunction;
}

export interface TestGateway<C = ManualClock> extends TestMerchant {
  readonly gateway: Gateway;
  readonly clock: C;
  /** Adds another merchant. */
  addMerchant(name: string): Promise<TestMerchant>;
}

export type TestGatewayOptions = Partial<GatewayOptions>;

/**
 * Starts a gateway that checks each response against the contract, or against its own API documents. The gateway is
 * closed after the test. By default, it has a new SQLite file and a clock stopped at START.
 */
export function startTestGateway(options?: TestGatewayOptions & { clock?: ManualClock }): Promise<TestGateway>;
export function startTestGateway(options: TestGatewayOptions): Promise<TestGateway<GatewayOptions['clock']>>;
export async function startTestGateway({
  store: given,
  clock = new ManualClock(START),
  ...options
}: TestGatewayOptions = {}): Promise<TestGateway<GatewayOptions['clock']>> {
  const store = given ?? (await openTestSqlite());
  const gateway = await createGateway({
    publicUrl: () => 'http://localhost:4000',
    checkResponse,
    methods: sandboxMethods,
    metrics: { cachedMs: 0 },
    ...options,
    store,
    clock,
  });
  believeProxies(gateway, options.network);
  afterwards(async () => {
    await checkWebhooks(store);
    await gateway.close();
  });

  const ids = createIds(options.seed);
  const live = options.keyPolicy?.live === true;
  async function addMerchant(name: string): Promise<TestMerchant> {
    const made = await gateway.store.unit(async (db) => {
      const merchant = await createMerchant(db, name, clock.now());
      const { key } = await createApiKey(db, merchant.id, clock.now(), { live }, ids);
      return { merchant, key, secret: await createSigningSecret(db, merchant.id, clock.now(), { ids }) };
    });
    return { ...made, call: createCaller(gateway, made.key) };
  }

  return { gateway, clock, addMerchant, ...(await addMerchant('Test merchant')) };
}

/** Calls with a key. */
export function createCaller(gateway: Gateway, key: string): CallFunction {
  return async (method, path, body, headers = {}) => {
    const sent = { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }) };
    const response = await inject(gateway, {
      method,
      url: path,
      headers: { ...sent, ...headers },
      ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const isJson = /\bjson\b/.test(String(response.headers['content-type']));
    const answered = isJson ? response.json() : response.body;
    checkOwnResponse(method, path, response.statusCode, answered);
    return { status: response.statusCode, body: answered, text: response.body, headers: response.headers };
  };
}

/** Every webhook of the test must be in the contract. Skips a store that the test closed or broke. */
async function checkWebhooks(store: Store): Promise<void> {
  const rows = await store.read.all('select body from events').catch(() => []);
  const wrong = rows.map(({ body }) => String(body)).filter((body) => matchWebhooks(JSON.parse(body)).length === 0);
  expect(wrong, 'webhooks against the contract').toEqual([]);
}
