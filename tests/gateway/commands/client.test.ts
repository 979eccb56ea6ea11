/** The client commands, against a gateway in this process. */
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { verifyWebhook } from '../../../client/src/webhooks.ts';
import { listen } from '../../../gateway/src/commands/client/listen.ts';
import { logs } from '../../../gateway/src/commands/client/logs.ts';
import { GOALS } from '../../../gateway/src/commands/client/trigger.ts';
import { type RunningGateway, type StartGatewayOptions, startGateway } from '../../../gateway/src/index.ts';
import { requestExamples } from '../../../generated/examples.ts';
import type { Balance } from '../../../generated/types.ts';
import { listenOnLoopback } from '../../tools/loopback.ts';
import { afterwards, temporaryFolder } from '../harness/afterwards.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import { createRunner } from './run-command.ts';

async function start(options?: StartGatewayOptions): Promise<RunningGateway> {
  const started = await startGateway(options);
  afterwards(() => started.close());
  return started;
}

/** Shared by tests that look only at their own transactions. */
let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await start();
});

type Access = Pick<RunningGateway, 'url' | 'key'>;

/** Runs a command. Returns its exit code and output. */
async function run({ url, key }: Access, ...argv: string[]) {
  const { code, stdout, stderr } = await createRunner({ GATEWAY_URL: url, API_KEY: key })(...argv);
  return { code, out: stdout, err: stderr };
}

/** Runs a command, expects success, and returns its output. */
async function succeeds(access: Access, ...argv: string[]): Promise<string> {
  const { code, out, err } = await run(access, ...argv);
  expect({ code, err }).toEqual({ code: 0, err: expect.any(String) });
  return out;
}

/** Triggers an event on a new transaction, and returns its id. */
async function trigger(access: Access, event: string, ...options: string[]): Promise<string> {
  return JSON.parse(await succeeds(access, 'trigger', event, '--json', ...options)).transaction_id;
}

const jsonLines = (text: string) => text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));

async function call({ url, key }: Access, path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(url + path, {
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  });
  return response.json();
}

/** Runs a command until `stop`, and collects the lines that it prints to either stream. */
function follow(command: (output: Parameters<typeof logs>[2]) => Promise<void>) {
  const stopping = new AbortController();
  const lines: string[] = [];
  const toStdout: string[] = [];
  const waiting = new Set<() => void>();
  const print = (text: string) => {
    lines.push(...text.trimEnd().split('\n'));
    for (const check of waiting) check();
  };
  const out = (text: string) => {
    toStdout.push(text);
    print(text);
  };
  const ended = command({ terminal: { out, err: print }, signal: stopping.signal });
  /** Resolves with the first line that matches. */
  const line = (pattern: RegExp) =>
    new Promise<string>((resolve) => {
      const check = () => {
        const found = lines.find((one) => pattern.test(one));
        if (found !== undefined && waiting.delete(check)) resolve(found);
      };
      waiting.add(check);
      check();
    });
  const stop = () => {
    stopping.abort();
    return ended;
  };
  return { line, toStdout, stop };
}

describe('trigger', () => {
  it.each([...GOALS])('runs %s on a new transaction', async (name, { status }) => {
    const out = await succeeds(gateway, 'trigger', name, '--callback-url', gateway.webhooks.url);
    expect(out).toMatch(new RegExp(`^${name}  (pay|out)_\\w+  ${status}\n$`));
    const [, transactionId = ''] = out.split('  ');
    expect((await gateway.webhooks.next(status, { transactionId })).body).toMatchObject({ status });
  });

  it("adds a payout's missing funds to the wallet, and none if they suffice", async () => {
    // Payments of the other tests can settle during this one.
    const own = await start();
    const { currency, amount } = requestExamples.createPayout['imps-inr'].body;
    const leftOf = async (available: number) => {
      await own.wallets.drain(currency);
      if (available > 0) await own.wallets.fund(currency, available);
      await trigger(own, 'payoutSucceeded');
      const { balances } = (await call(own, '/merchant/balance')) as Balance;
      return balances.find((one) => one.currency === currency)?.available;
    };
    expect([await leftOf(0), await leftOf(amount - 1), await leftOf(amount + 5)]).toEqual([0, 0, 5]);
  });

  it('declines a given transaction with the reason, and then refuses an unreachable status', async () => {
    const id = await trigger(gateway, 'paymentConfirmationNeeded');
    await succeeds(gateway, 'trigger', 'paymentFailed', '--payment', id, '--reason', 'KYC_BLOCKED');
    expect((await gateway.payments.inspect(id)).resource).toMatchObject({ decline_reason: 'KYC_BLOCKED' });
    const { code, err } = await run(gateway, 'trigger', 'paymentSucceeded', '--payment', id);
    expect(code).toBe(1);
    expect(err).toContain(`${id} is FAILED with KYC_BLOCKED, from which no event leads to SUCCESS.`);
  });

  it("creates the transaction with the fields of --set, in the contract's types, from a suitable example", async () => {
    const set = ['--set', 'amount=25000', 'customer.name=Asha = Rao', '--set', 'customer.email='];
    const { request, resource } = await gateway.payments.inspect(await trigger(gateway, 'paymentSucceeded', ...set));
    expect(resource).toMatchObject({ amount: 25_000, status: 'SUCCESS' });
    expect(request?.['customer']).toEqual({ id: 'manual', name: 'Asha = Rao', phone: expect.any(String) });
    const payout = await gateway.payouts.inspect(await trigger(gateway, 'payoutSucceeded', '--set', 'currency=DZD'));
    expect(payout.request).toMatchObject({ payment_method_type: 'WALLET_DZ', currency: 'DZD' });
  });
});

