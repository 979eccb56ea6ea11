/**
 * The mock. It validates every request against the contract and responds with Prism's examples, into which it copies
 * values from the request. Prism's own HTTP server and validation are not used: the server hangs on a body that isn't
 * JSON, sends unsigned callbacks to the addresses in requests even after a 401, and responds to an invalid request with
 * an example instead of the violations.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { createInstance } from '@stoplight/prism-http';
import type { ValidationProblem } from '../../../generated/types.ts';
import { UserError } from '../cli.ts';
import { type Bundle, findResponse, type JsonObject, type Operation, operations, readBundle } from '../model.ts';
import { readBodyText } from '../read-text.ts';
import { echo } from './echo.ts';
import { type DocumentedOperations, readPreferences, type SelectedResponse, select } from './preferences.ts';
import { invalidRequest, MockProblem, type ProblemBodies, problemBodies } from './problems.ts';
import { createRoutes, findRoute, type MockRoute, type RouteMatch, readQuery } from './routes.ts';
import { withStatusExamples } from './status-examples.ts';
import { type CheckedCall, knownTransaction } from './transactions.ts';
import { varyExample } from './vary.ts';
import { createWebhookSender, type PlannedWebhook, type WebhookOptions, type WebhookSender } from './webhooks.ts';

export interface MockOptions {
  /** 0 takes a free port. */
  port?: number;
  host?: string;
  /** Gets a line for every request. */
  log?: (line: string) => void;
  webhooks?: WebhookOptions;
  /** Waits for the delay that a request asks for, in milliseconds. */
  wait?: Wait;
  /** Milliseconds since 1970, for the times in varied responses. */
  now?: () => number;
}

type Wait = (milliseconds: number) => Promise<unknown>;

export interface Mock {
  url: string;
  close(): Promise<void>;
}

export const DEFAULT_PORT = 4010;
export const DEFAULT_HOST = '127.0.0.1';
const BODY_BYTES_MAX = 10 * 1024 * 1024;
const PROBLEM_HEADERS = { 'content-type': 'application/problem+json' };

/** Starts the mock of generated/openapi.json. Throws a UserError when the address cannot be listened on. */
export async function startMock(options: MockOptions = {}): Promise<Mock> {
  const { port = DEFAULT_PORT, host = DEFAULT_HOST, log, wait = sleep, now = Date.now } = options;
  const bundle = withStatusExamples(readBundle());
  const webhooks = createWebhookSender(bundle, options.webhooks ?? {});
  const respond = await responder(bundle, { wait, now, webhooks });
  const server = createServer(async (request, reply) => {
    const started = performance.now();
    const { webhook, ...answer } = await respond(request);
    if (webhook) reply.once('close', () => webhooks.send(webhook));
    send(request, reply, answer);
    log?.(logLine(request, answer, started));
  });
  await listen(server, port, host);
  const address = server.address() as AddressInfo;
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    url: `http://${name}:${address.port}`,
    close: () => {
      webhooks.close();
      return close(server);
    },
  };
}

/** Doesn't keep the process alive once the mock is closed. */
const sleep: Wait = (milliseconds) => setTimeout(milliseconds, undefined, { ref: false });

type Respond = (request: IncomingMessage) => Promise<Answer & { readonly webhook?: PlannedWebhook | undefined }>;

interface ResponderOptions {
  readonly wait: Wait;
  readonly now: () => number;
  readonly webhooks: WebhookSender;
}

