/** The client commands, against a gateway in this process. */

import { createServer } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import { verifyWebhook } from '../../../client/src/webhooks.ts';
import { listen } from '../../../gateway/src/commands/client/listen.ts';
import { logs } from '../../../gateway/src/commands/client/logs.ts';
import { GOALS } from '../../../gateway/src/commands/client/trigger.ts';
import type { RunningGateway } from '../../../gateway/src/index.ts';
import { requestExamples } from '../../../generated/examples.ts';
import type { Balance } from '../../../generated/types.ts';
import { listenOnLoopback } from '../../tools/loopback.ts';
import { afterwards } from '../harness/afterwards.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import { following, runClient as run, started } from './client-commands.ts';

describe('trigger', () => {
  let gateway: RunningGateway;
  beforeAll(async () => {
    gateway = await started();
  });

  it.each([...GOALS])('runs %s on a new transaction', async (name, { status }) => {
    const { code, out } = await run(gateway, 'trigger', name, '--callback-url', gateway.webhooks.url);
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringMatching(new RegExp(`^${name}  (pay|out)_\\w+  ${status}\n$`)),
    });
    const [, transactionId = ''] = out.split('  ');
    expect((await gateway.webhooks.next(status, { transactionId })).body).toMatchObject({ status });
  });

  it("adds a payout's missing funds to the wallet, and none if they suffice", async () => {
    // Payments of the other tests can settle during this one.
    const own = await started();
    const { currency, amount } = requestExamples.createPayout['imps-inr'].body;
    const leftOf = async (available: number) => {
      await own.wallets.drain(currency);
      if (available > 0) await own.wallets.fund(currency, available);
      expect(await run(own, 'trigger', 'payoutSucceeded')).toMatchObject({ code: 0 });
      const headers = { authorization: `Bearer ${own.key}` };
      const response = await fetch(`${own.url}/merchant/balance`, { headers });
      const { balances } = (await response.json()) as Balance;
      return balances.find((one) => one.currency === currency)?.available;
    };
    expect(await leftOf(0)).toBe(0);
    expect(await leftOf(amount - 1)).toBe(0);
    expect(await leftOf(amount + 5)).toBe(5);
  });

  it('declines a given transaction with the reason', async () => {
    const { out } = await run(gateway, 'trigger', 'paymentConfirmationNeeded');
    const [, id = ''] = out.split('  ');
    const { code } = await run(gateway, 'trigger', 'paymentFailed', '--payment', id, '--reason', 'KYC_BLOCKED');
    expect(code).toBe(0);
    expect((await gateway.payments.inspect(id)).resource).toMatchObject({ decline_reason: 'KYC_BLOCKED' });
  });

  it('refuses an unreachable status', async () => {
    const { out } = await run(gateway, 'trigger', 'paymentSucceeded');
    const [, id = ''] = out.split('  ');
    const { code, err } = await run(gateway, 'trigger', 'paymentFailed', '--payment', id);
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringContaining(`${id} is SUCCESS, from which no event leads to FAILED.`),
    });
  });

  it('names the path of the sandbox that does not exist', async () => {
    const { code, err } = await run(await started(), 'post', '/sandbox/payments/pay_1/refund');
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringMatching(/Route not found: POST \/sandbox\/payments\/pay_1\/refund\. .*\/docs\/sandbox lists/),
    });
  });

  it.each([
    [['trigger', 'paymentSucceded'], 2, /Event not found: paymentSucceded. Did you mean paymentSucceeded\?/],
    [['logs', '--opration', 'createPayment'], 2, /Unknown option '--opration'\s+\(Did you mean --operation\?\)/],
    [['trigger', 'paymentFailed', '--url', 'ftp://x'], 2, /The URL is 'ftp:\/\/x'/],
    [['trigger', 'paymentFailed', '--url', 'http://127.0.0.1:1'], 1, /Can't reach a gateway at http:\/\/127.0.0.1:1/],
    [['listen', '--events', 'paymentFinished'], 2, /'paymentFinished' is not one of/],
    [
      ['listen', '--forward-to', 'my app'],
      2,
      /--forward-to is 'my app'. .*such as localhost:3000\/webhooks, or a port of/,
    ],
    [['listen', '--forward-to', 'http://me:word@localhost/hook'], 2, /--forward-to is '.*'. It must be/],
    [
      ['listen', '--forward-to', 'paymentFaild=3000'],
      2,
      /The event of --forward-to is 'paymentFaild'. It must be one of paymentExtraDataNeeded, .* Did you mean paymentFailed\?/,
    ],
    [['listen', '--forward-to', '3000', '3001'], 2, /has two addresses for every event. Keep one, or write EVENT=URL/],
    [['logs', '--last', '1000'], 2, /an integer from 0 to 200/],
    [['logs', '--status', '4xy'], 2, /statuses such as 404 or 4xx/],
    [['logs', '--operation', 'createPaymnt'], 2, /must be an operationId.* Did you mean createPayment\?/],
    [['logs', '--since', 'yesterday'], 2, /a duration such as 15m or 2h, or a time in UTC/],
    [['get', 'payments'], 2, /The path is 'payments'. It must begin with a slash, such as \/payments\/pay_1/],
    [['post', '/payments', 'amount'], 2, /'amount' is not a field. .*, after the path/],
    [['console', 'paymets'], 2, /The console has no page paymets. Did you mean payments\?/],
    [['trigger', '--set', 'amount=1', 'paymentFailed'], 2, /'paymentFailed' is not a field. .*after the event/],
    [['trigger', 'paymentFailed', '--payment', 'pay_1', '--set', 'amount=1'], 2, /Leave out --set or --payment/],
  ])('explains the mistake in %j', async (argv, code, message) => {
    const result = await run({ url: 'http://127.0.0.1:1', key: 'sk_test_x' }, ...argv);
    expect(result).toMatchObject({ code, err: expect.stringMatching(message) });
  });
});

