/** Opens an inbox on this machine: an HTTP endpoint that receives a merchant's webhooks. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readBodyText } from '../../../contract/src/read-text.ts';
import { readContract } from '../http/contract.ts';
import { createInbox, type Inbox, type WebhookInbox } from './inbox.ts';

const BODY_BYTES_MAX = 65_536;

/** Opens an inbox with its own address. See `createInbox` for the parameters. */
export async function openInbox(secret: string, now: () => Promise<number>): Promise<WebhookInbox> {
  const inbox = createInbox(readContract().bundle, secret, now);
  const server = createServer((request, response) => {
    receive(inbox, request, response).catch(() => end(response, 400));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A test that forgets to close it ends anyway.
  server.unref();
  return {
    ...inbox,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function receive(inbox: Inbox, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await readBodyText(request, BODY_BYTES_MAX);
  if (body === undefined) return end(response, 413);
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const { status, text } = await inbox.receive({ headers, body });
  end(response, status, text);
}

function end(response: ServerResponse, status: number, text = ''): void {
  if (!response.headersSent) response.writeHead(status).end(text);
}
