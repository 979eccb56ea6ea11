/** The HTTP side without a transport: a plain request gets a plain response. What holds for every request is here, in order. */
import type { Services } from '../operations/operation.ts';
import type { ClockJump } from '../platform/clock-jumps.ts';
import type { Log } from '../platform/log.ts';
import type { Tracer } from '../platform/tracing.ts';
import type { KeyPolicy } from '../store/access/api-keys.ts';
import type { WireContract } from '../wire/contract.ts';
import { invalid, ProblemError } from '../wire/problems.ts';
import { type Authentication, authentication } from './auth.ts';
import { wrongType } from './body.ts';
import { channelNotifications } from './channel-notifications.ts';
import { allowOrigins, type Cors, PREFLIGHT } from './cors.ts';
import { problemResponse } from './errors.ts';
import { type HostNames, hostCheck } from './host-check.ts';
import { Lifecycle } from './lifecycle.ts';
import type { Metrics } from './metrics.ts';
import { createObserver, type Observe, PROBE, REQUEST_ID } from './observe.ts';
import { NoResponse, type PlainRequest, type PlainResponse, type ResponseHeaders } from './plain.ts';
import { probes } from './probes.ts';
import { createRateLimits, type RateLimits } from './rate-limits.ts';
import { beginSpan, endSpan } from './request-spans.ts';
import { type Route, Router } from './router.ts';
import { apiRoutes, type RequestFaults, type ResponseCheck } from './routes.ts';
import { ServedRequest } from './served-request.ts';
import { recordUnavailability, type Unavailability } from './unavailability.ts';

export interface ResponderOptions {
  readonly contract: WireContract;
  readonly services: Services;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Returns a recent jump of a clock, which makes the gateway unready. */
  readonly recentJump?: (() => ClockJump | undefined) | undefined;
  readonly bodyBytesMax: number;
  /** Requests of one API key in a second. */
  readonly requestsPerSecond: number;
  /** Origins whose pages may call the API, or `*`. */
  readonly corsOrigins?: readonly string[];
  /** API keys to accept. Defaults to test keys, without the demo's. */
  readonly keyPolicy?: Partial<KeyPolicy>;
  /** Accepts the sessions of the console. Only where no money moves. */
  readonly consoleSessions?: boolean;
  /** Under which names it is reached. Without it, requests are served whatever name they are for. */
  readonly hostNames?: HostNames | undefined;
  readonly checkResponse?: ResponseCheck | undefined;
  readonly requestFaults?: RequestFaults | undefined;
  /** Ends responses that would never end. */
  readonly onDrain?: (() => void) | undefined;
}

/** Parts that pages share with the API. */
export interface PageParts {
  readonly rates: RateLimits;
  readonly authentication: Authentication;
  readonly unavailability: Unavailability;
}

/** Called with each request and its response, which is about to leave. */
export type ResponseListener = (request: ServedRequest, response: PlainResponse) => void;

/**
 * Headers of every response, unless a page has others of its own. They are few, since JSON that is never rendered needs no
 * more, and each is written for every read.
 */
export const RESPONSE_HEADERS: ResponseHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

/** Characters of a path that a problem shows. */
const PATH_SHOWN = 200;

export class Responder {
  readonly lifecycle: Lifecycle;
  readonly parts: PageParts;
  /** Makes the id of the next request, also of one that could not be read. */
  readonly newRequestId: () => string;
  readonly #router = new Router();
  readonly #listeners: ResponseListener[] = [];
  readonly #cors: Cors | undefined;
  readonly #requireHost: ((request: ServedRequest) => void) | undefined;
  readonly #observe: Observe;
  readonly #tracer: Tracer | undefined;
  readonly #whenIdle: (() => void)[] = [];
  #underWay = 0;
  readonly #problemOf: (error: unknown, request: ServedRequest) => PlainResponse;

