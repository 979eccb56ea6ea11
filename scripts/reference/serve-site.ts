/** A small server for the built reference, without a gateway. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UserError } from '../../contract/src/cli.ts';
import type { RequestHeaders } from '../../gateway/src/http/plain.ts';
import { sendResponse } from '../../gateway/src/node/send-response.ts';
import { loadSite } from '../../gateway/src/node/site.ts';

export interface Site {
  url: string;
  close: () => Promise<void>;
}

export interface ServeOptions {
  /** The folder of the built site. */
  folder: string;
  /** 0 takes a free one. */
  port: number;
  host?: string;
}

/** Serves a built site. Rejects with a line for the user when the port is taken or the site is not built. */
export async function serveSite({ folder, port, host = '127.0.0.1' }: ServeOptions): Promise<Site> {
  const handle = loadSite(folder, { requestsTo: 'any' });
  const server = createServer((request, response) => {
    sendResponse(request, response, handle(request.method ?? '', request.url ?? '', request.headers as RequestHeaders));
  });
  await listen(server, port, host);
  const name = host.includes(':') ? `[${host}]` : host;
  return { url: `http://${name}:${(server.address() as AddressInfo).port}`, close: () => close(server) };
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE';
      reject(
        taken ? new UserError(`Port ${port} on ${host} is taken. Stop what uses it, or choose another port.`) : error,
      );
    });
    server.listen(port, host, () => resolve());
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
