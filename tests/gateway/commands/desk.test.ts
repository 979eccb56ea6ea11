/** The commands at the desk, against a gateway in this process. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { verifyWebhook } from '../../../client/src/webhooks.ts';
import { listen } from '../../../gateway/src/commands/desk/listen.ts';
import { logs } from '../../../gateway/src/commands/desk/logs.ts';
import { GOALS } from '../../../gateway/src/commands/desk/trigger.ts';
import { runGateway } from '../../../gateway/src/commands/program.ts';
import { type RunningGateway, startGateway } from '../../../gateway/src/index.ts';
import { requestExamples } from '../../../generated/examples.ts';
import type { Balance } from '../../../generated/types.ts';
import { afterwards } from '../harness/afterwards.ts';

async function started(): Promise<RunningGateway> {
  const gateway = await startGateway();
  afterwards(() => gateway.close());
  return gateway;
}

/** Runs a command. Returns its exit code and what it printed. */
async function run({ url, key }: { url: string; key: string }, ...argv: string[]) {
  const printed = { out: '', err: '' };
  const print = (to: 'out' | 'err') => (text: string) => {
    printed[to] += text;
  };
  const terminal = { out: print('out'), err: print('err') };
  const code = await runGateway(argv, { env: { GATEWAY_URL: url, API_KEY: key }, terminal });
  return { code, ...printed };
}

/** Lines as they are printed, of a command that ends with the test. */
function following() {
  const stopping = new AbortController();
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  const print = (text: string) => {
    lines.push(...text.trimEnd().split('\n'));
    for (const look of waiting) look();
  };
  const line = (pattern: RegExp) =>
    new Promise<string>((resolve) => {
      const look = () => {
        const found = lines.find((one) => pattern.test(one));
        if (found !== undefined && waiting.delete(look)) resolve(found);
      };
      waiting.add(look);
      look();
    });
  return { line, stop: () => stopping.abort(), terminal: { out: print, err: print }, signal: stopping.signal };
}

describe('trigger', () => {
  it.each([...GOALS])('makes %s happen on a new transaction', async (name, { status }) => {
    const gateway = await started();
    const { code, out } = await run(gateway, 'trigger', name, '--callback-url', gateway.webhooks.url);
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringMatching(new RegExp(`^${name}  (pay|out)_\\w+  ${status}\n$`)),
    });
    const webhook = await gateway.webhooks.next(status);
    expect(out).toContain(webhook.body.transaction_id);
  });

  it('adds to the wallet what a payout lacks, and nothing if it lacks nothing', async () => {
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

  it('declines a transaction of yours with the reason', async () => {
    const gateway = await started();
    const { out } = await run(gateway, 'trigger', 'paymentConfirmationNeeded');
    const [, id = ''] = out.split('  ');
    const { code } = await run(gateway, 'trigger', 'paymentFailed', '--payment', id, '--reason', 'KYC_BLOCKED');
    expect(code).toBe(0);
    expect((await gateway.payments.inspect(id)).resource).toMatchObject({ decline_reason: 'KYC_BLOCKED' });
  });

  it('says what is legal where the transaction cannot get there', async () => {
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
    [['trigger', 'paymentFinished'], 2, /Event not found: paymentFinished. Use one of paymentExtraDataNeeded/],
    [['trigger', 'paymentFailed', '--url', 'ftp://x'], 2, /The URL is 'ftp:\/\/x'/],
    [['trigger', 'paymentFailed', '--url', 'http://127.0.0.1:1'], 1, /Can't reach a gateway at http:\/\/127.0.0.1:1/],
    [['listen', '--events', 'paymentFinished'], 2, /'paymentFinished' is not one of/],
    [['logs', '--last', '1000'], 2, /an integer from 0 to 200/],
  ])('of %j explains what is wrong', async (argv, code, message) => {
    const result = await run({ url: 'http://127.0.0.1:1', key: 'sk_test_x' }, ...argv);
    expect(result).toMatchObject({ code, err: expect.stringMatching(message) });
  });

  it('names the key that a gateway refuses', async () => {
    const { url } = await started();
    const { code, err } = await run({ url, key: 'sk_test_mine' }, 'trigger', 'paymentFailed');
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('refuses the key …mine of API_KEY') });
  });
});

describe('listen', () => {
  it('forwards each webhook with a signature that verifies, and prints the response', async () => {
    const gateway = await started();
    const received = Promise.withResolvers<unknown>();
    const server = createServer(async (request, response) => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of request) chunks.push(chunk as Uint8Array);
      const { headers } = request;
      received.resolve(await verifyWebhook({ body: Buffer.concat(chunks), headers, secret: gateway.secret }));
      response.writeHead(202).end('noted');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    afterwards(async () => void server.close());
    const forwardTo = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    const follow = following();
    const listening = listen(gateway, { forwardTo, events: ['paymentFailed'] }, follow);
    await follow.line(/^listening to/);
    await run(gateway, 'trigger', 'paymentFailed');
    expect(await received.promise).toMatchObject({ status: 'FAILED' });
    expect(await follow.line(/→/)).toMatch(/paymentFailed {2}→ 202 {2}\d+ ms {2}noted$/);
    follow.stop();
    await listening;
  });
});

describe('logs', () => {
  it('begins with past requests, and shows each new one', async () => {
    const gateway = await started();
    await run(gateway, 'trigger', 'paymentSucceeded');
    const follow = following();
    const logging = logs(gateway, {}, follow);
    await follow.line(/200 {2}POST +\/payments /);
    await fetch(`${gateway.url}/payments/pay_unknown`, { headers: { authorization: `Bearer ${gateway.key}` } });
    expect(await follow.line(/404/)).toMatch(/404 {2}GET +\/payments\/pay_unknown {2}[\d.]+ ms {2}req_/);
    follow.stop();
    await logging;
  });
});