it.each([
  [['trigger', 'paymentSucceded'], 2, /Event not found: paymentSucceded. Did you mean paymentSucceeded\?/],
  [['trigger', 'paymentFailed', '--set', 'amout=3'], 2, /amout is not a known field. Did you mean amount\?/],
  [['trigger', 'paymentFailed', '--url', 'ftp://x'], 2, /The URL is 'ftp:\/\/x'/],
  [['trigger', 'paymentFailed', '--url', 'http://127.0.0.1:1'], 1, /Can't reach a gateway at http:\/\/127.0.0.1:1/],
  [['listen', '--forward-to', 'my app'], 2, /--forward-to is 'my app'. .*such as localhost:3000\/webhooks, or a port/],
  [['listen', '--forward-to', '3000', '3001'], 2, /has two addresses for every event. Keep one, or write EVENT=URL/],
  [['logs', '--status', '4xy'], 2, /statuses such as 404 or 4xx/],
  [['logs', '--since', 'yesterday'], 2, /a duration such as 15m or 2h, or a time in UTC/],
  [['get', 'payments'], 2, /The path is 'payments'. It must begin with a slash, such as \/payments\/pay_1/],
  [['post', '/payments', 'amount'], 2, /'amount' is not a field. .*, after the path/],
  [['trigger', 'paymentFailed', '--payment', 'pay_1', '--set', 'amount=1'], 2, /Leave out --set or --payment/],
])('explains the mistake in %j', async (argv, code, message) => {
  const result = await run({ url: 'http://127.0.0.1:1', key: 'sk_test_x' }, ...argv);
  expect(result).toMatchObject({ code, err: expect.stringMatching(message) });
});

/** A gateway that can restart at the same address, with the same database. */
async function restartable() {
  const store = join(await temporaryFolder(), 'payments.db');
  let running = await start({ store });
  const { url, key } = running;
  const restart = async () => {
    await running.close();
    running = await start({ store, port: Number(new URL(url).port) });
  };
  return { url, key, restart };
}

describe('listen', () => {
  it('forwards each webhook, signed, and prints the response without its escape sequences', async () => {
    const receiver = await startReceiver((response) => response.writeHead(202).end('noted\x1b[2J'));
    const options = { forwardTo: [`${receiver.address}/hook`], events: ['paymentFailed'] };
    const { line, stop } = follow((output) => listen(gateway, options, output));
    await line(/^listening to/);
    await trigger(gateway, 'paymentFailed');
    await receiver.received(1);
    const [received] = receiver.requests;
    expect(received?.path).toBe('/hook');
    const event = await verifyWebhook({ body: '', headers: {}, ...received, secret: gateway.secret });
    expect(event.status).toBe('FAILED');
    expect(await line(/→/)).toMatch(/paymentFailed {2}→ 202 {2}\d+ ms {2}noted\\u001b\[2J$/);
    await stop();
  });

  it('forwards each event to its address, and names an event without one', async () => {
    const own = await start();
    const [failed, succeeded] = [await startReceiver(), await startReceiver((response) => response.end('noted'))];
    const forwardTo = [`paymentFailed=localhost:${failed.port}/hook?a=b`, `payoutSucceeded=${succeeded.port}`];
    const { line, toStdout, stop } = follow((output) => listen(own, { forwardTo }, { ...output, json: true }));
    await line(/^listening to .*, forwarding paymentFailed to \S+\?a=b, payoutSucceeded to \S+/);
    for (const event of ['paymentFailed', 'payoutFailed', 'payoutSucceeded']) {
      await trigger(own, event);
      await line(new RegExp(`"type":"forward".*"event":"${event}"`));
    }
    await stop();
    expect([failed, succeeded].map(({ requests }) => requests.map(({ path }) => path))).toEqual([['/hook?a=b'], ['/']]);
    const error = 'not forwarded: no --forward-to has an address for this event';
    expect(jsonLines(toStdout.join('')).slice(-3)).toMatchObject([
      { type: 'forward', event: 'payoutFailed', error },
      { type: 'webhook', event: 'payoutSucceeded', body: { status: 'SUCCESS' } },
      { type: 'forward', url: `http://localhost:${succeeded.port}/`, status: 200, response: 'noted' },
    ]);
  });

  it('continues after a restart, and shows the events since', async () => {
    const restarting = await restartable();
    const { line, toStdout, stop } = follow((output) => listen(restarting, {}, output));
    await line(/^listening to/);
    await restarting.restart();
    await line(/^the connection was lost; trying again in [\d.]+ s$/);
    const id = await trigger(restarting, 'paymentFailed');
    await line(new RegExp(`paymentFailed {2}${id}`));
    await stop();
    expect(toStdout.filter((text) => text.includes(id))).toHaveLength(1);
  });

  it('waits while the gateway responds with 429', async () => {
    const { url, close } = await listenOnLoopback(
      createServer((_request, response) => response.writeHead(429, { 'retry-after': '0' }).end('<html>busy</html>')),
    );
    afterwards(close);
    const { line, stop } = follow((output) => listen({ url, key: 'sk_test_any' }, {}, output));
    await line(/^the gateway responds with 429; trying again in 0.5 s$/);
    await stop();
  });
});

describe('post and get', () => {
  it("sends fields in the documents' types, and prints the response", async () => {
    const { callback_url: _, ...order } = requestExamples.createPayment['h2h-upi'].body;
    const fields = Object.entries({ ...order, customer: JSON.stringify(order.customer), merchant_order_id: 'cart-7' });
    const { code, out, err } = await run(
      ...([gateway, 'post', '/payments', ...fields.map(([name, value]) => `${name}=${value}`)] as const),
      ...['customer.id=manual', `callback_url=${gateway.webhooks.url}`],
    );
    expect({ code, err }).toEqual({ code: 0, err: '200\n' });
    const { transaction_id: id } = JSON.parse(out);
    await succeeds(gateway, 'post', `/sandbox/payments/${id}/ask-for-data`, 'items=name,phone');
    const found = await succeeds(gateway, 'get', '/payments', 'merchant_order_id=cart-7', '--json');
    expect(jsonLines(found)).toMatchObject([{ transaction_id: id, status: 'EXTRA_DATA_NEEDED' }]);
  });

  it('explain a refusal with its violations, and a path of the sandbox that does not exist', async () => {
    const { code, out, err } = await run(gateway, 'post', '/payments', 'amount=x');
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/^POST \/payments: 400, Correct the \d+ violations.*\n(.*\n)*\/amount must be an integer/);
    const unknown = await run(gateway, 'post', '/sandbox/payments/pay_1/refund');
    expect(unknown.err).toMatch(/Route not found: POST \/sandbox\/payments\/pay_1\/refund\. .*\/docs\/sandbox lists/);
  });

  it('report a wait of two seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    afterwards(async () => void vi.useRealTimers());
    const arrived = Promise.withResolvers<ServerResponse>();
    const { url, close } = await listenOnLoopback(createServer((_request, response) => arrived.resolve(response)));
    afterwards(close);
    const ran = run({ url, key: 'sk_test_any' }, 'get', '/payments');
    const response = await arrived.promise;
    vi.advanceTimersByTime(2_000);
    response.end('[]');
    expect((await ran).err).toBe(`Waiting for GET /payments at ${url} …\n200\n`);
  });
});