async function responder(bundle: Bundle, { wait, now, webhooks }: ResponderOptions): Promise<Respond> {
  const all = operations(bundle);
  const known: DocumentedOperations = { bundle, operations: all };
  const mock = { prism: await createPrism(bundle), routes: createRoutes(all), bodies: problemBodies(all) };
  return async (request) => {
    if (request.method === 'OPTIONS') return { status: 204, headers: {}, body: undefined };
    let operation: Operation | undefined;
    try {
      // Always read the body. A client that is still sending would not receive the response.
      const text = await readBodyText(request, BODY_BYTES_MAX);
      const match = route(mock.routes, request);
      operation = match.route.operation;
      const call = check(match, request, text);
      const preferences = readPreferences(request.headers['prefer']);
      const selection = select(known, call, preferences);
      const answer = await mock.prism(operation, selection);
      const body = createBody(known, call, selection, answer.body, now());
      const asked = { call, preferred: preferences.get('webhook'), origin: request.headers.origin };
      const webhook = answer.status < 300 ? webhooks.plan(asked, body as JsonObject) : undefined;
      if (selection.delay) await wait(selection.delay);
      return { ...answer, body, webhook };
    } catch (error) {
      const refusal = error instanceof MockProblem ? error : new MockProblem(500, { detail: (error as Error).message });
      return refuse(mock, refusal, operation);
    }
  };
}

/** Returns the selected example with the request's values, varied on request. */
function createBody(
  known: DocumentedOperations,
  call: CheckedCall,
  { status, random }: SelectedResponse,
  example: unknown,
  now: number,
): unknown {
  const { bundle } = known;
  const schema = findResponse(call.operation, status)?.body?.schema;
  if (!schema) return example;
  const body = (random ? varyExample(bundle, schema, example as JsonObject, random, now) : example) as JsonObject;
  const isAction = call.operation.method !== 'get' && !random;
  return echo(bundle, call, schema, body, isAction ? knownTransaction(known.operations, call) : undefined);
}

interface Parts {
  prism: Prism;
  bodies: ProblemBodies;
}

async function refuse({ prism, bodies }: Parts, refusal: MockProblem, operation?: Operation): Promise<Answer> {
  const { status } = refusal;
  const body = bodies(refusal, operation);
  const { headers } =
    operation && findResponse(operation, status) ? await prism(operation, { status }) : { headers: PROBLEM_HEADERS };
  return { status, headers, body };
}

/** Throws a 404 as the gateway does, which has no 405 either: the contract has no such problem. */
function route(
  routes: readonly MockRoute[],
  { method = 'GET', url = '/' }: IncomingMessage,
): RouteMatch & { query: string } {
  const [path = '/', query = ''] = url.split(/\?(.*)/s);
  let match: RouteMatch | undefined;
  try {
    decodeURIComponent(path);
    match = findRoute(routes, method, path);
  } catch {
    throw invalidRequest([{ in: 'path', pointer: '', message: 'is not a valid path' }]);
  }
  if (!match) throw new MockProblem(404, { detail: `Route not found: ${method} ${path}.` });
  return { ...match, query };
}

/** The parameters and the body. Throws a refusal if the contract doesn't allow the request. */
function check(
  { route, params, query }: RouteMatch & { query: string },
  request: IncomingMessage,
  text: string | undefined,
): CheckedCall {
  const { headers } = request;
  if (!/^Bearer +\S/i.test(headers.authorization ?? '')) throw new MockProblem(401);
  if (text === undefined) throw new MockProblem(413, { detail: `Send at most ${BODY_BYTES_MAX} bytes.` });
  const body = route.operation.request ? parseBody(headers['content-type'], text) : undefined;
  const { parameters, violations } = route.check({ params, query: readQuery(query), body });
  if (violations.length > 0) throw invalidRequest(violations);
  return { operation: route.operation, parameters, body };
}

/** Pages of any origin may call the mock with any header. */
function allowBrowsers(request: IncomingMessage, reply: ServerResponse): void {
  reply.setHeader('Access-Control-Allow-Origin', request.headers.origin ?? '*');
  reply.setHeader('Access-Control-Allow-Headers', request.headers['access-control-request-headers'] ?? '*');
  reply.setHeader('Access-Control-Allow-Methods', request.headers['access-control-request-method'] ?? '*');
  reply.setHeader('Access-Control-Expose-Headers', '*');
  reply.setHeader('Vary', 'Origin');
}

