/** The kit judges the gateway in a browser's page. A server on this machine only carries requests to the page, and webhooks from it. */
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Browser, Page } from '@playwright/test';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { verifyService } from '../../conformance/src/run/verify.ts';
import { startGateway } from '../../gateway/src/index.ts';
import { buildSandboxFiles } from '../../scripts/sandbox-files.ts';
import { afterwards, temporaryFolder } from '../gateway/harness.ts';
import { launchBrowser } from '../tools/browser.ts';
import { listenOnLoopback } from '../tools/loopback.ts';

/** A request or a response between the page and this process. Its body is in base64. */
interface Carried {
  readonly headers: Record<string, string>;
  readonly body: string;
}

interface CarriedRequest extends Carried {
  readonly method: string;
  readonly url: string;
}

/** A connection that the page's gateway closed has no status. */
interface CarriedResponse extends Carried {
  readonly status?: number;
}

interface Access {
  readonly key: string;
  readonly secondKey: string;
  readonly secret: string;
}

const PAGE = '/page/';
const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.wasm': 'application/wasm' };

/** Source of the script in the page: its own functions would not get through the compiler of tests. */
const SCRIPT = `
const encode = (bytes) => new Uint8Array(bytes).toBase64?.() ?? btoa(Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join(''));
const decode = (text) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
const headersOf = ({ headers }) => Object.fromEntries(headers.entries());
window.begin = async () => {
  const { startSandbox } = await import('${PAGE}sandbox.js');
  const sandbox = await startSandbox({
    url: location.origin,
    async onWebhook(request) {
      const { status, headers, body } = await window.deliver({
        method: request.method, url: request.url, headers: headersOf(request), body: encode(await request.arrayBuffer()),
      });
      if (!status) throw new TypeError('no response');
      return new Response([204, 304].includes(status) ? null : decode(body), { status, headers });
    },
  });
  window.respond = async ({ method, url, headers, body }) => {
    try {
      const response = await sandbox.fetch(new Request(location.origin + url, { method, headers, ...(body && { body: decode(body) }) }));
      return { status: response.status, headers: headersOf(response), body: encode(await response.arrayBuffer()) };
    } catch {
      return { headers: {}, body: '' };
    }
  };
  const { key: secondKey } = await sandbox.addMerchant();
  return { key: sandbox.key, secret: sandbox.secret, secondKey };
};`;

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

it('gets the same verdicts in a page as behind a server', { timeout: 180_000 }, async () => {
  const verdicts = async (access: Access, baseUrl: string) => {
    const { results } = await verifyService({ baseUrl, ...access });
    return results.map(({ id, verdict, findings }) => ({ id, verdict, findings }));
  };
  const { url, access } = await startInPage();
  const inPage = await verdicts(access, url);
  const gateway = await startGateway();
  afterwards(() => gateway.close());
  const { key: secondKey } = await gateway.addMerchant();
  expect(inPage).toEqual(await verdicts({ key: gateway.key, secret: gateway.secret, secondKey }, gateway.url));
  expect(inPage.filter(({ verdict }) => verdict === 'violating')).toEqual([]);
});

async function startInPage(): Promise<{ url: string; access: Access }> {
  const folder = await temporaryFolder();
  await buildSandboxFiles(folder);
  let page: Page | undefined;
  const server = createServer(async (request, response) => {
    const { url = '' } = request;
    if (url.startsWith(PAGE)) return sendFile(response, folder, url.slice(PAGE.length));
    return carry(page as Page, request, response);
  });
  const { url, close } = await listenOnLoopback(server);
  afterwards(close);
  page = await browser.newPage();
  await page.exposeFunction('deliver', deliver);
  await page.goto(url + PAGE);
  await page.addScriptTag({ content: SCRIPT });
  return { url, access: await page.evaluate<Access>('begin()') };
}

async function sendFile(response: ServerResponse, folder: string, name: string): Promise<void> {
  const content =
    name === '' ? '<!doctype html><title>Sandbox</title>' : await readFile(join(folder, name)).catch(() => undefined);
  response.writeHead(content === undefined ? 404 : 200, { 'content-type': TYPES[extname(name)] ?? 'text/html' });
  response.end(content);
}

/** Has the page respond to a request. */
async function carry(page: Page, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const carried: CarriedRequest = {
    method: request.method ?? '',
    url: request.url ?? '',
    headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
    body: (await buffer(request)).toString('base64'),
  };
  const { status, headers, body } = await page.evaluate<CarriedResponse>(`respond(${JSON.stringify(carried)})`);
  if (status === undefined) return void request.socket.destroy();
  response.writeHead(status, headers).end(Buffer.from(body, 'base64'));
}

/** Sends a webhook of the page. */
async function deliver({ method, url, headers, body }: CarriedRequest): Promise<CarriedResponse> {
  try {
    const { 'content-length': _, ...rest } = headers;
    const response = await fetch(url, { method, headers: rest, body: Buffer.from(body, 'base64'), redirect: 'manual' });
    return { status: response.status, headers: {}, body: Buffer.from(await response.arrayBuffer()).toString('base64') };
  } catch {
    return { headers: {}, body: '' };
  }
}