it('the commands of a group of the sandbox call its operations, whose first field needs no name', async () => {
  const own = await start();
  const { now: before } = await own.clock.read();
  const { now } = JSON.parse(await succeeds(own, 'clock', 'advance', '2h'));
  expect(Date.parse(now) - Date.parse(before)).toBeGreaterThanOrEqual(2 * 3_600_000);
  const added = JSON.parse(await succeeds(own, 'chaos', 'add', 'rate_limited', 'requests=3', 'retry_after=1'));
  expect((await own.chaos.list()).data).toEqual([expect.objectContaining({ id: added.id, fault: 'rate_limited' })]);
  await succeeds(own, 'chaos', 'remove', added.id);
  expect(JSON.parse(await succeeds(own, 'chaos', 'list'))).toEqual({ data: [] });
  await succeeds(own, 'put', '/sandbox/channels/payment/UPI_IN', 'condition=slow', 'delay=2s');
  const changed = { method: 'UPI_IN', condition: 'slow', delay_ms: 2_000 };
  expect((await own.channels.list()).data).toContainEqual(expect.objectContaining(changed));
  expect(await run(own, 'delete', '/sandbox/chaos')).toEqual({ code: 0, out: '', err: '204\n' });
});

describe('the requests of logs', () => {
  let logged: RunningGateway;
  /** Its requests differ in every filter. */
  beforeAll(async () => {
    logged = await start();
    await call(logged, '/merchant/balance');
    await call(logged, '/payments/pay_unknown');
    await call(logged, '/payments', { amount: '3' });
    await trigger(logged, 'paymentConfirmationNeeded');
  });

  it.each([
    ['--status', '4xx', ['GET /payments/pay_unknown', 'POST /payments']],
    ['--method', 'get', ['GET /merchant/balance', 'GET /payments/pay_unknown']],
    ['--path', '/*/pay_unknown', ['GET /payments/pay_unknown']],
    ['--operation', 'createPayment', ['POST /payments', 'POST /payments']],
    ['--last', '1', [expect.stringMatching(/^POST \/sandbox\/payments\/.*\/ask-for-confirmation$/)]],
    ['--transaction', 'pay_unknown', ['GET /payments/pay_unknown']],
    ['--since', '2099-01-01', []],
  ])('%s %s selects the requests', async (option, value, expected) => {
    const out = await succeeds(logged, 'logs', '--no-follow', '--json', option, value);
    expect(jsonLines(out).map(({ method, path }) => `${method} ${path}`)).toEqual(expected);
  });

  it('shows the invalid part of a refused request', async () => {
    const out = await succeeds(logged, 'logs', '--no-follow', '--status', '400');
    expect(out).toMatch(/400 {2}POST +\/payments .*\n +Correct the \d violations and send the request again\.\n/);
    expect(out).toMatch(/^ +body \/amount must be an integer, without decimals$/m);
  });

  it('follows the filtered requests through a restart, and prints each once', async () => {
    const restarting = await restartable();
    await call(restarting, '/payments/pay_before');
    const { line, toStdout, stop } = follow((output) =>
      logs(restarting, { status: ['404'] }, { ...output, json: true }),
    );
    await line(/pay_before/);
    await call(restarting, '/payments/pay_followed');
    await line(/pay_followed/);
    await restarting.restart();
    await call(restarting, '/merchant/balance');
    await call(restarting, '/payments/pay_after');
    await line(/^connected to .* again$/);
    await line(/pay_after/);
    await stop();
    const paths = jsonLines(toStdout.join('')).map(({ path }) => path);
    expect(paths).toEqual(['/payments/pay_before', '/payments/pay_followed', '/payments/pay_after']);
  });
});

it('resend sends an event again, and lists the events of a given transaction', async () => {
  const id = await trigger(gateway, 'paymentFailed', '--callback-url', gateway.webhooks.url);
  const first = await gateway.webhooks.next('FAILED', { transactionId: id });
  const event = first.headers['webhook-id'] ?? '';
  const out = await succeeds(gateway, 'resend', event);
  expect(out).toBe(`paymentFailed  ${id}  ${event}  → ${gateway.webhooks.url}\n`);
  expect((await gateway.webhooks.next('FAILED', { transactionId: id })).headers['webhook-id']).toBe(event);
  const { code, err } = await run(gateway, 'resend', id);
  expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(/is a transaction.*\n {2}evt_\w+ .*FAILED/) });
  expect((await run(gateway, 'resend', 'evt_unknown')).code).toBe(1);
});

it('console prints only a sign-in link to stdout, to the given page', async () => {
  const { code, out, err } = await run(gateway, 'console', 'pay_01M89HY7NT00074ZB1MZNB1FG4');
  expect({ code, err }).toEqual({ code: 0, err: expect.stringMatching(/^This link works once, until /) });
  expect(new URL(out.trim()).hash).toBe('#/payments/pay_01M89HY7NT00074ZB1MZNB1FG4');
});
