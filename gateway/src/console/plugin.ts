/**
 * Serves the console, and logs people in to it. The console itself uses the API like any other client, from the same
 * origin, with a session instead of a key (http/console-session.ts). A live gateway has none of it.
 */
import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { BUNDLE_FILE } from '../../../contract/src/model.ts';
import { CONSOLE_HEADER, consoleSession, sessionCookie } from '../http/console-session.ts';
import { problemOf } from '../http/errors.ts';
import { RateLimitExceeded, type RateLimits } from '../http/rate-limits.ts';
import { isFromOtherSite } from '../http/same-site.ts';
import { type StaticFile, staticFile } from '../http/static-file.ts';
import type { Services } from '../operations/operation.ts';
import { merchantByKey } from '../store/access/api-keys.ts';
import {
  type ConsoleToken,
  createConsoleSession,
  endConsoleSession,
  redeemConsoleLink,
} from '../store/access/console-access.ts';
import { API_FILES } from '../wire/gateway-apis.ts';
import { type Assets, readAssets } from './assets.ts';
import { confirmPage, loginPage, PAGE_HEADERS, shell } from './pages.ts';

export interface ConsoleOptions {
  readonly services: Services;
  readonly rates: RateLimits;
  /** Accept the public key of the demo merchant. */
  readonly demo: boolean;
  /** Called with the token of a session that has ended. */
  readonly onSessionEnd: (session: string) => void;
}

/** A form with one key. */
const BODY_BYTES_MAX = 4_096;

const UNUSABLE_LINK =
  'This link has been used, or is older than 15 minutes. Log in with your API key, or create another link.';
const INVALID_KEY = 'This API key is not valid. Check that it is complete, not revoked, and of this gateway.';
const OTHER_SITE = 'Another site sent this form. Log in here.';

type TokenRoute = { Params: { token: string } };

/** Adds the console under the prefix that it is registered with. */
export async function consolePages(app: FastifyInstance, options: ConsoleOptions): Promise<void> {
  const assets = readAssets();
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: BODY_BYTES_MAX },
    async (_request: FastifyRequest, body: string) => new URLSearchParams(body),
  );
  app.addHook('onRequest', async (request) => {
    request.operation = 'console';
    // A first visit loads all files at once, and browsers keep them.
    if (!request.routeOptions.url?.includes('/assets/')) options.rates.countPageRequest(request.ip);
  });
  addFiles(app, assets);
  addLogin(app, assets, options);
}

/** The shell, the files that it loads, and the documents of which its forms are made. They are the same for everyone. */
function addFiles(app: FastifyInstance, assets: Assets): void {
  const page = shell(assets);
  app.get('/', async (request, reply) => {
    // Its addresses are relative to /console, so that it works behind a proxy that serves the gateway under a path.
    if (request.url.split('?', 1)[0]?.endsWith('/')) return reply.redirect('../console', 303);
    return reply.headers(PAGE_HEADERS).send(page);
  });
  app.get<{ Params: { version: string; file: string } }>('/assets/:version/:file', async (request, reply) => {
    const { version, file } = request.params;
    const asset = version === assets.version ? assets.files.get(file) : undefined;
    return asset ? sendFile(request, reply, asset) : reply.callNotFound();
  });
  for (const [url, source] of Object.entries({ '/contract.json': BUNDLE_FILE, '/sandbox.json': API_FILES.sandbox })) {
    const document = staticFile(
      'application/json; charset=utf-8',
      () => readFileSync(source),
      () => ({ 'cross-origin-resource-policy': 'same-origin' }),
    );
    app.get(url, async (request, reply) => sendFile(request, reply, document));
  }
}

function sendFile(request: FastifyRequest, reply: FastifyReply, file: StaticFile): FastifyReply {
  const { status, headers, body } = file(request.headers);
  return reply.code(status).headers(headers).send(body);
}

