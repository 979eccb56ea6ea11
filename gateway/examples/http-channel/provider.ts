/**
 * A provider to try the channel with: `node provider.ts`. It simulates the bank, the customers' apps and their
 * failures. Its state is in a file, so it can be killed at any time.
 *
 * PROVIDER_PORT, PROVIDER_KEY, PROVIDER_SECRET; STORE is its file; NOTIFY receives its notifications; FAULTS is the
 * share of failing requests, from 0 to 1.
 */
import { createHmac } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';

interface Order {
  kind: 'collection' | 'transfer';
  amount: number;
  currency: string;
  /** Of the payee. */
  account: string;
  state: 'awaiting' | 'processing' | 'paid' | 'refused' | 'cancelled';
  paid?: number;
  reason?: string;
}

const {
  PROVIDER_PORT = '4100',
  PROVIDER_KEY = '',
  PROVIDER_SECRET = '',
  STORE = 'provider.jsonl',
  NOTIFY = '',
} = process.env;
/** Accounts that end with it don't exist. */
const UNKNOWN_ACCOUNT = '0000';
const SLOW_MS = 5_000;
const NOTIFICATION_MS = 2_000;

const orders = new Map<string, Order>();
let counts: Record<string, number> = {};
let faults = Number(process.env['FAULTS'] ?? 0);
/** The fault of the next call that can have it. */
let nextFault = '';

// A line cut by a crash is a change that was never acknowledged.
if (existsSync(STORE)) {
  const lines = readFileSync(STORE, 'utf8').split('\n').slice(0, -1);
  for (const line of lines) {
    const [id, order] = JSON.parse(line) as [string, Order];
    orders.set(id, order);
  }
}

/** Writes the order before responding. */
function save(id: string, order: Order): Order {
  appendFileSync(STORE, `${JSON.stringify([id, order])}\n`);
  orders.set(id, order);
  return order;
}

function happens(fault: string): boolean {
  if (fault === nextFault) nextFault = '';
  else if (Math.random() >= faults) return false;
  counts[fault] = (counts[fault] ?? 0) + 1;
  return true;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Sends a notification, unless it gets lost; it can be late, come twice, and say something wrong about the amount. */
async function notify(id: string, { state, paid }: Order): Promise<void> {
  if (NOTIFY === '' || happens('lost notification')) return;
  const amount = happens('wrong amount notified') ? 1 : paid;
  if (happens('late notification')) await pause(NOTIFICATION_MS);
  const body = JSON.stringify({ reference: id, state, amount });
  const signature = createHmac('sha256', PROVIDER_SECRET).update(body).digest('hex');
  const send = () =>
    fetch(NOTIFY, { method: 'POST', body, headers: { 'x-signature': signature } }).catch(() => undefined);
  await send();
  if (happens('duplicate notification')) await send();
}

interface Request {
  readonly id: string;
  readonly body: { amount?: number; currency?: string; customer?: { account_number?: string }; fault?: string };
}

/** Creates an order, or returns the existing one with this id, which is the idempotency key. */
function open(kind: Order['kind'], { id, body }: Request, state: Order['state']): Order {
  const { amount = 0, currency = '', customer = {} } = body;
  return orders.get(id) ?? save(id, { kind, amount, currency, state, account: customer.account_number ?? '' });
}

/** The provider's operations, by method and path. */
const ROUTES: Readonly<Record<string, (request: Request) => object | undefined>> = {
  'POST /collections': (request) => shown(request.id, open('collection', request, 'awaiting')),
  'GET /collections/ID': ({ id }) => shown(id, orders.get(id)),
  // One that it has never seen is cancelled too, so that it can't be opened any more.
  'POST /collections/ID/cancel': (request) => {
    const order = open('collection', request, 'cancelled');
    return order.state === 'awaiting' ? save(request.id, { ...order, state: 'cancelled' }) : order;
  },
  'POST /transfers': (request) => {
    const order = open('transfer', request, 'processing');
    setImmediate(carryOut, request.id);
    return order;
  },
  'GET /transfers/ID': ({ id }) => orders.get(id),
  // The customer's app: pays an amount, which may differ from the requested one.
  'POST /app/ID/pay': ({ id, body }) => {
    const order = orders.get(id);
    if (order?.state !== 'awaiting') return order;
    const paid = save(id, { ...order, state: 'paid', paid: body.amount ?? order.amount });
    void notify(id, paid);
    return paid;
  },
  'POST /faults': ({ body }) => {
    faults = body.amount ?? 0;
    nextFault = body.fault ?? '';
    const counted = counts;
    counts = {};
    return counted;
  },
};

function shown(id: string, order: Order | undefined): object | undefined {
  return order && { ...order, account: `collect.${id.slice(-8).toLowerCase()}@bank` };
}

/** Makes a transfer, once. */
function carryOut(id: string): void {
  const order = orders.get(id);
  if (order?.state !== 'processing') return;
  const isUnknown = order.account.endsWith(UNKNOWN_ACCOUNT);
  const ended: Partial<Order> = isUnknown
    ? { state: 'refused', reason: 'account_unknown' }
    : { state: 'paid', paid: order.amount };
  void notify(id, save(id, { ...order, ...ended }));
}

/** Each movement of money, as the provider has booked it. */
function statement(): string {
  const booked = [...orders].filter(([, { state }]) => state === 'paid');
  return [
    'reference,amount,currency',
    ...booked.map(([id, { paid, currency }]) => `${id},${paid},${currency}`),
    '',
  ].join('\n');
}

async function bodyOf(request: IncomingMessage): Promise<Request['body']> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString());
}

const server = createServer(async (request, response) => {
  const { method = '', url = '', headers } = request;
  const body = await bodyOf(request);
  if (headers.authorization !== `Bearer ${PROVIDER_KEY}`) return void response.writeHead(401).end();
  if (url === '/statement') return void response.end(statement());
  const inPath = /^\/\w+\/(\w+)/.exec(url)?.[1];
  const id = inPath ?? String(headers['idempotency-key']);
  const route = ROUTES[`${method} ${inPath ? url.replace(inPath, 'ID') : url}`];
  const isCall = !url.startsWith('/app/') && url !== '/faults';
  if (isCall && happens('refused')) return void response.writeHead(429).end(JSON.stringify({ error: 'not_processed' }));
  const result = route?.({ id, body });
  if (isCall && happens('failed response')) return void response.writeHead(503).end();
  if (isCall && happens('lost response')) return void response.destroy();
  if (isCall && happens('slow response')) await pause(SLOW_MS);
  response.writeHead(result ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(result ?? {}));
});
// The state that a crash has left.
for (const id of orders.keys()) carryOut(id);
server.listen(Number(PROVIDER_PORT), '127.0.0.1', () => {
  const address = server.address();
  console.log(`provider  http://127.0.0.1:${typeof address === 'object' ? address?.port : PROVIDER_PORT}`);
});
