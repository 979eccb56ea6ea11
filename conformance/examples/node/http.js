/** HTTP: routes, authentication, bodies and problems. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { parseJson } from './json.js';
import { paymentPage, returnUrl } from './payment-page.js';
import { internalError, invalid, Problem } from './problem.js';
import { escapePointer, validateBody } from './requests.js';
import { balanceView, confirmationView, creationView, transactionView } from './views.js';

const MAX_BODY_BYTES = 64 * 1024;
const MAX_ID_LENGTH = 255;

/** A test key with one of these suffixes, such as `.503`, gets that status for every request. */
const FAULT = /^(.+)\.(429|500|503)$/;

/** Route, status and view of each operation. */
const OPERATIONS = {
  createPayment: [/^POST \/payments$/, 200, creationView],
  findPayment: [/^GET \/payments$/, 200, transactionView],
  getPayment: [/^GET \/payments\/(?<transaction_id>[^/]+)$/, 200, transactionView],
  clarifyPayment: [/^POST \/payments\/(?<transaction_id>[^/]+)\/clarify$/, 200, transactionView],
  confirmPayment: [/^POST \/payments\/(?<transaction_id>[^/]+)\/confirm$/, 200, confirmationView],
  getBalance: [/^GET \/merchant\/balance$/, 200, balanceView],
  createPayout: [/^POST \/payouts$/, 201, creationView],
  getPayout: [/^GET \/payouts\/(?<payout_id>[^/]+)$/, 200, transactionView],
  // For tests only: lets a transaction continue that its test customer's plan stops in the status.
  release: [/^PUT \/test\/released\/(?<transaction_id>[^/]+)$/, 204, () => undefined],
};

/** Query parameters, of which a request has exactly one. */
const PARAMETERS = { findPayment: ['transaction_id', 'merchant_order_id'], release: ['status'] };

function requireId(place, name, value) {
  const isValid = value !== '' && [...value].length <= MAX_ID_LENGTH && !value.includes('\0');
  const message = `must have 1 to ${MAX_ID_LENGTH} characters, without U+0000`;
  if (!isValid) throw invalid([{ in: place, pointer: `/${name}`, message }]);
}

function authenticate(merchants, authorization = '') {
  const headers = { 'www-authenticate': 'Bearer realm="Daybook"' };
  const [, key] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
  if (!key) throw new Problem('unauthorized', 'Missing API key. Send `Authorization: Bearer <key>`.', { headers });
  const [, faultyKey, fault] = FAULT.exec(key) ?? [];
  const merchant = merchants.find((each) => each.key === (faultyKey ?? key));
  if (!merchant) throw new Problem('unauthorized', 'Unknown API key. Copy the key again.', { headers });
  if (fault) throw simulatedFault(fault);
  return merchant;
}

/** `Retry-After` is a number of seconds for one, and a date for the other, since clients have to read both. */
function simulatedFault(status) {
  if (status === '500') return internalError();
  const [name, retryAfter] =
    status === '429' ? ['rate-limited', '3'] : ['unavailable', new Date(Date.now() + 3_000).toUTCString()];
  const headers = { 'retry-after': retryAfter };
  return new Problem(name, 'Wait as Retry-After says, and send the request again.', { headers });
}

function readQuery(operation, search) {
  const query = new URLSearchParams(search);
  const known = PARAMETERS[operation] ?? [];
  const violations = [...new Set(query.keys())].flatMap((name) => {
    const violation = (message) => [{ in: 'query', pointer: `/${escapePointer(name)}`, message }];
    if (!known.includes(name)) return violation('is not a query parameter of this operation');
    return query.getAll(name).length > 1 ? violation('must be given once') : [];
  });
  if (violations.length > 0) throw invalid(violations);
  if (known.length > 0 && query.size !== 1) {
    throw invalid([{ in: 'query', pointer: '', message: `must have exactly one of ${known.join(' and ')}` }]);
  }
  for (const [name, value] of query) requireId('query', name, value);
  return Object.fromEntries(query);
}

async function readBytes(request) {
  const chunks = [];
  let size = 0;
  // Reads and drops the rest of a large body, so that the client gets the response.
  for await (const chunk of request) {
    size += chunk.length;
    if (size <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  if (size > MAX_BODY_BYTES) throw new Problem('body-too-large', `Send at most ${MAX_BODY_BYTES} bytes.`);
  return Buffer.concat(chunks);
}

async function readBody(request) {
  const mediaType = request.headers['content-type']?.split(';')[0].trim().toLowerCase();
  if (mediaType !== 'application/json') {
    throw new Problem('unsupported-media-type', 'Send the body as JSON, with `Content-Type: application/json`.');
  }
  const bytes = await readBytes(request);
  try {
    return parseJson(bytes);
  } catch {
    throw invalid([{ in: 'body', pointer: '', message: 'is not valid JSON' }]);
  }
}

/** The ID in a path, from the named groups of its route. */
function readId(groups) {
  const [[name, encoded]] = Object.entries(groups);
  let id;
  try {
    id = decodeURIComponent(encoded);
  } catch {
    throw invalid([{ in: 'path', pointer: `/${name}`, message: 'is not valid percent-encoding' }]);
  }
  requireId('path', name, id);
  return id;
}

/** `baseUrl` returns the address of the service for customers. */
export function createHttpServer({ service, merchants, baseUrl }) {
  async function respondToOperation(request, response, path, search) {
    const line = `${request.method} ${path}`;
    const operation = Object.keys(OPERATIONS).find((id) => OPERATIONS[id][0].test(line));
    if (!operation) throw new Problem('not-found', `The service has no ${line}.`);
    const [route, status, view] = OPERATIONS[operation];
    const merchant = authenticate(merchants, request.headers.authorization);
    const query = readQuery(operation, search);
    const { groups } = route.exec(line);
    const id = groups && readId(groups);
    const body = request.method === 'POST' ? await readBody(request) : undefined;
    if (request.method === 'POST') validateBody(operation, body);
    const result = view(service[operation]({ merchant, query, id, body }), baseUrl());
    if (result) response.setHeader('content-type', 'application/json');
    response.writeHead(status).end(result && JSON.stringify(result, null, 2));
  }

  async function respondToPage(request, response, token) {
    const payment = service.pagePayment(token);
    if (!payment) throw new Problem('not-found', 'No payment page has this address.');
    if (request.method !== 'POST') {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(paymentPage(payment));
      return;
    }
    const form = new URLSearchParams((await readBytes(request)).toString());
    response.writeHead(303, { location: returnUrl(service.leavePage(payment, form.get('action'))) }).end();
  }

  function respond(request, response) {
    const [path, search] = request.url.split(/\?(.*)/s);
    const [, token] = /^\/pay\/([^/]+)$/.exec(path) ?? [];
    return token ? respondToPage(request, response, token) : respondToOperation(request, response, path, search);
  }

  return createServer((request, response) => {
    const requestId = randomUUID();
    response.setHeader('x-request-id', requestId);
    respond(request, response).catch((error) => {
      if (!(error instanceof Problem)) console.error(requestId, error);
      const problem = error instanceof Problem ? error : internalError();
      // The connection is closed, since the rest of the request isn't read.
      const headers = { ...problem.headers, 'content-type': 'application/problem+json', connection: 'close' };
      response.writeHead(problem.status, headers);
      response.end(JSON.stringify({ ...problem.body, request_id: requestId }, null, 2));
    });
  });
}