  /** Has the API's routes. Throws when handlers and contract differ. */
  constructor(options: ResponderOptions) {
    const { contract, services, log, metrics, keyPolicy, hostNames, bodyBytesMax, recentJump } = options;
    const unavailability = recordUnavailability({ counter: metrics.unavailable, log });
    const rates = createRateLimits(options.requestsPerSecond);
    const policy = { live: false, demo: false, ...keyPolicy };
    const sessions = options.consoleSessions === true && !policy.live;
    const access = authentication(services, rates, { ...policy, sessions });
    this.lifecycle = new Lifecycle(services.clock, options.onDrain);
    this.parts = { rates, authentication: access, unavailability };
    this.newRequestId = () => services.ids.newId('req', services.clock.now(), services.ids.count());
    this.#cors = allowOrigins(options.corsOrigins ?? []);
    this.#requireHost = hostNames && hostCheck(hostNames);
    this.#observe = createObserver(metrics.requests, log);
    this.#tracer = services.tracer;
    this.#problemOf = (error, request) => problemResponse({ contract, log, unavailability }, error, request);
    const { lifecycle } = this;
    this.addRoutes(probes({ store: services.store, metrics, lifecycle, unavailability, recentJump }));
    this.addRoutes(apiRoutes(options, access));
    this.addRoutes([channelNotifications(services, rates, bodyBytesMax)]);
  }

  addRoutes(routes: readonly Route[]): void {
    for (const route of routes) this.#router.add(route);
  }

  onResponse(listener: ResponseListener): void {
    this.#listeners.push(listener);
  }

  /** Responds to a request. Doesn't reject: an error is a response too. */
  async respond(plain: PlainRequest): Promise<PlainResponse> {
    this.#underWay += 1;
    try {
      const request = new ServedRequest(plain, this.newRequestId());
      const response = this.#withHeaders(request, await this.#serve(request));
      this.#observe(request, response.status);
      endSpan(request, response.status);
      for (const listener of this.#listeners) listener(request, response);
      return request.cut === undefined ? response : { ...response, cut: request.cut };
    } finally {
      this.#underWay -= 1;
      if (this.#underWay === 0) for (const resolve of this.#whenIdle.splice(0)) resolve();
    }
  }

  /** Resolves when no request is under way, or when the signal is aborted. */
  idle(signal: AbortSignal): Promise<void> {
    if (this.#underWay === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#whenIdle.push(resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  async #serve(request: ServedRequest): Promise<PlainResponse> {
    let route: Route | undefined;
    try {
      const found = this.#router.find(request.method, request.plain.target);
      if (found?.route.operation !== PROBE) this.#requireHost?.(request);
      if (this.#cors && request.method === 'OPTIONS') return PREFLIGHT;
      this.lifecycle.requireOpen();
      if (request.plain.violation) throw invalid([request.plain.violation]);
      route = found?.route;
      request.route = route?.path;
      if (route?.operation !== undefined) request.operation = route.operation;
      if (this.#tracer) beginSpan(this.#tracer, request);
      requireTypedQuery(request);
      if (!found) throw routeNotFound(request);
      request.parameters = found.parameters;
      return await found.route.respond(request);
    } catch (error) {
      if (error instanceof NoResponse) return NoResponse.response;
      const problem = () => this.#problemOf(error, request);
      return route?.fail ? route.fail(error, request, problem) : problem();
    }
  }

  /** The response with the headers that all have. Those of its own come before them. */
  #withHeaders(request: ServedRequest, response: PlainResponse): PlainResponse {
    const headers: Record<string, string> = { [REQUEST_ID]: request.id, ...RESPONSE_HEADERS, ...response.headers };
    if (this.#cors) addCors(headers, this.#cors.headersFor(request));
    // Without this a connection that is kept alive holds up the end of the process until its own time-out.
    if (this.lifecycle.phase !== 'serving') headers['connection'] = 'close';
    return { ...response, headers };
  }
}

function addCors(headers: Record<string, string>, added: ResponseHeaders): void {
  const vary = headers['vary'];
  Object.assign(headers, added);
  if (vary !== undefined && added['vary'] !== undefined) headers['vary'] = `${vary}, ${added['vary']}`;
}

/** A request of this method must say what its body is (RFC 10008, 2), wherever it is sent. */
function requireTypedQuery({ method, headers }: ServedRequest): void {
  if (method === 'QUERY' && headers['content-type'] === undefined) throw wrongType();
}

/** The problem of a request that no route is for. */
export function routeNotFound({ method, path }: ServedRequest): ProblemError {
  return new ProblemError('not-found', `Route not found: ${method} ${path.slice(0, PATH_SHOWN)}.`);
}
