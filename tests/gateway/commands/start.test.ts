/** The gateway as a process: its printed commands work, confirmed writes survive a kill, and it stops gracefully. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { type JsonObject, operations, readBundle, requestExamples, successes } from '../../../contract/src/model.ts';
import { compile } from '../../../contract/src/schemas.ts';
import { DEMO_RECEIVER } from '../../../gateway/src/commands/demo.ts';
import * as examples from '../../../generated/examples.ts';
import { ROOT } from '../../../scripts/tools/process.ts';
import { afterwards, temporaryFolder } from '../harness.ts';

interface Started {
  child: ChildProcess;
  url: string;
  printed: string[];
  /** The next printed line that matches. */
  line(pattern: RegExp): Promise<string>;
}

/** Starts the sandbox without a command on a free port, and waits until it has printed everything. */
async function start(
  file: string,
  port = '0',
  env: Readonly<Record<string, string>> = {},
  ...flags: string[]
): Promise<Started> {
  const child = spawn(process.execPath, [join(ROOT, 'gateway/src/cli.ts'), '--port', port, ...flags], {
    env: {
      ...process.env,
      DATABASE_FILE: file,
      DATABASE_URL: '',
      LOG_LEVEL: 'info',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  afterwards(async () => {
    child.kill('SIGKILL');
  });
  const printed: string[] = [];
  const waiting = new Set<{ pattern: RegExp; resolve: (line: string) => void }>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    printed.push(line);
    for (const one of waiting) if (one.pattern.test(line) && waiting.delete(one)) one.resolve(line);
  });
  const line = (pattern: RegExp) => {
    const known = printed.find((one) => pattern.test(one));
    return known === undefined
      ? new Promise<string>((resolve) => waiting.add({ pattern, resolve }))
      : Promise.resolve(known);
  };
  await line(/payment page/);
  const url = printed[0]?.match(/http:\S+/)?.[0] ?? '';
  return { child, url, printed, line };
}

/** The n-th printed curl as a call. */
async function call({ printed }: Started, index: number, id = ''): Promise<Record<string, unknown>> {
  const [command = '', data = ''] = printed.slice(
    printed.findIndex(
      (line, at) =>
        line.startsWith('curl') && printed.slice(0, at).filter((one) => one.startsWith('curl')).length === index,
    ),
  );
  const [, url = ''] = command.match(/^curl (\S+)/) ?? [];
  const headers = Object.fromEntries(
    [...command.matchAll(/-H '([^:]+): ([^']+)'/g)].map(([, name, value]) => [name ?? '', value ?? '']),
  );
  const body = data.match(/-d '(.*)'/)?.[1] ?? '';
  const response = await fetch(url.replace('TRANSACTION_ID', id), { method: 'POST', headers, body });
  return (await response.json()) as Record<string, unknown>;
}

/** Reads the path, or posts the body to it. */
async function read({ url, printed }: Started, path: string, body?: unknown): Promise<Record<string, unknown>> {
  const key = printed.find((line) => line.startsWith('API key'))?.split(/\s+/)[2];
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(
    `${url}${path}`,
    body === undefined
      ? { headers }
      : { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) },
  );
  return (await response.json()) as Record<string, unknown>;
}