function parseBody(mediaType: string | undefined, text: string): unknown {
  if (text === '') return undefined;
  if (!/^application\/json *(;|$)/i.test(mediaType ?? '')) throw new MockProblem(415);
  try {
    // Some programs begin with a byte order mark.
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    throw invalidRequest([{ in: 'body', pointer: '', message: 'is not valid JSON' }]);
  }
}

function send(request: IncomingMessage, reply: ServerResponse, { status, headers, body }: Answer): void {
  allowBrowsers(request, reply);
  for (const [name, value] of Object.entries(headers)) reply.setHeader(name, value);
  reply.statusCode = status;
  reply.end(body === undefined ? undefined : JSON.stringify(body));
}

function logLine(request: IncomingMessage, { status, body }: Answer, started: number): string {
  const took = `${Math.round(performance.now() - started)} ms`;
  const { violations = [] } = (body ?? {}) as Partial<ValidationProblem>;
  const lines = violations.map((violation) => `\n  ${violation.in} ${violation.pointer} ${violation.message}`);
  return `${request.method} ${request.url} ${status} ${took}${lines.join('')}`;
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(new UserError(whyNot(error, port, host))));
    server.listen(port, host, resolve);
  });
}

function whyNot(error: NodeJS.ErrnoException, port: number, host: string): string {
  const reasons: Record<string, string> = {
    EADDRINUSE: `Port ${port} of ${host} is taken. Choose another with --port, or stop what listens there.`,
    EACCES: `Port ${port} needs more rights. Choose one above 1023 with --port.`,
    EADDRNOTAVAIL: `${host} is not an address of this machine. Choose another with --host, such as ${DEFAULT_HOST}.`,
    ENOTFOUND: `The host name ${host} is not known. Choose another with --host, such as ${DEFAULT_HOST}.`,
  };
  return reasons[error.code ?? ''] ?? `The mock cannot listen on ${host}, port ${port}: ${error.message}`;
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

export interface Answer {
  status: number;
  headers: Record<string, string | number>;
  body: unknown;
}

export type Prism = (operation: Operation, selection: SelectedResponse) => Promise<Answer>;

type Logger = Parameters<typeof createInstance>[1]['logger'];

/** Creates Prism with its validation turned off, since the mock has validated each request already. */
export async function createPrism(bundle: Bundle): Promise<Prism> {
  // Imported late, because loading takes half a second that `--help` need not wait for.
  const { createInstance, getHttpOperationsFromSpec } = await import('@stoplight/prism-http');
  const operations = (await getHttpOperationsFromSpec(structuredClone(bundle))).map(
    ({ callbacks: _, ...operation }) => operation,
  );
  const checks = { checkSecurity: false, validateRequest: false, validateResponse: false, errors: false };
  const shared = { ...checks, isProxy: false as const, upstreamProxy: undefined, mock: { dynamic: false } };
  const prism = createInstance(shared, { logger: silentLogger() });

  return async ({ method, path }, { status, example }) => {
    const mock = { code: status, ...(example !== undefined && { exampleKey: example }), dynamic: false };
    const input = { method: method as 'get', url: { path }, headers: {} };
    const result = await prism.request(input, operations, { ...shared, mock })();
    if (result._tag === 'Left') throw result.left;
    const { output } = result.right;
    return { status: output.statusCode, headers: output.headers ?? {}, body: output.body };
  };
}

/** Discards Prism's logs: the response has all relevant information. */
function silentLogger(): Logger {
  const quiet = () => undefined;
  const levels = ['trace', 'debug', 'info', 'success', 'warn', 'error', 'fatal'];
  const logger: Record<string, unknown> = Object.fromEntries(levels.map((level) => [level, quiet]));
  logger['child'] = () => logger;
  return logger as unknown as Logger;
}
