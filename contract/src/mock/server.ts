/**
 * The mock: Prism answers from the contract's examples and checks every request; this file is the HTTP around it.
 * Prism's own HTTP server is not used: it never answers a body that is not JSON, sends every callback of the
 * operation (unsigned, even after a 401) to the addresses in requests, and breaks when a violation quotes text
 * that no header can carry.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UserError } from '../cli.ts';
import { readBundle } from '../model.ts';
import { type Answer, createPrism, type Prism, type Violation } from './prism.ts';

export interface MockOptions {
  /** 0 takes a free port. */
  port?: number;
  host?: string;
  /** Prints a line for every request. */
  verbose?: boolean;
}

export interface Mock {
  url: string;
  close(): Promise<void>;
}

export const DEFAULT_PORT = 4010;
export const DEFAULT_HOST = '127.0.0.1';
const BODY_BYTES_MAX = 10 * 1024 * 1024;
const HEADER_CHARACTERS_MAX = 8000;

/** Starts the mock of generated/openapi.json. Throws a UserError when the address cannot be listened on. */
export async function startMock(options: MockOptions = {}): Promise<Mock> {
  const { port = DEFAULT_PORT, host = DEFAULT_HOST, verbose = false } = options;
  const prism = await createPrism(readBundle());
  const server = createServer(async (request, reply) => {
    const started = performance.now();
    const answer = await respond(prism, request).catch((error: Error) => problem(500, error.message));
    send(request, reply, answer);
    if (verbose) console.log(logLine(request, answer, started));
  });
  await listen(server, port, host);
  const address = server.address() as AddressInfo;
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return { url: `http://${name}:${address.port}`, close: () => close(server) };
}

async function respond(prism: Prism, request: IncomingMessage): Promise<Answer> {
  if (request.method === 'OPTIONS') return { status: 204, headers: {}, body: undefined, violations: [] };
  const text = await readText(request);
  if (text === undefined) return problem(413, `The mock takes at most ${BODY_BYTES_MAX} bytes.`);
  const { body, violations } = parseBody(request, text);
  const { method = 'GET', url = '/', headers } = request;
  if (!isAddress(url)) return problem(400, `${url} is no address.`);
  const answer = await prism({ method, url, headers, body });
  return { ...answer, violations: [...violations, ...answer.violations] };
}

function isAddress(url: string): boolean {
  try {
    return decodeURIComponent(new URL(url, 'http://mock.invalid').pathname) !== '';
  } catch {
    return false;
  }
}

/** Pages of any origin may call the mock with any header. */
function allowBrowsers(request: IncomingMessage, reply: ServerResponse): void {
  reply.setHeader('Access-Control-Allow-Origin', request.headers.origin ?? '*');
  reply.setHeader('Access-Control-Allow-Headers', request.headers['access-control-request-headers'] ?? '*');
  reply.setHeader('Access-Control-Allow-Methods', request.headers['access-control-request-method'] ?? '*');
  reply.setHeader('Access-Control-Expose-Headers', '*');
  reply.setHeader('Vary', 'Origin');
}

/** The body as text, or nothing when it is too large; then the rest is read and dropped, so that the answer arrives. */
async function readText(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= BODY_BYTES_MAX) chunks.push(chunk);
  }
  return size > BODY_BYTES_MAX ? undefined : Buffer.concat(chunks).toString();
}

/** What is not valid JSON counts as no body: where one is required, Prism then answers as to any invalid request. */
function parseBody(request: IncomingMessage, text: string): { body: unknown; violations: Violation[] } {
  if (text === '') return { body: undefined, violations: [] };
  if (!/^application\/(.+\+)?json\b/i.test(request.headers['content-type'] ?? ''))
    return { body: text, violations: [] };
  try {
    return { body: JSON.parse(text), violations: [] };
  } catch (error) {
    const violation = { location: ['request', 'body'], code: 'json', message: (error as Error).message };
    return { body: undefined, violations: [violation] };
  }
}

function send(request: IncomingMessage, reply: ServerResponse, answer: Answer): void {
  allowBrowsers(request, reply);
  for (const [name, value] of Object.entries(answer.headers)) reply.setHeader(name, value);
  if (answer.violations.length > 0) reply.setHeader('sl-violations', headerText(answer.violations));
  reply.statusCode = answer.status;
  reply.end(answer.body === undefined ? undefined : JSON.stringify(answer.body));
}

/** JSON that a header can carry: a violation may quote any character of the request. */
function headerText(violations: Violation[]): string {
  return JSON.stringify(violations)
    .replace(/[^ -~]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .slice(0, HEADER_CHARACTERS_MAX);
}

function problem(status: number, detail: string): Answer {
  return {
    status,
    headers: { 'content-type': 'application/problem+json' },
    body: { type: 'about:blank', title: 'The mock cannot answer', status, detail },
    violations: [],
  };
}

function logLine(request: IncomingMessage, answer: Answer, started: number): string {
  const took = `${Math.round(performance.now() - started)} ms`;
  const violations = answer.violations.map((violation) => `\n  ${violation.message}`);
  return `${request.method} ${request.url} ${answer.status} ${took}${violations.join('')}`;
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