describe('listen', () => {
  it('forwards each webhook, signed, and prints the response without its escape sequences', async () => {
    const gateway = await started();
    const receiver = await startReceiver((response) => response.writeHead(202).end('noted\x1b[2J'));
    const follow = following();
    const listening = listen(gateway, { forwardTo: [`${receiver.address}/hook`], events: ['paymentFailed'] }, follow);
    await follow.line(/^listening to/);
    await run(gateway, 'trigger', 'paymentFailed');
    await receiver.received(1);
    const [received] = receiver.requests;
    expect(received?.path).toBe('/hook');
    const event = await verifyWebhook({ body: '', headers: {}, ...received, secret: gateway.secret });
    expect(event.status).toBe('FAILED');
    expect(await follow.line(/→/)).toMatch(/paymentFailed {2}→ 202 {2}\d+ ms {2}noted\\u001b\[2J$/);
    follow.stop();
    await listening;
  });

  it('forwards each event to its address, and names an event without one', async () => {
    const gateway = await started();
    const [failed, succeeded] = [await startReceiver(), await startReceiver()];
    const follow = following();
    const forwardTo = [`paymentFailed=localhost:${failed.port}/hook?a=b`, `payoutSucceeded=${succeeded.port}`];
    const listening = listen(gateway, { forwardTo }, { ...follow, json: true });
    await follow.line(/^listening to .*, forwarding paymentFailed to \S+\?a=b, payoutSucceeded to \S+/);
    for (const event of ['paymentFailed', 'payoutSucceeded', 'payoutFailed']) {
      await run(gateway, 'trigger', event);
      await follow.line(new RegExp(`"type":"forward".*"event":"${event}"`));
    }
    follow.stop();
    await listening;
    expect([failed, succeeded].map(({ requests }) => requests.map(({ path }) => path))).toEqual([['/hook?a=b'], ['/']]);
    expect(jsonLines(follow.toStdout.join('')).at(-1)).toMatchObject({
      event: 'payoutFailed',
      error: 'not forwarded: no --forward-to has an address for this event',
    });
  });
});

/** Runs a command, expects success, and returns its output. */
async function succeeds(gateway: RunningGateway, ...argv: string[]): Promise<string> {
  const { code, out, err } = await run(gateway, ...argv);
  expect({ code, err }).toEqual({ code: 0, err: expect.any(String) });
  return out;
}

const jsonLines = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

async function send(gateway: RunningGateway, path: string, body?: unknown): Promise<void> {
  await fetch(gateway.url + path, {
    headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  });
}

describe('trigger --set', () => {
  it("creates the transaction with the fields, in the contract's types", async () => {
    const gateway = await started();
    const set = ['--set', 'amount=25000', 'customer.name=Asha = Rao', '--set', 'customer.email='];
    const { transaction_id: id } = JSON.parse(await succeeds(gateway, 'trigger', 'paymentSucceeded', '--json', ...set));
    const { request, resource } = await gateway.payments.inspect(id);
    expect(resource).toMatchObject({ amount: 25_000, status: 'SUCCESS' });
    expect(request?.['customer']).toEqual({ id: 'manual', name: 'Asha = Rao', phone: expect.any(String) });
  });

  it.each([
    ['paymentSucceeded', 'currency=EGP', { payment_method_type: 'WALLET_EG', currency: 'EGP' }],
    ['paymentFailed', 'payment_method_type=WALLET_MA', { payment_method_type: 'WALLET_MA', currency: 'MAD' }],
    ['payoutSucceeded', 'currency=DZD', { payment_method_type: 'WALLET_DZ', currency: 'DZD' }],
  ])('of %s with %s starts from a suitable example', async (event, field, expected) => {
    const gateway = await started();
    const { transaction_id: id } = JSON.parse(await succeeds(gateway, 'trigger', event, '--json', '--set', field));
    const { request } = await (event.startsWith('payout') ? gateway.payouts : gateway.payments).inspect(id);
    expect(request).toMatchObject(expected);
  });

  it('names each invalid field', async () => {
    const fields = ['amout=3', 'amount=x', 'currency=USD', 'customer.phone=12', 'customer.phne=1', 'callback_url='];
    const { code, err } = await run(await started(), 'trigger', 'paymentFailed', '--set', ...fields);
    expect(code).toBe(2);
    expect(err.trimEnd().split('\n').toSorted()).toEqual([
      'amount must be an integer, without decimals',
      'amout is not a known field. Did you mean amount?',
      'callback_url is missing',
      'currency must be one of INR, EGP, MAD, DZD',
      'customer.phne is not a known field. Did you mean customer.phone?',
      expect.stringMatching(/^customer\.phone must be a phone number/),
    ]);
  });
});

describe('post and get', () => {
  it("sends fields in the documents' types, and prints the response", async () => {
    const gateway = await started();
    const { callback_url: _, ...order } = requestExamples.createPayment['h2h-upi'].body;
    const fields = Object.entries({ ...order, customer: JSON.stringify(order.customer), merchant_order_id: 'cart-7' });
    const { code, out, err } = await run(
      ...[gateway, 'post', '/payments', ...fields.map(([name, value]) => `${name}=${value}`)],
      ...['customer.id=manual', `callback_url=${gateway.webhooks.url}`],
    );
    expect({ code, err }).toEqual({ code: 0, err: '200\n' });
    const { transaction_id: id } = JSON.parse(out);
    await succeeds(gateway, 'post', `/sandbox/payments/${id}/ask-for-data`, 'items=name,phone');
    const found = await succeeds(gateway, 'get', '/payments', 'merchant_order_id=cart-7', '--json');
    expect(jsonLines(found)).toMatchObject([{ transaction_id: id, status: 'EXTRA_DATA_NEEDED' }]);
  });

  it('puts and deletes', async () => {
    const gateway = await started();
    await succeeds(gateway, 'put', '/sandbox/channels/payment/UPI_IN', 'condition=slow', 'delay=2s');
    expect((await gateway.channels.list()).data).toContainEqual(
      expect.objectContaining({ method: 'UPI_IN', condition: 'slow', delay_ms: 2_000 }),
    );
    await gateway.chaos.add({ fault: 'unavailable' });
    expect(await run(gateway, 'delete', '/sandbox/chaos')).toEqual({ code: 0, out: '', err: '204\n' });
    expect((await gateway.chaos.list()).data).toEqual([]);
  });

  it('explains a refusal with its violations', async () => {
    const { code, out, err } = await run(await started(), 'post', '/payments', 'amount=x');
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/^POST \/payments: 400, Correct the \d+ violations.*\n(.*\n)*\/amount must be an integer/);
  });
});

