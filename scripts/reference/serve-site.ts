/** A small server for the built reference, without a gateway. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { UserError } from '../../contract/src/cli.ts';
import { loadSite, type SiteHandler } from '../../gateway/src/server/reference.ts';

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

const NOT_FOUND =
  'Nothing is here. The reference is at /docs, its Markdown pages are listed in /llms.txt, the document is at /openapi.json.\n';

/** Serves a built site. Rejects with a line for the user when the port is taken or the site is not built. */
export async function serveSite({ folder, port, host = '127.0.0.1' }: ServeOptions): Promise<Site> {
  const { fetch } = siteApp(loadSite(folder));
  const server = createAdaptorServer({ fetch, overrideGlobalObjects: false }) as Server;
  await listen(server, port, host);
  const name = host.includes(':') ? `[${host}]` : host;
  return { url: `http://${name}:${(server.address() as AddressInfo).port}`, close: () => close(server) };
}

/** The app of a site alone. */
export function siteApp(handle: SiteHandler): Hono {
  const app = new Hono();
  app.get('*', (c) => handle(c) ?? c.text(NOT_FOUND, 404));
  app.all('*', (c) => c.text('Only GET and HEAD.\n', 405, { allow: 'GET, HEAD' }));
  return app;
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
