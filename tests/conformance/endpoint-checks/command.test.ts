import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addReceiverCommand } from '../../../conformance/src/endpoint-checks/command.ts';
import { CommandLine, runCommand } from '../../../contract/src/cli.ts';
import { afterwards } from '../../gateway/harness.ts';
import { collect } from '../../tools/collect.ts';
import { temporaryFolder } from '../../tools/temporary.ts';
import { byHand, type Endpoint, listen, SECRET } from './servers.ts';

/** Runs `payments-conformance receiver` with the arguments. */
async function command(...args: string[]) {
  const { code, stdout, stderr } = await collect((terminal) => {
    const program = new CommandLine('payments-conformance', terminal);
    addReceiverCommand(program);
    return runCommand(program, ['receiver', ...args]);
  });
  return { code, out: stdout, err: stderr };
}

async function readUrl(endpoint: Endpoint): Promise<string> {
  const server = await listen(endpoint);
  afterwards(server.close);
  return server.url;
}

const FEW = ['--only', 'receiver/accepts/event-paymentSucceeded,receiver/rejects/altered-body'];

describe('payments-conformance receiver', () => {
  it('exits with 0 and counts the checks if the endpoint conforms', async () => {
    const { code, out } = await command(await readUrl(byHand()), '--secret', SECRET, ...FEW);
    expect([code, out]).toEqual([0, expect.stringMatching(/^2 checks: 2 conforming\n\n\S+ conforms\.\n$/)]);
  });

  it('exits with 1, and shows each failed delivery with its flaw', async () => {
    const url = await readUrl(() => 204);
    const { code, out } = await command(url, '--secret', SECRET, ...FEW);
    expect(code).toBe(1);
    expect(out).toMatch(/^1\. violating {2}receiver\/rejects\/altered-body\n/);
    expect(out).toContain('One byte of the body was changed.\n');
    expect(out).toMatch(/\n {3}expected {2}4xx\n {3}found {5}204\n {3}clause {4}source 5: \w/);
    expect(out).toMatch(/ {3}\$ curl -i -H 'content-type: application\/json' -H 'webhook-id: evt_kit_/);
    expect(out).toContain(`\n2 checks: 1 conforming; 1 violating\n\n${url} doesn't conform.\n`);
  });

  it('judges broken assumptions by the profile, as verify does', async () => {
    const url = await readUrl(byHand({ isTimely: () => true }));
    const only = ['--secret', SECRET, '--only', 'receiver/rejects/stale,receiver/rejects/altered-body'];
    const whole = await command(url, ...only);
    expect([whole.code, whole.out]).toEqual([
      1,
      expect.stringMatching(/^1\. violating, assumed {2}receiver\/rejects\/stale\n/),
    ]);
    const source = await command(url, ...only, '--profile', 'source');
    expect([source.code, source.out]).toEqual([0, expect.stringMatching(/^1\. differs, doesn't fail the run /)]);
    expect(source.out).toContain('1 conforming');
  });

  it('exits with 3 if no check is violated and one is not reached', async () => {
    const url = await readUrl(() => 401);
    const { code, out } = await command(url, '--secret', SECRET, '--only', 'receiver/rejects/stale');
    expect([code, out]).toEqual([3, expect.stringContaining(`It is not shown that ${url} conforms.`)]);
  });

  it('sends headers and an order that the endpoint knows', async () => {
    const seen = new Set<string>();
    const url = await readUrl(({ headers, body }) => {
      seen.add(`${headers['x-tunnel']} ${JSON.parse(body).merchant_order_id}`);
      return 204;
    });
    const only = ['--only', 'receiver/accepts/duplicate'];
    await command(url, '--secret', SECRET, '--header', 'X-Tunnel: open', '--order', 'order-7', ...only);
    expect([...seen]).toEqual(['open order-7']);
  });

  it('writes the results as JSON', async () => {
    const file = join(await temporaryFolder('receiver'), 'receiver.json');
    const url = await readUrl(byHand());
    await command(url, '--secret', SECRET, '--json', file, ...FEW);
    const report = JSON.parse(await readFile(file, 'utf8'));
    expect(report).toMatchObject({
      url,
      outcome: 'conforms',
      exitCode: 0,
      results: [{ verdict: 'conforming' }, { clause: { rests: 'source 5' } }],
    });
  });

  it.each([
    ['without a secret', [], 'The signing secret is missing. Set --secret whsec_… or WEBHOOK_SECRET.'],
    ['with an API key for a secret', ['--secret', 'sk_test_1'], 'The secret is not a signing secret.'],
    ['with an unknown check', ['--secret', SECRET, '--only', 'receiver/rejets'], "'receiver/rejets' selects no check."],
    ['with a header without a value', ['--secret', SECRET, '--header', 'x'], "Use the form 'Name: value'"],
  ])('exits with 2 %s', async (_name, args, message) => {
    const { code, err } = await command('http://127.0.0.1:9/webhooks', ...args);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
    expect(err).not.toContain('sk_test_1');
  });

  it('exits with 2 if the URL is none', async () => {
    const { code, err } = await command('127.0.0.1:3000', '--secret', SECRET);
    expect([code, err]).toEqual([2, expect.stringContaining("'127.0.0.1:3000' is not the URL of an endpoint.")]);
  });

  it('exits with 1 if the endpoint is down', async () => {
    const server = await listen(byHand());
    await server.close();
    const { code, err } = await command(server.url, '--secret', SECRET);
    expect([code, err]).toEqual([
      1,
      `No response from ${server.url}: nothing listens there. Is the endpoint running there?\n`,
    ]);
  });
});