it('the commands of a group of the sandbox call its operations, whose first field needs no name', async () => {
  const gateway = await started();
  const { now: before } = await gateway.clock.read();
  const { now } = JSON.parse(await succeeds(gateway, 'clock', 'advance', '2h'));
  expect(Date.parse(now) - Date.parse(before)).toBeGreaterThanOrEqual(2 * 3_600_000);
  expect(JSON.parse(await succeeds(gateway, 'clock', 'set-signature-time', 'merchant'))).toMatchObject({
    signatures: 'merchant',
  });
  const added = JSON.parse(await succeeds(gateway, 'chaos', 'add', 'rate_limited', 'requests=3', 'retry_after=1'));
  expect((await gateway.chaos.list()).data).toEqual([expect.objectContaining({ id: added.id, fault: 'rate_limited' })]);
  await succeeds(gateway, 'chaos', 'remove', added.id);
  expect(JSON.parse(await succeeds(gateway, 'chaos', 'list'))).toEqual({ data: [] });
});

describe('the requests of logs', () => {
  let gateway: RunningGateway;
  /** Its requests differ in every filter. */
  beforeAll(async () => {
    gateway = await started();
    await send(gateway, '/merchant/balance');
    await send(gateway, '/payments/pay_unknown');
    await send(gateway, '/payments', { amount: '3' });
    await succeeds(gateway, 'trigger', 'paymentConfirmationNeeded');
  });

  it.each([
    ['--status', '404', ['GET /payments/pay_unknown']],
    ['--status', '4xx', ['GET /payments/pay_unknown', 'POST /payments']],
    ['--method', 'get', ['GET /merchant/balance', 'GET /payments/pay_unknown']],
    ['--path', '/*/pay_unknown', ['GET /payments/pay_unknown']],
    ['--path', '/merchant.', []],
    ['--operation', 'createPayment', ['POST /payments', 'POST /payments']],
    ['--last', '1', [expect.stringMatching(/^POST \/sandbox\/payments\/.*\/ask-for-confirmation$/)]],
    ['--since', '2099-01-01', []],
    ['--transaction', 'pay_unknown', ['GET /payments/pay_unknown']],
  ])('%s %s selects the requests', async (option, value, expected) => {
    const out = await succeeds(gateway, 'logs', '--no-follow', '--json', option, value);
    const found = out === '' ? [] : jsonLines(out).map(({ method, path }) => `${method} ${path}`);
    expect(found).toEqual(expected);
  });

  it('shows the invalid part of a refused request', async () => {
    const out = await succeeds(gateway, 'logs', '--no-follow', '--status', '400');
    expect(out).toMatch(/400 {2}POST +\/payments .*\n +Correct the \d violations and send the request again\.\n/);
    expect(out).toMatch(/^ +body \/amount must be an integer, without decimals$/m);
  });

  it('follows the filtered requests, and prints each once', async () => {
    const follow = following();
    const logging = logs(gateway, { status: ['404'] }, { ...follow, json: true });
    await follow.line(/pay_unknown/);
    await send(gateway, '/merchant/balance');
    await send(gateway, '/payments/pay_other');
    await follow.line(/pay_other/);
    follow.stop();
    await logging;
    expect(jsonLines(follow.toStdout.join('')).map(({ path }) => path)).toEqual([
      '/payments/pay_unknown',
      '/payments/pay_other',
    ]);
  });

  it("--since counts back from the merchant's current time", async () => {
    await gateway.clock.advance('2h');
    await send(gateway, '/payments/pay_later');
    const paths = async (since: string) =>
      jsonLines(await succeeds(gateway, 'logs', '--no-follow', '--json', '--since', since)).map(({ path }) => path);
    expect(await paths('1h')).toEqual(['/sandbox/clock/advance', '/payments/pay_later']);
    expect(await paths('3h')).toContain('/payments/pay_unknown');
  });
});