describe('the sandbox', () => {
  it('prints working calls and verified webhooks, and keeps its data through kill -9', async () => {
    const file = join(await temporaryFolder(), 'start.db');
    const first = await start(file);
    const created = await call(first, 0);
    expect(created).toMatchObject({ status: 'CREATED', merchant_order_id: 'first-order' });
    const id = String(created['transaction_id']);
    await first.line(new RegExp(`PAY_CONFIRMATION_NEEDED +${id} +\\(signature verified\\)`));
    expect(await call(first, 1, id)).toMatchObject({ status: 'VERIFYING' });
    await first.line(new RegExp(`SUCCESS +${id} +\\(signature verified\\)`));
    const unsigned = { method: 'POST', body: JSON.stringify({ status: 'SUCCESS' }) };
    expect((await fetch(first.url + DEMO_RECEIVER, unsigned)).status).toBe(400);
    const before = await read(first, `/payments/${id}`);
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');

    const second = await start(file, new URL(first.url).port);
    expect(await read(second, `/payments/${id}`)).toEqual(before);
    expect(await call(second, 0)).toMatchObject({ transaction_id: id });
    expect(second.printed.filter((line) => /^(API key|signing secret|demo merchant)/.test(line))).toEqual(
      first.printed.filter((line) => /^(API key|signing secret|demo merchant)/.test(line)),
    );
    const exited = once(second.child, 'exit');
    second.child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  });

  it('creates the transactions of the examples with --examples, once', async () => {
    const file = join(await temporaryFolder(), 'examples.db');
    const first = await start(file, '0', {}, '--examples');
    const validate = compile(readBundle());
    for (const operation of operations(readBundle()).filter(({ method }) => method === 'get')) {
      const { schema } = successes(operation)[0]?.body ?? {};
      for (const { path, query } of requestExamples(operation)) {
        const filled = operation.path.replace(/\{(\w+)\}/, (_, name: string) => path[name] ?? '');
        const body = await read(first, `${filled}?${new URLSearchParams(query)}`);
        expect([filled, validate(schema ?? {})(body as JsonObject)]).toEqual([filled, []]);
        expect(String(body['transaction_id'])).toBe(Object.values(path)[0] ?? String(body['transaction_id']));
      }
    }
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    const second = await start(file, '0', {}, '--examples');
    const [payment] = Object.values(examples.requestExamples.createPayment);
    const [session] = Object.values(examples.responseExamples.createPayment[200]);
    expect(await read(second, '/payments', payment?.body)).toMatchObject({ transaction_id: session?.transaction_id });
  });

  it("prints a single-use link to the demo merchant's console, and logs no link, key or personal data", async () => {
    const started = await start(join(await temporaryFolder(), 'console.db'));
    const logged: string[] = [];
    createInterface({ input: started.child.stderr as NodeJS.ReadableStream }).on('line', (line) => logged.push(line));
    const link = (await started.line(/^console/)).match(/http:\S+/)?.[0] ?? '';
    const opened = await fetch(link, { redirect: 'manual' });
    expect(opened.status).toBe(303);
    const cookie = opened.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const caller = await fetch(`${started.url}/management/caller`, { headers: { cookie, 'x-console': '1' } });
    expect(await caller.json()).toMatchObject({ merchant: { name: 'Demo Shop' } });
    expect((await fetch(link, { redirect: 'manual' })).status).toBe(410);
    await call(started, 0);
    const exited = once(started.child, 'close');
    started.child.kill('SIGTERM');
    await exited;
    expect(logged.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ operation: 'createPayment', status: 200, request_id: expect.stringMatching(/^req_/) }),
    );
    expect(logged.join('\n')).not.toContain(link.split('/').at(-1));
    expect(logged.join('\n')).not.toContain(cookie.split('=')[1]);
    expect(logged.join('\n')).not.toMatch(/sk_test_|whsec_|Asha|asha\.rao|\+9198|customer-71/);
  });

  it('drains after SIGTERM, and stops immediately at a second signal', async () => {
    const started = await start(join(await temporaryFolder(), 'drain.db'), '0', { DRAIN_MS: '600000' });
    const stopping = new Promise<void>((resolve) => {
      createInterface({ input: started.child.stderr as NodeJS.ReadableStream }).on('line', (line) => {
        if (line.includes('"stopping"')) resolve();
      });
    });
    started.child.kill('SIGTERM');
    await stopping;
    expect((await fetch(`${started.url}/health/ready`)).status).toBe(503);
    expect(await call(started, 0)).toMatchObject({ status: 'CREATED' });
    const exited = once(started.child, 'exit');
    started.child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  });
});
