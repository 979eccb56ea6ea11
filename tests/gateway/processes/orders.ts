/** Continuous load: payments and payouts, each followed to its end. */
import { confirmation } from '../harness/customer.ts';
import { paymentRequest, payoutRequest } from '../harness/fixtures.ts';
import { afterwards } from '../harness.ts';
import { eventually, type GatewayProcess } from './gateways.ts';

export interface Orders {
  /** Failures seen by clients. Must stay empty. */
  readonly failures: readonly string[];
  /** Acknowledged payments and payouts, by path. */
  readonly acknowledged: readonly string[];
  /** Starts the clients. Idempotent. */
  begin(): void;
  /** Waits until it holds, or until a failure. */
  until(holds: () => boolean): Promise<void>;
  /** Waits for this many further acknowledged writes. */
  more(writes: number): Promise<void>;
  end(): Promise<void>;
}

/** Clients that create payments and payouts, read them, and confirm payments, one after the other. */
export function placeOrders(
  clients: number,
  changes: { readonly callback_url?: string },
  call: (method: string, path: string, body?: unknown) => ReturnType<GatewayProcess['call']>,
): Orders {
  const failures: string[] = [];
  const acknowledged: string[] = [];
  let isOver = false;
  let running: Promise<unknown> | undefined;

  async function send(method: string, path: string, body?: unknown) {
    const response = await call(method, path, body).catch((error: unknown) => error as Error);
    if (response instanceof Error) failures.push(`${method} ${path}: ${response.message}`);
    else if (response.status >= 400) failures.push(`${method} ${path}: ${JSON.stringify(response.body)}`);
    else return response.body;
    return undefined;
  }

  const bodyFor = (path: string) =>
    path === '/payouts' ? payoutRequest({ amount: 1_000, ...changes }) : paymentRequest(changes);

  async function client(): Promise<void> {
    for (let count = 0; !isOver && failures.length < 10; count++) {
      const path = count % 4 === 3 ? '/payouts' : '/payments';
      const made = await send('POST', path, bodyFor(path));
      if (!made) continue;
      acknowledged.push(`${path}/${made.transaction_id}`);
      const shown = await send('GET', `${path}/${made.transaction_id}`);
      if (shown?.status !== 'PAY_CONFIRMATION_NEEDED') continue;
      await send('POST', `${path}/${made.transaction_id}/confirm`, confirmation(shown as never));
    }
  }

  afterwards(async () => {
    isOver = true;
  });
  const until = (holds: () => boolean) =>
    eventually(async () => (holds() || failures.length > 0 ? true : undefined)).then(() => undefined);
  return {
    ...{ failures, acknowledged, until },
    begin() {
      running ??= Promise.all(Array.from({ length: clients }, client));
    },
    more(writes) {
      const from = acknowledged.length;
      return until(() => acknowledged.length >= from + writes);
    },
    async end() {
      isOver = true;
      await running;
    },
  };
}
