/** The gateway as a process: its printed commands work, confirmed writes survive a kill, and it stops gracefully. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeAll, describe, expect, it } from 'vitest';
import { DEMO_RECEIVER } from '../../../gateway/src/commands/demo.ts';
import * as examples from '../../../generated/examples.ts';
import { ROOT } from '../../../scripts/tools/process.ts';
import { afterTheFile } from '../harness/afterwards.ts';
import { temporaryFolder } from '../harness.ts';
import { eventually } from '../processes/gateways.ts';

interface Started {
  readonly child: ChildProcess;
  readonly url: string;
  readonly printed: string[];
  /** Lines of its log. */
  readonly logged: string[];
  /** The first printed or logged line that matches. */
  line(pattern: RegExp): Promise<string>;
}

/** Starts the sandbox without a command, with the examples, and waits until it has printed everything. */
async function start(file: string, port = '0'): Promise<Started> {
  const child = spawn(process.execPath, [join(ROOT, 'gateway/src/cli.ts'), '--port', port, '--examples'], {
    env: { ...process.env, DATABASE_FILE: file, DATABASE_URL: '', LOG_LEVEL: 'info', DRAIN_MS: '600000' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  afterTheFile(async () => child.kill('SIGKILL'));
  const [printed, logged]: [string[], string[]] = [[], []];
  createInterface({ input: child.stdout }).on('line', (line) => printed.push(line));
  createInterface({ input: child.stderr }).on('line', (line) => logged.push(line));
  const line = (pattern: RegExp) =>
    eventually(async () => [...printed, ...logged].find((one) => pattern.test(one)), 240_000);
  await line(/payment page/);
  const url = printed[0]?.match(/http:\S+/)?.[0] ?? '';
  return { child, url, printed, logged, line };
}

async function send(url: string, headers: Record<string, string>, body?: string): Promise<Record<string, unknown>> {
  const response = await fetch(url, { headers, ...(body !== undefined && { method: 'POST', body }) });
  return (await response.json()) as Record<string, unknown>;
}

/** Sends the request of the n-th printed curl. */
function call({ printed }: Started, index: number, id = ''): Promise<Record<string, unknown>> {
  const curls = [...printed.join('\n').matchAll(/^curl (\S+)(.*?)-d '([^']*)'$/gms)];
  const [, url = '', options = '', body = ''] = curls[index] ?? [];
  const headers = [...options.matchAll(/-H '([^:]+): ([^']+)'/g)].map(([, name = '', value = '']) => [name, value]);
  return send(url.replace('TRANSACTION_ID', id), Object.fromEntries(headers), body);
}

/** Reads the path, or posts the body to it. */
function read({ url, printed }: Started, path: string, body?: object): Promise<Record<string, unknown>> {
  const key = printed.find((line) => line.startsWith('API key'))?.split(/\s+/)[2];
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return send(url + path, headers, body && JSON.stringify(body));
}

describe('the sandbox', () => {
  let [file, id] = ['', ''];
  let first: Started;
  let second: Started | undefined;
  beforeAll(async () => {
    file = join(await temporaryFolder(), 'start.db');
    first = await start(file);
  });

  /** Kills the first process, and starts the next one at its address. */
  async function restart(): Promise<Started> {
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    return start(file, new URL(first.url).port);
  }

  it('prints working calls and verified webhooks', async () => {
    const created = await call(first, 0);
    expect(created).toMatchObject({ status: 'CREATED', merchant_order_id: 'first-order' });
    id = String(created['transaction_id']);
    await first.line(new RegExp(`PAY_CONFIRMATION_NEEDED +${id} +\\(signature verified\\)`));
    expect(await call(first, 1, id)).toMatchObject({ status: 'VERIFYING' });
    await first.line(new RegExp(`SUCCESS +${id} +\\(signature verified\\)`));
    const unsigned = { method: 'POST', body: JSON.stringify({ status: 'SUCCESS' }) };
    expect((await fetch(first.url + DEMO_RECEIVER, unsigned)).status).toBe(400);
  });

  it("prints a single-use link to the demo merchant's console, and logs no link, key or personal data", async () => {
    const link = (await first.line(/^console/)).match(/http:\S+/)?.[0] ?? '';
    const opened = await fetch(link, { redirect: 'manual' });
    expect(opened.status).toBe(303);
    const cookie = opened.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const caller = await fetch(`${first.url}/management/caller`, { headers: { cookie, 'x-console': '1' } });
    expect(await caller.json()).toMatchObject({ merchant: { name: 'Demo Shop' } });
    expect((await fetch(link, { redirect: 'manual' })).status).toBe(410);
    await call(first, 0);
    expect(JSON.parse(await first.line(/"createPayment"/))).toMatchObject({
      ...{ status: 200, request_id: expect.stringMatching(/^req_/) },
    });
    const logged = first.logged.join('\n');
    for (const secret of [link.split('/').at(-1), cookie.split('=')[1]]) expect(logged).not.toContain(secret);
    expect(logged).not.toMatch(/sk_test_|whsec_|Asha|asha\.rao|\+9198|customer-71/);
  });

  it('keeps its data through kill -9, and creates the examples once', async () => {
    id = String((await call(first, 0))['transaction_id']);
    const before = await read(first, `/payments/${id}`);
    second = await restart();
    expect(await read(second, `/payments/${id}`)).toEqual(before);
    expect(await call(second, 0)).toMatchObject({ transaction_id: id });
    const access = ({ printed }: Started) =>
      printed.filter((line) => /^(API key|signing secret|demo merchant)/.test(line));
    expect(access(second)).toEqual(access(first));
    const [payment] = Object.values(examples.requestExamples.createPayment);
    const [session] = Object.values(examples.responseExamples.createPayment[200]);
    expect(await read(second, '/payments', payment?.body)).toMatchObject({ transaction_id: session?.transaction_id });
  });

  it('drains after SIGTERM, and stops immediately at a second signal', async () => {
    second ??= await restart();
    second.child.kill('SIGTERM');
    await second.line(/"stopping"/);
    expect((await fetch(`${second.url}/health/ready`)).status).toBe(503);
    expect(await call(second, 0)).toMatchObject({ merchant_order_id: 'first-order' });
    const exited = once(second.child, 'exit');
    second.child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  });
});
