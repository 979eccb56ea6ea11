/** The HTTP app: a function from a `Request` to its `Response`. It runs on Node, in a page and in a worker. */

import { Hono } from 'hono';
import { cors } from 'hono/cors';
import { matchedRoutes } from 'hono/route';
import { getPath } from 'hono/utils/url';
import type { Violation } from '../../../generated/types.ts';
import { type Store, StoreUnavailable } from '../database/store.ts';
import type { KeyPolicy } from '../merchants/api-keys.ts';
import type { Clock, ClockJump } from '../platform/clock.ts';
import type { Ids } from '../platform/ids.ts';
import type { Log } from '../platform/log.ts';
import type { Span, Tracer } from '../platform/tracing.ts';
import { type Authentication, authentication } from './auth.ts';
import { wrongType } from './body.ts';
import { type HostNames, hostCheck } from './browser-checks.ts';
import {
  CLIENT_CLOSED_REQUEST,
  type Connection,
  ConnectionCut,
  type HttpContext,
  type HttpEnv,
  localConnection,
  NoResponse,
  RequestContext,
} from './context.ts';
import type { WireContract } from './contract.ts';
import { addProbes, isProbe, Lifecycle } from './lifecycle.ts';
import type { Metrics } from './metrics.ts';
import { createObserver, idForLog } from './observe.ts';
import { invalid, ProblemError, problemResponse } from './problems.ts';
import { createRateLimits, type RateLimits } from './rate-limits.ts';
import { addHeaders, REQUEST_ID, truncated } from './responses.ts';
import { addApiRoutes, type RequestFaults, type ResponseCheck, type RouteOptions } from './routes.ts';
import { recordUnavailability, type Unavailability } from './unavailability.ts';

/** Services of the app, in addition to its operations'. */
interface AppServices {
  readonly tracer?: Tracer | undefined;
  readonly store: Store;
  /** The store's clock. */
  readonly clock: Clock;
  readonly ids: Ids;
}

interface AppOptions {
  readonly contract: WireContract;
  readonly services: AppServices;
  /** The contract's operations by operationId. */
  readonly handlers: RouteOptions['handlers'];
  readonly log: Log;
  readonly metrics: Metrics;
  /** Returns a recent jump of a clock, which makes the gateway unready. */
  readonly recentJump?: (() => ClockJump | undefined) | undefined;
  readonly bodyBytesMax: number;
  /** Requests of one API key in a second. */
  readonly requestsPerSecond: number;
  /** Origin at which browsers reach the gateway. Without it, their origin is compared with the host of each request. */
  readonly publicOrigin?: string | undefined;
  /** Path of the gateway's public URL, which its routes lack. */
  readonly basePath?: string | undefined;
  /** Origins whose pages may call the API, or `*`. */
  readonly corsOrigins?: readonly string[];
  /** API keys to accept. Defaults to test keys, without the demo's. */
  readonly keyPolicy?: Partial<KeyPolicy>;
  /** Accepts the sessions of the console. Only without real money. */
  readonly consoleSessions?: boolean;
  /** Host names at which it is reached. Without them, requests are served under any name. */
  readonly hostNames?: HostNames | undefined;
  readonly checkResponse?: ResponseCheck | undefined;
  readonly requestFaults?: RequestFaults | undefined;
  /** Returns the reason why requests currently get 503, or undefined. */
  readonly obstacle?: (() => string | undefined) | undefined;
  readonly onDrain?: (() => void) | undefined;
}

/** Called with each request after its response is ready. */
type ResponseListener = (c: HttpContext) => void;

export interface App {
  /** Accepts further routes, until the first request. */
  readonly routes: Hono<HttpEnv>;
  readonly lifecycle: Lifecycle;
  readonly rates: RateLimits;
  readonly authentication: Authentication;
  readonly unavailability: Unavailability;
  /** Generates a request id, including for a malformed request. */
  readonly newRequestId: () => string;
  /** Responds to a request. Rejects with a TypeError, as `fetch` does, if a server would close the connection. */
  readonly fetch: (request: Request, connection?: Connection) => Promise<Response>;
  readonly onResponse: (listener: ResponseListener) => void;
}

