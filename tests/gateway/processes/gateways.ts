/** Gateways in separate processes. */
import type { Store } from '../../../gateway/src/database/store.ts';
import { createApiKey } from '../../../gateway/src/merchants/api-keys.ts';
import { send } from '../../load/client.ts';
import { type Server, startGatewayProcess } from '../../tools/server.ts';
import { addMerchant, fund } from '../harness/fixtures.ts';
import { afterwards } from '../harness.ts';

export interface GatewayProcess extends Pick<Server, 'url' | 'end'> {
  /** Sends a request with the key. Rejects when the process does not respond. */
  call(method: string, path: string, key: string, body?: unknown): Promise<{ status: number; body: Shown }>;
}

/** Members of responses used by these tests. */
interface Shown {
  readonly transaction_id: string;
  readonly status: string;
  readonly type: string;
  readonly balances: { readonly available: number; readonly pending: number }[];
}

/** Adds a funded merchant, and returns its API key. */
export async function addKey(store: Store): Promise<string> {
  const merchant = await addMerchant(store);
  await fund(store, merchant, 10_000_000);
  return (await store.unit((db) => createApiKey(db, merchant.id, Date.now()))).key;
}

/** Starts a gateway on the environment's database, and waits until it listens. */
export async function startProcess(
  database: Record<string, string>,
  args?: readonly string[],
): Promise<GatewayProcess> {
  const env = { ...database, HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'fatal' };
  const server = await startGatewayProcess(env, args);
  afterwards(() => server.end());
  return {
    ...server,
    async call(method, path, key, body) {
      const { status, body: shown } = await send({ url: server.url, key, withinMs: 60_000 }, method, path, body);
      return { status, body: shown as Shown };
    },
  };
}

/** Polls the check until it returns something other than undefined, in real time, since it asks real processes. */
export async function eventually<T>(check: () => Promise<T | undefined>, deadlineMs = 60_000): Promise<T> {
  const deadline = performance.now() + deadlineMs;
  for (;;) {
    const found = await check();
    if (found !== undefined) return found;
    if (performance.now() > deadline) throw new Error(`nothing came of it within ${deadlineMs} ms: ${check}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
