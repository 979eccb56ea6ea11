/** The HTTP side: the API's routes, and what holds for every request. */
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Services } from '../operations/operation.ts';
import type { Log } from '../platform/log.ts';
import type { KeyPolicy } from '../store/access/api-keys.ts';
import type { Contract } from '../wire/contract.ts';
import { ProblemError } from '../wire/problems.ts';
import { type Authentication, authentication } from './auth.ts';
import { batchResponses } from './batched-responses.ts';
import { takeJsonOnly } from './body.ts';
import { channelNotifications } from './channel-notifications.ts';
import { type ConnectionLimits, limitConnections } from './connections.ts';
import { allowOrigins } from './cors.ts';
import { sendProblem } from './errors.ts';
import { type HostNames, refuseOtherHosts } from './host-check.ts';
import { followLifecycle, type Lifecycle } from './lifecycle.ts';
import { refuseMalformed, respondToMalformed, strictHttp } from './malformed.ts';
import { createObserver, observeRequests, startObserving } from './observe.ts';
import { addProbes, type Metrics } from './operational.ts';
import { createRateLimits, type RateLimits } from './rate-limits.ts';
import { addRoutes, type RequestFaults, type ResponseCheck } from './routes.ts';
import { recordUnavailability, type Unavailability } from './unavailability.ts';

export interface ServerOptions {
  readonly contract: Contract;
  readonly services: Services;
  readonly log: Log;
  readonly limits: Limits;
  readonly network?: Partial<Network>;
  /** API keys to accept. Defaults to test keys, without the demo's. */
  readonly keyPolicy?: Partial<KeyPolicy>;
  /** Accepts the sessions of the console. Only where no money moves. */
  readonly consoleSessions?: boolean;
  /** Under which names it is reached. Without it, requests are served whatever name they are for. */
  readonly hostNames?: HostNames | undefined;
  readonly metrics: Metrics;
  /** Adds the pages that are served along with the API, under the same limits. */
  readonly addPages?: (app: FastifyInstance, parts: PageParts) => Promise<void>;
  readonly checkResponse?: ResponseCheck | undefined;
  readonly requestFaults?: RequestFaults | undefined;
  /** Ends responses that would never end. */
  readonly onDrain?: (() => void) | undefined;
}

/** Parts of the server that pages share with the API. */
export interface PageParts {
  readonly rates: RateLimits;
  readonly authentication: Authentication;
  readonly unavailability: Unavailability;
}

export interface Limits extends ConnectionLimits {
  readonly bodyBytesMax: number;
  /** Requests of one API key in a second. */
  readonly requestsPerSecond: number;
  /** Milliseconds that a connection may be idle after a response. */
  readonly keepAliveMs: number;
  readonly headerTimeoutMs: number;
  readonly requestTimeoutMs: number;
}

/** The network between this server and its clients. */
export interface Network {
  /** The address or name that it listens on. */
  readonly host: string;
  /** Names of this server, in addition to its own and those of loopback. */
  readonly allowedHosts: readonly string[];
  /** CIDRs of the reverse proxies whose X-Forwarded headers are believed. A count of hops is not supported: Fastify trusts none. */
  readonly trustProxy: readonly string[];
  /** Origins whose pages may call the API, or `*`. */
  readonly corsOrigins: readonly string[];
}

export interface Server {
  readonly app: FastifyInstance;
  readonly lifecycle: Lifecycle;
}

/** Requests are checked by validators that are compiled ahead, so what Fastify would compile its own with need not be loaded. */
const NO_COMPILERS = { buildValidator: refuseSchema, buildSerializer: refuseSchema };

function refuseSchema(): never {
  throw new Error('routes have no schemas of Fastify: the contract has them (http/request-check.ts)');
}

/** Builds the server without listening. Throws when handlers and contract differ. */
export async function createServer(options: ServerOptions): Promise<Server> {
  const { contract, services, limits, log } = options;
  const { trustProxy = [], corsOrigins = [] } = options.network ?? {};
  const unavailability = recordUnavailability({ counter: options.metrics.unavailable, log });
  const observe = createObserver(options.metrics.requests, log);
  const fail = (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
    sendProblem({ contract, log, unavailability }, error, request, reply);
  const newRequestId = () => services.ids.newId('req', services.clock.now(), services.ids.count());
  const app = Fastify({
    bodyLimit: limits.bodyBytesMax,
    trustProxy: trustProxy.length > 0 && [...trustProxy],
    requestTimeout: limits.requestTimeoutMs,
    connectionTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveMs,
    http: strictHttp(Math.min(limits.headerTimeoutMs, limits.requestTimeoutMs)),
    clientErrorHandler: respondToMalformed(contract, newRequestId, log),
    routerOptions: { maxParamLength: 1024 },
    schemaController: { compilersFactory: NO_COMPILERS },
    // followLifecycle responds with the contract's problem instead.
    return503OnClosing: false,
    genReqId: newRequestId,
    // Lines come from here alone, one for each request and one for each failure, and name their request themselves.
    logger: false,
    // No hook sees these.
    frameworkErrors: (error, request, reply) => {
      fail(error, request, startObserving(request, reply));
      observe(request, reply);
    },
  });
  limitConnections(app.server, limits, trustProxy, options.metrics, log);
  app.server.headersTimeout = limits.headerTimeoutMs;
  app.setErrorHandler(fail);
  app.setNotFoundHandler((request, reply) =>
    fail(new ProblemError('not-found', `Route not found: ${request.method} ${pathOf(request)}.`), request, reply),
  );
  observeRequests(app, observe);
  if (options.hostNames) refuseOtherHosts(app, options.hostNames);
  await allowOrigins(app, corsOrigins);
  const lifecycle = followLifecycle(app, services.clock, options.onDrain);
  refuseMalformed(app);
  takeJsonOnly(app);
  const rates = createRateLimits(limits.requestsPerSecond);
  batchResponses(app);
  addProbes(app, { store: services.store, metrics: options.metrics, lifecycle, unavailability });
  const policy = { live: false, demo: false, ...options.keyPolicy };
  const sessions = options.consoleSessions === true && !policy.live;
  const access = authentication(services, rates, { ...policy, sessions });
  addRoutes(app, options, access.authenticate);
  await app.register(channelNotifications, { prefix: '/channels', services, rates });
  await options.addPages?.(app, { rates, authentication: access, unavailability });
  return { app, lifecycle };
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0]?.slice(0, 200) ?? '';
}
