/** The gateway as a function from a `Request` to its `Response`, for pages, workers and other runtimes. */
import { describe, expect, it } from 'vitest';
import { startTestGateway, type TestGatewayOptions } from '../harness.ts';

const ORIGIN = 'http://localhost:4000';

async function start(options: TestGatewayOptions = {}) {
  const test = await startTestGateway({ sandbox: true, ...options });
  const handle = (request: Request) => test.gateway.fetch(request);
  const send = (path: string, init: RequestInit = {}, key = test.key) =>
    handle(new Request(ORIGIN + path, { ...init, headers: { authorization: `Bearer ${key}`, ...init.headers } }));
  const post = (path: string, body: unknown, headers = {}) =>
    send(path, {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    });
  return { test, handle, send, post };
}

describe('a Web request', () => {
  it('gets 413 for a body over the limit, before the rest is read', async () => {
    const { send, post } = await start({ limits: { bodyBytesMax: 1_000 } });
    const sizes = await Promise.all([1_000, 1_001].map((size) => post('/payments', 'x'.repeat(size))));
    expect(sizes.map(({ status }) => status)).toEqual([400, 413]);
    let isCancelled = false;
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(600)),
      cancel: () => {
        isCancelled = true;
      },
    });
    const init = { method: 'POST', body: endless, duplex: 'half', headers: { 'content-type': 'application/json' } };
    expect((await send('/payments', init as RequestInit)).status).toBe(413);
    expect(isCancelled).toBe(true);
  });

  it('gets the headers of GET, without the body, for HEAD', async () => {
    const response = await (await start()).send('/merchant/balance', { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(Number(response.headers.get('content-length'))).toBeGreaterThan(0);
    expect(await response.text()).toBe('');
  });

  it('is aborted while its body arrives', async () => {
    const { test, handle } = await start();
    const leaving = new AbortController();
    const body = new ReadableStream({ pull: () => leaving.abort() });
    const headers = { authorization: `Bearer ${test.key}`, 'content-type': 'application/json' };
    const init = { method: 'POST', body, duplex: 'half', headers, signal: leaving.signal };
    await expect(handle(new Request(`${ORIGIN}/payments`, init as RequestInit))).rejects.toThrow();
    expect((await test.call('GET', '/metrics')).text).toContain('operation="createPayment",status="499"} 1');
  });
});
