/** Options of the client commands: fields of new transactions, filters of requests, JSON. */
import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { listen } from '../../../gateway/src/commands/client/listen.ts';
import { logs } from '../../../gateway/src/commands/client/logs.ts';
import { type RunningGateway, startGateway } from '../../../gateway/src/index.ts';
import { listenOnLoopback } from '../../tools/loopback.ts';
import { afterwards } from '../harness/afterwards.ts';
import { following, runClient as run, started } from './client-commands.ts';

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

  it.each(['paymentConfirmationNeeded', 'paymentFailed', 'payoutFailed'])(
    'moves the transaction of any customer to %s, and leaves the channel unchanged',
    async (event) => {
      const gateway = await started();
      await gateway.channels.set('payment', 'UPI_IN', 'slow', '2s');
      const before = await gateway.channels.list();
      await succeeds(gateway, 'trigger', event, '--set', 'customer.id=customer-9');
      expect(await gateway.channels.list()).toEqual(before);
    },
  );

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

  it('explains the refusal of the gateway, and a decline', async () => {
    const gateway = await started();
    const mistyped = await run(gateway, 'trigger', 'paymentFailed', '--set', 'customer.id=decline-BANK_REJECTD');
    expect(mistyped).toMatchObject({
      code: 1,
      err: expect.stringMatching(/\/customer\/id .*did you mean decline-BANK/),
    });
    const tooLittle = await run(gateway, 'trigger', 'paymentSucceeded', '--set', 'amount=1');
    expect(tooLittle).toMatchObject({
      code: 1,
      err: expect.stringMatching(/is FAILED with INVALID_AMOUNT, from which/),
    });
  });
});

describe('logs', () => {
  /** A gateway with requests that differ in every filter. */
  async function withRequests(): Promise<RunningGateway> {
    const gateway = await startGateway();
    afterwards(() => gateway.close());
    await send(gateway, '/merchant/balance');
    await send(gateway, '/payments/pay_unknown');
    await send(gateway, '/payments', { amount: '3' });
    await succeeds(gateway, 'trigger', 'paymentConfirmationNeeded');
    return gateway;
  }

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
    const out = await succeeds(await withRequests(), 'logs', '--no-follow', '--json', option, value);
    const found = out === '' ? [] : jsonLines(out).map(({ method, path }) => `${method} ${path}`);
    expect(found).toEqual(expected);
  });

  it("--since counts back from the merchant's current time", async () => {
    const gateway = await withRequests();
    await gateway.clock.advance('2h');
    await send(gateway, '/payments/pay_later');
    const paths = async (since: string) =>
      jsonLines(await succeeds(gateway, 'logs', '--no-follow', '--json', '--since', since)).map(({ path }) => path);
    expect(await paths('1h')).toEqual(['/sandbox/clock/advance', '/payments/pay_later']);
    expect(await paths('3h')).toContain('/payments/pay_unknown');
  });

  it('shows the invalid part of a refused request', async () => {
    const out = await succeeds(await withRequests(), 'logs', '--no-follow', '--status', '400');
    expect(out).toMatch(/400 {2}POST +\/payments .*\n +Correct the \d violations and send the request again\.\n/);
    expect(out).toMatch(/^ +body \/amount must be an integer, without decimals$/m);
  });

  it('follows the filtered requests, and prints each once', async () => {
    const gateway = await withRequests();
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
    const listening = listen(gateway, { forwardTo: String(port) }, { ...follow, json: true });
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

describe('console', () => {
  it.each([
    [[], ''],
    [['requests'], '#/requests'],
    [['pay_01M89HY7NT00074ZB1MZNB1FG4'], '#/payments/pay_01M89HY7NT00074ZB1MZNB1FG4'],
  ])('%j prints only a single-use sign-in link to stdout', async (page, fragment) => {
    const gateway = await started();
    const { code, out, err } = await run(gateway, 'console', ...page);
    expect({ code, err }).toEqual({ code: 0, err: expect.stringMatching(/^This link works once, until /) });
    const link = new URL(out.trim());
    expect(link.hash).toBe(fragment);
    const open = () => fetch(link, { redirect: 'manual' });
    expect((await open()).headers.get('set-cookie')).toMatch(/HttpOnly/);
    expect((await open()).headers.get('set-cookie')).toBeNull();
    expect(JSON.parse(await succeeds(gateway, 'console', '--json'))).toEqual({
      url: expect.stringContaining('/console/login/'),
      expires_at: expect.any(String),
    });
  });
});
