/** The client commands, against a gateway in this process. */
import { describe, expect, it } from 'vitest';
import { verifyWebhook } from '../../../client/src/webhooks.ts';
import { listen } from '../../../gateway/src/commands/client/listen.ts';
import { logs } from '../../../gateway/src/commands/client/logs.ts';
import { GOALS } from '../../../gateway/src/commands/client/trigger.ts';
import { requestExamples } from '../../../generated/examples.ts';
import type { Balance } from '../../../generated/types.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import { following, runClient as run, started } from './client-commands.ts';

describe('trigger', () => {
  it.each([...GOALS])('runs %s on a new transaction', async (name, { status }) => {
    const gateway = await started();
    const { code, out } = await run(gateway, 'trigger', name, '--callback-url', gateway.webhooks.url);
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringMatching(new RegExp(`^${name}  (pay|out)_\\w+  ${status}\n$`)),
    });
    const webhook = await gateway.webhooks.next(status);
    expect(out).toContain(webhook.body.transaction_id);
  });

  it("adds a payout's missing funds to the wallet, and none if they suffice", async () => {
    const gateway = await started();
    const { currency, amount } = requestExamples.createPayout['imps-inr'].body;
    const leftOf = async (available: number) => {
      await gateway.wallets.drain(currency);
      if (available > 0) await gateway.wallets.fund(currency, available);
      expect(await run(gateway, 'trigger', 'payoutSucceeded')).toMatchObject({ code: 0 });
      const headers = { authorization: `Bearer ${gateway.key}` };
      const response = await fetch(`${gateway.url}/merchant/balance`, { headers });
      const { balances } = (await response.json()) as Balance;
      return balances.find((one) => one.currency === currency)?.available;
    };
    expect(await leftOf(0)).toBe(0);
    expect(await leftOf(amount - 1)).toBe(0);
    expect(await leftOf(amount + 5)).toBe(5);
  });

  it('declines a given transaction with the reason', async () => {
    const gateway = await started();
    const { out } = await run(gateway, 'trigger', 'paymentConfirmationNeeded');
    const [, id = ''] = out.split('  ');
    const { code } = await run(gateway, 'trigger', 'paymentFailed', '--payment', id, '--reason', 'KYC_BLOCKED');
    expect(code).toBe(0);
    expect((await gateway.payments.inspect(id)).resource).toMatchObject({ decline_reason: 'KYC_BLOCKED' });
  });

  it('refuses an unreachable status', async () => {
    const gateway = await started();
    const { out } = await run(gateway, 'trigger', 'paymentSucceeded');
    const [, id = ''] = out.split('  ');
    const { code, err } = await run(gateway, 'trigger', 'paymentFailed', '--payment', id);
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringContaining(`${id} is SUCCESS, from which no event leads to FAILED.`),
    });
  });

  it.each([
    [['trigger', 'paymentFinished'], 2, /Event not found: paymentFinished. The events are paymentExtraDataNeeded/],
    [['trigger', 'paymentSucceded'], 2, /Event not found: paymentSucceded. Did you mean paymentSucceeded\?/],
    [['triger', 'paymentFailed'], 2, /Unknown command 'triger'\s+\(Did you mean trigger\?\)/],
    [['logs', '--opration', 'createPayment'], 2, /Unknown option '--opration'\s+\(Did you mean --operation\?\)/],
    [['trigger', 'paymentFailed', '--url', 'ftp://x'], 2, /The URL is 'ftp:\/\/x'/],
    [['trigger', 'paymentFailed', '--url', 'http://127.0.0.1:1'], 1, /Can't reach a gateway at http:\/\/127.0.0.1:1/],
    [['listen', '--events', 'paymentFinished'], 2, /'paymentFinished' is not one of/],
    [
      ['listen', '--forward-to', 'my app'],
      2,
      /--forward-to is 'my app'. .*such as localhost:3000\/webhooks, or a port of/,
    ],
    [['listen', '--forward-to', 'ftp://localhost/hook'], 2, /--forward-to is 'ftp:\/\/localhost\/hook'. It must be/],
    [['listen', '--forward-to', '70000'], 2, /--forward-to is '70000'. It must be/],
    [['listen', '--forward-to', 'http://me:word@localhost/hook'], 2, /--forward-to is '.*'. It must be/],
    [['listen', '--forward-to', ''], 2, /--forward-to is ''. It must be/],
    [['logs', '--last', '1000'], 2, /an integer from 0 to 200/],
    [['logs', '--status', '4xy'], 2, /statuses such as 404 or 4xx/],
    [['logs', '--method', 'PSOT'], 2, /'PSOT' is not one of .* Did you mean POST\?/],
    [['logs', '--operation', 'createPaymnt'], 2, /must be an operationId.* Did you mean createPayment\?/],
    [['logs', '--since', 'yesterday'], 2, /a duration such as 15m or 2h, or a time in UTC/],
    [['logs', '--since', '2026-02-30T99:00:00Z'], 2, /a duration such as 15m or 2h, or a time in UTC/],
    [['console', 'paymets'], 2, /The console has no page paymets. Did you mean payments\?/],
    [['trigger', '--set', 'amount=1', 'paymentFailed'], 2, /--set has 'paymentFailed'. .*after the event/],
    [['trigger', 'paymentFailed', '--payment', 'pay_1', '--set', 'amount=1'], 2, /Leave out --set or --payment/],
  ])('explains the mistake in %j', async (argv, code, message) => {
    const result = await run({ url: 'http://127.0.0.1:1', key: 'sk_test_x' }, ...argv);
    expect(result).toMatchObject({ code, err: expect.stringMatching(message) });
  });

  it('names the refused key', async () => {
    const { url } = await started();
    const { code, err } = await run({ url, key: 'sk_test_mine' }, 'trigger', 'paymentFailed');
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('refuses the key …mine of API_KEY') });
  });
});