const PREFLIGHT_MAX_AGE_S = 600;
/** Characters of a path shown in a problem. */
const PATH_SHOWN = 200;

/** Has the API's routes. Throws when handlers and contract differ. */
export function createApp(options: AppOptions): App {
  const { contract, services, log, metrics, basePath = '', corsOrigins = [] } = options;
  const unavailability = recordUnavailability({ counter: metrics.unavailable, log });
  const rates = createRateLimits(options.requestsPerSecond);
  const policy = { live: false, demo: false, ...options.keyPolicy };
  const sessions = options.consoleSessions === true && !policy.live;
  const access = authentication(services, rates, { ...policy, sessions });
  const lifecycle = new Lifecycle(services.clock, options.onDrain);
  const newRequestId = () => services.ids.newId('req', services.clock.now(), services.ids.count());
  const observe = createObserver(metrics.requests, log);
  const listeners: ResponseListener[] = [];

  const app = new Hono<HttpEnv>(
    basePath === '' ? {} : { getPath: (request) => getPath(request).slice(basePath.length) },
  );
  app.onError((error, c) => {
    if (error instanceof ConnectionCut) throw error;
    if (!(error instanceof NoResponse)) return problemResponse({ contract, log, unavailability }, error, c);
    c.get('request').cut = 'before';
    return new Response(null, { status: CLIENT_CLOSED_REQUEST });
  });
  app.notFound((c) => {
    rates.countFileRequest(c.env.address);
    return routeNotFound(c);
  });
  app.use(async (c, next) => {
    const request = new RequestContext(newRequestId(), options.publicOrigin);
    c.set('request', request);
    lifecycle.began();
    try {
      await next();
      if (!request.sent) addHeaders(c.res, request.id);
      request.route ??= findRoute(c);
      observe(c);
      endSpan(c);
      for (const listener of listeners) listener(c);
    } finally {
      lifecycle.ended();
    }
    if (request.cut === 'before') throw new ConnectionCut();
    if (request.cut === 'midway' && request.sent) c.res = truncated(c.res, request.sent.text);
  });
  if (corsOrigins.length > 0) app.use(allowOrigins(corsOrigins));
  app.use(admission(options, lifecycle));
  addProbes(app, {
    store: services.store,
    metrics,
    lifecycle,
    unavailability,
    recentJump: options.recentJump,
    obstacle: options.obstacle,
  });
  addApiRoutes(app, options, access);
  return {
    ...{ routes: app, lifecycle, rates, authentication: access, unavailability, newRequestId },
    fetch: async (request, connection) => app.fetch(request, connection ?? localConnection(request, basePath)),
    onResponse: (listener) => void listeners.push(listener),
  };
}

/**
 * Allows pages of these origins to call the API, for development: in production an API key never belongs in a browser.
 */
function allowOrigins(origins: readonly string[]) {
  return cors({
    origin: origins.includes('*') ? '*' : [...origins],
    allowMethods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    // Clients compare a date in Retry-After with Date.
    exposeHeaders: ['date', 'retry-after', REQUEST_ID],
    maxAge: PREFLIGHT_MAX_AGE_S,
  });
}

/** Validates every request, and collects the facts for its log line and span. */
function admission({ services: { tracer }, hostNames, obstacle }: AppOptions, lifecycle: Lifecycle) {
  const requireHost = hostNames && hostCheck(hostNames);
  return (c: HttpContext, next: () => Promise<void>) => {
    if (requireHost && !isProbe(c)) requireHost(c.env);
    lifecycle.requireOpen();
    if (obstacle && !isProbe(c)) requireServing(obstacle());
    const violation = c.env.violation ?? findTargetViolation(c.env.target);
    if (violation) throw invalid([violation]);
    const span = tracer && !isProbe(c) ? beginSpan(tracer, c, findRoute(c)) : undefined;
    c.get('request').span = span;
    // RFC 10008, 2: a QUERY request must declare its media type at any path.
    if (c.req.method === 'QUERY' && c.req.header('content-type') === undefined) throw wrongType();
    return tracer && span ? tracer.run(span, next) : next();
  };
}

