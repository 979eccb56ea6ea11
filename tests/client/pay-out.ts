/** A merchant's process for payouts.test.ts: pays out or reconciles, and blocks at a point where the test kills it. */
import { DatabaseSync } from 'node:sqlite';
import type { CreatePayoutRequest } from '../../client/src/index.ts';
import { importPackagesFromSource } from '../../scripts/tools/packages.ts';

importPackagesFromSource();
const { createPaymentsClient } = await import('../../client/src/index.ts');
const { Orders, payOut } = await import('../../client/recipes/orders.ts');
const { reconcile } = await import('../../client/recipes/reconcile.ts');

export interface Settings {
  readonly file: string;
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The request to pay out. Without one, reconciles. */
  readonly request?: CreatePayoutRequest;
  /** Prints the point's name and blocks the process. */
  readonly stopAt?: 'before the request' | 'after the response' | 'within the commit';
}

const { file, baseUrl, apiKey, request, stopAt }: Settings = JSON.parse(process.argv[2] ?? '');
function reach(point: Settings['stopAt']): void {
  if (point !== stopAt) return;
  process.stdout.write(`${point}\n`);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

const db = new DatabaseSync(file);
db.exec('CREATE TABLE IF NOT EXISTS work (merchant_order_id TEXT, status TEXT)');
const orders = new Orders(db, ({ data }) => {
  db.prepare('INSERT INTO work VALUES (?, ?)').run(data.merchant_order_id, data.status);
  reach('within the commit');
});
const client = createPaymentsClient({
  baseUrl,
  apiKey,
  async fetch(url, init) {
    reach('before the request');
    const response = await fetch(url, init);
    reach('after the response');
    return response;
  },
});

if (request) await payOut(client, orders, request);
else {
  const failed = await reconcile({
    client,
    open: orders.open(),
    apply: (state) => orders.apply(state),
    missing: () => {},
  });
  process.stdout.write(`${failed.length} unknown\n`);
}
