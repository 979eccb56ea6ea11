import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startShop } from '../../client/examples/running-shop.ts';
import { afterwards } from '../../gateway/harness.ts';
import { temporaryFolder } from '../../tools/temporary.ts';
import { runKit } from '../kit.ts';
import { byHand, type Endpoint, listen, SECRET } from './servers.ts';

const GIVEN = ['--secret', SECRET];
const DOWN = 'http://127.0.0.1:9/webhooks';
const FEW = ['--only', 'receiver/accepts/event-paymentSucceeded,receiver/rejects/altered-body'];

async function verify(endpoint: Endpoint, ...flags: string[]) {
  const { url, close } = await listen(endpoint);
  afterwards(close);
  return runKit('receiver', url, ...GIVEN, ...flags);
}

it("the client's example shop conforms", async () => {
  const { url, secret } = await startShop();
  const { code, stdout } = await runKit('receiver', `${url}/webhooks/payments`, '--secret', secret);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/ conforms\.\n$/)]);
});

describe('payments-conformance receiver', () => {
  it('exits with 0, and writes the results as JSON, if the endpoint conforms', async () => {
    const file = join(await temporaryFolder('receiver'), 'receiver.json');
    const { code, stdout } = await verify(byHand(), '--json', file, ...FEW);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^2 checks: 2 conforming\n\n\S+ conforms\.\n$/)]);
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({
      ...{ outcome: 'conforms', exitCode: 0 },
      results: [{ verdict: 'conforming' }, { clause: { rests: 'source 5' } }],
    });
  });

  it('exits with 1, and shows each failed delivery with its flaw', async () => {
    const { code, stdout } = await verify(() => 204, ...FEW);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^1\. violating {2}receiver\/rejects\/altered-body\n/);
    expect(stdout).toContain('One byte of the body was changed.\n');
    expect(stdout).toMatch(/\n {3}expected {2}4xx\n {3}found {5}204\n {3}clause {4}source 5: \w/);
    expect(stdout).toMatch(/ {3}\$ curl -i -H 'content-type: application\/json' -H 'webhook-id: evt_kit_/);
    expect(stdout).toMatch(/\n2 checks: 1 conforming; 1 violating\n\n\S+ doesn't conform\.\n$/);
  });

  it.each([
    ['document', 1, /^1\. violating, assumed {2}receiver\/rejects\/stale\n/],
    ['source', 0, /^1\. differs, doesn't fail the run /],
  ])('exits under the profile %s with %i if the endpoint breaks an assumption', async (profile, exitCode, first) => {
    const only = 'receiver/rejects/stale,receiver/rejects/altered-body';
    const { code, stdout } = await verify(byHand({ isTimely: () => true }), '--only', only, '--profile', profile);
    expect([code, stdout]).toEqual([exitCode, expect.stringMatching(first)]);
  });

  it('exits with 3 if no check is violated and one is not reached', async () => {
    const { code, stdout } = await verify(() => 401, '--only', 'receiver/rejects/stale');
    expect([code, stdout]).toEqual([3, expect.stringMatching(/It is not shown that \S+ conforms\./)]);
  });

  it('sends headers and an order that the endpoint knows', async () => {
    const seen = new Set<string>();
    const endpoint: Endpoint = ({ headers, body }) => {
      seen.add(`${headers['x-tunnel']} ${JSON.parse(body).merchant_order_id}`);
      return 204;
    };
    const only = ['--only', 'receiver/accepts/duplicate'];
    await verify(endpoint, '--header', 'X-Tunnel: open', '--order', 'order-7', ...only);
    expect([...seen]).toEqual(['open order-7']);
  });

  it.each([
    [2, 'without a secret', DOWN, [], 'The signing secret is missing. Set --secret whsec_… or WEBHOOK_SECRET.'],
    [2, 'with an API key for a secret', DOWN, ['--secret', 'sk_test_1'], 'The secret is not a signing secret.'],
    [2, 'with an unknown check', DOWN, [...GIVEN, '--only', 'receiver/rejets'], "'receiver/rejets' selects no check."],
    [2, 'for an invalid URL', '127.0.0.1:3000', GIVEN, 'is not the URL of an endpoint.'],
    [1, 'if the endpoint is down', DOWN, GIVEN, 'nothing listens there. Is the endpoint running there?'],
  ])('exits with %i %s', async (exitCode, _title, url, flags, message) => {
    const { code, stderr } = await runKit('receiver', url, ...flags);
    expect([code, stderr]).toEqual([exitCode, expect.stringContaining(message)]);
    expect(stderr).not.toContain('sk_test_1');
  });
});