describe('listen', () => {
  it.each([
    ['an address', (port: number) => `http://127.0.0.1:${port}/hook`, '/hook'],
    ['an address without http://', (port: number) => `localhost:${port}/hook`, '/hook'],
    ['a port', String, '/'],
  ])(
    'forwards each webhook to %s, signed, and prints the response without its escape sequences',
    async (_form, write, path) => {
      const gateway = await started();
      const receiver = await startReceiver((response) => response.writeHead(202).end('noted\x1b[2J'));
      const follow = following();
      const listening = listen(gateway, { forwardTo: write(receiver.port), events: ['paymentFailed'] }, follow);
      await follow.line(/^listening to/);
      await run(gateway, 'trigger', 'paymentFailed');
      await receiver.received(1);
      const [received] = receiver.requests;
      expect(received?.path).toBe(path);
      const event = await verifyWebhook({ body: '', headers: {}, ...received, secret: gateway.secret });
      expect(event.status).toBe('FAILED');
      expect(await follow.line(/→/)).toMatch(/paymentFailed {2}→ 202 {2}\d+ ms {2}noted\\u001b\[2J$/);
      follow.stop();
      await listening;
    },
  );

  it('says why a webhook could not be sent', async () => {
    const gateway = await started();
    const follow = following();
    // Web browsers and fetch refuse the ports of other protocols.
    const listening = listen(gateway, { forwardTo: 'localhost:6000' }, follow);
    await follow.line(/^listening to/);
    await run(gateway, 'trigger', 'paymentFailed');
    expect(await follow.line(/→/)).toMatch(/→ no response: bad port$/);
    follow.stop();
    await listening;
  });
});

describe('logs', () => {
  it('shows past requests, then each new one', async () => {
    const gateway = await started();
    await run(gateway, 'trigger', 'paymentSucceeded');
    const follow = following();
    const logging = logs(gateway, {}, follow);
    await follow.line(/200 {2}POST +\/payments /);
    await fetch(`${gateway.url}/payments/pay_unknown`, { headers: { authorization: `Bearer ${gateway.key}` } });
    expect(await follow.line(/ 404 /)).toMatch(/404 {2}GET +\/payments\/pay_unknown {2}[\d.]+ ms {2}req_/);
    follow.stop();
    await logging;
  });
});