describe('resend', () => {
  it('resends an event, which listen forwards', async () => {
    const gateway = await started();
    await succeeds(gateway, 'trigger', 'paymentFailed', '--callback-url', gateway.webhooks.url);
    await gateway.webhooks.next('FAILED');
    const [event] = (await gateway.events.list()).data;
    const server = createServer((_request, response) => response.end('noted'));
    const { port, close } = await listenOnLoopback(server);
    afterwards(close);
    const follow = following();
    const listening = listen(gateway, { forwardTo: [String(port)] }, { ...follow, json: true });
    await follow.line(/^listening to/);
    const out = await succeeds(gateway, 'resend', event?.id ?? '');
    expect(out).toBe(`paymentFailed  ${event?.transaction_id}  ${event?.id}  → ${gateway.webhooks.url}\n`);
    expect((await gateway.webhooks.next('FAILED')).headers['webhook-id']).toBe(event?.id);
    await follow.line(/"type":"forward"/);
    follow.stop();
    await listening;
    expect(jsonLines(follow.toStdout.join(''))).toMatchObject([
      { type: 'webhook', id: event?.id, event: 'paymentFailed', body: { status: 'FAILED' } },
      { type: 'forward', id: event?.id, url: `http://localhost:${port}/`, status: 200, response: 'noted' },
    ]);
  });

  it('lists the events of a given transaction', async () => {
    const gateway = await started();
    const [, id = ''] = (await succeeds(gateway, 'trigger', 'paymentFailed')).split('  ');
    const { code, err } = await run(gateway, 'resend', id);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(/is a transaction.*\n {2}evt_\w+ .*FAILED/) });
    expect((await run(gateway, 'resend', 'evt_unknown')).code).toBe(1);
  });
});

it('console prints only a sign-in link to stdout, to the given page', async () => {
  const gateway = await started();
  for (const [page, fragment] of [
    [[], ''],
    [['requests'], '#/requests'],
    [['pay_01M89HY7NT00074ZB1MZNB1FG4'], '#/payments/pay_01M89HY7NT00074ZB1MZNB1FG4'],
  ] as const) {
    const { code, out, err } = await run(gateway, 'console', ...page);
    expect({ code, err }).toEqual({ code: 0, err: expect.stringMatching(/^This link works once, until /) });
    expect(new URL(out.trim()).hash).toBe(fragment);
  }
  expect(JSON.parse(await succeeds(gateway, 'console', '--json'))).toEqual({
    url: expect.stringContaining('/console/login/'),
    expires_at: expect.any(String),
  });
});