function addLogin(app: FastifyInstance, assets: Assets, { services, rates, demo, onSessionEnd }: ConsoleOptions): void {
  const { store, clock } = services;

  const begin = (request: FastifyRequest, reply: FastifyReply, { token, expiresAt }: ConsoleToken, to: string) =>
    reply
      .headers(PAGE_HEADERS)
      .header('set-cookie', sessionCookie(request, token, Math.floor((expiresAt - clock.now()) / 1_000)))
      .redirect(to, 303);
  const refuse = (request: FastifyRequest, reply: FastifyReply, status: number, error: string, depth = 0) =>
    reply
      .code(status)
      .headers(PAGE_HEADERS)
      .send(loginPage(assets, { error, depth, address: addressOf(request) }));

  app.get('/login', async (request, reply) =>
    reply.headers(PAGE_HEADERS).send(loginPage(assets, { address: addressOf(request) })),
  );
  app.post('/login', async (request, reply) => {
    const takeBack = rates.countUnknownKey(request.ip);
    if (isFromOtherSite(request)) return refuse(request, reply, 403, OTHER_SITE);
    const key = (request.body as URLSearchParams | undefined)?.get('key')?.trim() ?? '';
    const valid = await merchantByKey(store.read, key, { live: false, demo });
    const session = valid && (await store.unit((db) => createConsoleSession(db, key, clock.now())));
    if (!session) return refuse(request, reply, 401, INVALID_KEY);
    takeBack();
    return begin(request, reply, session, '../console');
  });

  const redeem = async (request: FastifyRequest<TokenRoute>, reply: FastifyReply) => {
    const takeBack = rates.countUnknownKey(request.ip);
    if (isFromOtherSite(request)) return refuse(request, reply, 403, OTHER_SITE, 1);
    const session = await store.unit((db) => redeemConsoleLink(db, request.params.token, clock.now()));
    if (!session) return refuse(request, reply, 410, UNUSABLE_LINK, 1);
    takeBack();
    return begin(request, reply, session, '../../console');
  };
  app.get<TokenRoute>('/login/:token', async (request, reply) => {
    // A browser that only fetches the link ahead, or shows it inside another page, doesn't use it up.
    if (!isOpened(request)) return reply.code(204).header('cache-control', 'no-store').send();
    if (isFromOtherSite(request)) return reply.headers(PAGE_HEADERS).send(confirmPage(assets));
    return redeem(request, reply);
  });
  app.post<TokenRoute>('/login/:token', redeem);

  app.post('/logout', async (request, reply) => {
    const session = consoleSession(request);
    // Another site's form must not log anybody out.
    if (session === undefined) return reply.code(204).send();
    await store.unit((db) => endConsoleSession(db, session));
    onSessionEnd(session);
    return reply
      .code(204)
      .header('set-cookie', sessionCookie(request, '', 0))
      .send();
  });

  app.setErrorHandler((error, request, reply) => {
    // The script reads problems; a person who sent a form reads a page.
    if (request.headers[CONSOLE_HEADER] !== undefined || request.method !== 'POST') throw error;
    if (error instanceof RateLimitExceeded) reply.header('retry-after', '1');
    const { message } = problemOf(error);
    const status = (error as { statusCode?: number }).statusCode ?? (error instanceof RateLimitExceeded ? 429 : 500);
    const depth = request.url.includes('/login/') ? 1 : 0;
    return reply
      .code(status)
      .headers(PAGE_HEADERS)
      .send(loginPage(assets, { error: message, depth, address: addressOf(request) }));
  });
}

function addressOf({ protocol, host }: FastifyRequest): string {
  return `${protocol}://${host}`;
}

/** Whether a person sees the response to this request. Clients that are not browsers don't tell. */
function isOpened({ method, headers }: FastifyRequest): boolean {
  if (method !== 'GET') return false;
  const purpose = headers['sec-purpose'] ?? headers['purpose'];
  return purpose === undefined && (headers['sec-fetch-dest'] ?? 'document') === 'document';
}