/** Throws the problem of a request while another process serves the sandbox. */
function requireServing(obstacle: string | undefined): void {
  if (obstacle === undefined) return;
  const detail = `This gateway waits: ${obstacle}. Send the request again after the number of seconds in \`Retry-After\`.`;
  throw new ProblemError('unavailable', detail, {
    cause: new StoreUnavailable(obstacle, { reason: 'sandbox_elsewhere' }),
  });
}

const DOCUMENTED = new Map<string, string | undefined>([['/*', undefined]]);

/** The path of the route, with its parameters in braces, as documents have it. Middleware is for all methods. */
function findRoute(c: HttpContext): string | undefined {
  const matched = matchedRoutes(c);
  const path = (matched.find(({ method }) => method !== 'ALL') ?? matched.at(-1))?.path ?? '/*';
  // There are as many as routes.
  if (!DOCUMENTED.has(path)) DOCUMENTED.set(path, path.replaceAll(/:(\w+)/g, '{$1}'));
  return DOCUMENTED.get(path);
}

/** Throws the problem of a request without a route. */
export function routeNotFound(c: HttpContext): never {
  const path = c.env.target.replace(/[?#].*$/s, '');
  const advice = path.length > 1 && path.endsWith('/') ? ' Remove the slash at the end of the path.' : '';
  throw new ProblemError('not-found', `Route not found: ${c.req.method} ${path.slice(0, PATH_SHOWN)}.${advice}`);
}

// Refuses ambiguous paths. A proxy that denies a path may let it pass with an encoded letter, or after a dot segment
// with an encoded slash.

/** Escapes of unreserved characters, of separators and of controls. */
const NEEDLESS = /%(?:[01].|2[def]|3\d|4[1-9a-f]|5[0-9acf]|6[1-9a-f]|7[0-9aef])/i;
const DOT_SEGMENT = /\/\.\.?(?:\/|$)/;

const UNCLEAR = 'must have no dot segments, no backslashes, and no percent-encoded slashes, letters or digits';

/** The violation of a target, as sent. */
function findTargetViolation(target: string): Violation | undefined {
  if (!/[%\\]|\/\./.test(target)) return undefined;
  const [path = '', query = ''] = target
    .replace(/^https?:\/\/[^/?#]*/i, '')
    .replace(/#.*$/s, '')
    .split(/\?(.*)/s);
  if (path.includes('\\') || NEEDLESS.test(path) || DOT_SEGMENT.test(path)) {
    return { in: 'path', pointer: '', message: UNCLEAR };
  }
  if (isDecodable(path) && isDecodable(query)) return undefined;
  return { in: isDecodable(path) ? 'query' : 'path', pointer: '', message: 'must be valid percent-encoding of UTF-8' };
}

function isDecodable(part: string): boolean {
  try {
    decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}

/** Begins the span of a request whose route has been determined. */
function beginSpan(tracer: Tracer, c: HttpContext, route: string | undefined): Span {
  const { method } = c.req;
  const { id } = c.get('request');
  return tracer.start({
    name: route === undefined ? method : `${method} ${route}`,
    kind: 'server',
    parent: tracer.received(c.req.header('traceparent')),
    attributes: { 'http.request.method': method, 'http.route': route, 'payments.request.id': id },
  });
}

function endSpan(c: HttpContext): void {
  const { span, transactionId, merchant } = c.get('request');
  if (!span) return;
  const { status } = c.res;
  span.set({
    'url.path': pathForSpan(c),
    'http.response.status_code': status,
    'payments.transaction.id': transactionId,
    'payments.merchant.id': merchant?.id,
  });
  span.end(status >= 500 ? String(status) : undefined);
}

/** The request's path, or its route if the path could contain a secret, such as a payment page's token. */
function pathForSpan(c: HttpContext): string | undefined {
  const { route } = c.get('request');
  if (route === undefined || route.endsWith('*')) return route;
  const sent = c.req.path.split('/');
  const isPlain = route.split('/').every((part, index) => !part.startsWith('{') || idForLog(sent[index]) !== undefined);
  return isPlain ? c.req.path : route;
}
