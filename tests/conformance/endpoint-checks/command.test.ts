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

async function urlOf(endpoint: Endpoint): Promise<string> {
  const server = await listen(endpoint);
  afterwards(server.close);
  return server.url;
}

const FEW = ['--only', 'receiver/accepts/event-paymentSucceeded,receiver/rejects/altered-body'];

describe('payments-conformance receiver', () => {
  it('exits with 0 and counts the checks if the endpoint conforms', async () => {
    const { code, out } = await command(await urlOf(byHand()), '--secret', SECRET, ...FEW);
    expect([code, out]).toEqual([0, '2 checks: 2 conforming\n']);
  });

  it('exits with 1 and shows what was sent, and why it is wrong, if it does not', async () => {
    const url = await urlOf(() => 204);
    const { code, out } = await command(url, '--secret', SECRET, ...FEW);
    expect(code).toBe(1);
    expect(out).toContain('violating  receiver/rejects/altered-body\n');
    expect(out).toContain('One byte of the body was changed.');
    expect(out).toContain('status: expected 4xx, found 204');
    expect(out).toContain('Rests on source 5, /components/parameters/BrandSignature');
    expect(out).toMatch(/ {2}curl -i -H 'content-type: application\/json' -H 'webhook-id: evt_kit_/);
    expect(out).toMatch(/\n2 checks: 1 conforming; 1 violating\n$/);
  });

  it('says what to correct first if no valid event is accepted', async () => {
    const { code, out } = await command(await urlOf(() => 404), '--secret', SECRET, ...FEW);
    expect(code).toBe(1);
    expect(out).toContain('expected any 2xx, found 404');
    expect(out).toContain('not reached  1 check\n  the endpoint accepts no valid event');
  });

  it('sends headers and an order that the endpoint knows', async () => {
    const seen = new Set<string>();
    const url = await urlOf(({ headers, body }) => {
      seen.add(`${headers['x-tunnel']} ${JSON.parse(body).merchant_order_id}`);
      return 204;
    });
    const only = ['--only', 'receiver/accepts/duplicate'];
    await command(url, '--secret', SECRET, '--header', 'X-Tunnel: open', '--order', 'order-7', ...only);
    expect([...seen]).toEqual(['open order-7']);
  });

  it('writes the results as JSON', async () => {
    const file = join(await temporaryFolder('receiver'), 'receiver.json');
    const url = await urlOf(byHand());
    await command(url, '--secret', SECRET, '--json', file, ...FEW);
    const report = JSON.parse(await readFile(file, 'utf8'));
    expect(report).toMatchObject({ url, results: [{ verdict: 'conforming' }, { clause: { rests: 'source 5' } }] });
  });

  it.each([
    ['without a secret', [], 'The signing secret is missing. Set --secret whsec_… or WEBHOOK_SECRET.'],
    ['with an API key for a secret', ['--secret', 'sk_test_1'], 'The secret is not a signing secret.'],
    ['with an unknown check', ['--secret', SECRET, '--only', 'receiver/rejets'], "'receiver/rejets' selects no check."],
    ['with a header that has no value', ['--secret', SECRET, '--header', 'x'], "Use the form 'Name: value'"],
  ])('exits with 2 %s', async (_name, args, message) => {
    const { code, err } = await command('http://127.0.0.1:9/webhooks', ...args);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
    expect(err).not.toContain('sk_test_1');
  });

  it('exits with 2 if the URL is none', async () => {
    const { code, err } = await command('127.0.0.1:3000', '--secret', SECRET);
    expect([code, err]).toEqual([2, expect.stringContaining("'127.0.0.1:3000' is not the URL of an endpoint.")]);
  });

  it('exits with 1 if nothing listens', async () => {
    const server = await listen(byHand());
    await server.close();
    const { code, err } = await command(server.url, '--secret', SECRET);
    expect([code, err]).toEqual([
      1,
      `No response from ${server.url}: nothing listens there. Is the endpoint running there?\n`,
    ]);
  });
});
