/**
 * Code samples of the reference site, made from the contract's own examples:
 * curl and TypeScript for each operation, and a receiver in TypeScript for the webhooks.
 * Known limit: Redoc shows no samples beside webhooks (it does beside callbacks), so the receiver also goes into
 * the introduction.
 */
import {
  type Bundle,
  type Json,
  type Operation,
  operations,
  type RequestExample,
  requestExamples,
  successes,
  webhooks,
} from '../../contract/src/model.ts';

/** As Redoc and other tools read it from `x-codeSamples`. */
export interface CodeSample {
  lang: string;
  label: string;
  source: string;
}

const RECEIVER_SECTION = '## Verify the signature';

/** A copy of the bundle with samples for every operation and webhook, and the receiver in the introduction. */
export function withSamples(bundle: Bundle): Bundle {
  const copy = structuredClone(bundle);
  const receive = { lang: 'TypeScript', label: 'Receiver', source: receiver(bundle) };
  for (const operation of operations(bundle)) {
    const raw = copy.paths[operation.path]?.[operation.method];
    if (!raw) throw new Error(`${operation.id} is not at its path`);
    Object.assign(raw, { 'x-codeSamples': operationSamples(bundle, operation) });
    const events = Object.values(raw.callbacks ?? {}).flatMap((callback) => Object.values(callback));
    for (const { post } of events) Object.assign(post, { 'x-codeSamples': [receive] });
  }
  for (const { post } of Object.values(copy.webhooks)) {
    Object.assign(post, { 'x-codeSamples': [receive] });
    post.description = `${post.description.trimEnd()}\n\n[Receiver in TypeScript](#section/Webhooks/Verify-the-signature)`;
  }
  copy.info.description = insertReceiver(copy.info.description, receive.source);
  return copy;
}

/** The samples of an operation, for its first named request. */
export function operationSamples(bundle: Bundle, operation: Operation): CodeSample[] {
  return [
    { lang: 'Shell', label: 'curl', source: curlOf(bundle, operation) },
    typescript(typescriptSample(bundle, operation, firstRequest(operation))),
  ];
}

/** The first named request of an operation as a command. */
export function curlOf(bundle: Bundle, operation: Operation): string {
  return curlSample(bundle, operation, firstRequest(operation));
}

function firstRequest(operation: Operation): RequestExample {
  const [request] = requestExamples(operation);
  if (!request) throw new Error(`${operation.id} has no example to make samples from`);
  return request;
}

function typescript(source: string): CodeSample {
  return { lang: 'TypeScript', label: 'TypeScript', source };
}

function curlSample(bundle: Bundle, operation: Operation, request: RequestExample): string {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(request.path[name] ?? name),
  );
  const [header, credential] = authorization(bundle, '$API_KEY');
  const query = Object.entries(request.query);
  const method =
    operation.method === 'get' ? (query.length > 0 ? ' --get' : '') : ` --request ${operation.method.toUpperCase()}`;
  return [
    `curl${method} "$BASE_URL${path}"`,
    `  --header "${header}: ${credential}"`,
    ...query.map(([name, value]) => `  --data-urlencode ${quote(`${name}=${value}`)}`),
    ...(request.body === undefined
      ? []
      : [
          `  --header "Content-Type: ${operation.request?.mediaType}"`,
          `  --data ${quote(JSON.stringify(request.body, null, 2))}`,
        ]),
  ].join(' \\\n');
}

/** In single quotes for a POSIX shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function typescriptSample(bundle: Bundle, operation: Operation, request: RequestExample): string {
  const [header, credential] = authorization(bundle, `\${process.env['API_KEY']}`);
  const places = { path: request.path, query: request.query };
  const params = Object.fromEntries(Object.entries(places).filter(([, values]) => Object.keys(values).length > 0));
  const options = {
    ...(Object.keys(params).length > 0 && { params }),
    ...(request.body !== undefined && { body: request.body }),
  };
  const given = Object.keys(options).length > 0 ? `, ${literal(options)}` : '';
  return `import { createContractClient } from 'payments-contract/client';

const client = createContractClient({
  baseUrl: process.env['BASE_URL'] ?? ${literal(baseUrl(bundle))},
  headers: { ${literalKey(header)}: \`${credential}\` },
});

const { data, error } = await client.${operation.method.toUpperCase()}('${operation.path}'${given});
if (error) {
  throw new Error(\`\${error.status} \${error.type}: \${error.detail}\`);
}
console.log(${hasStatus(operation) ? 'data.transaction_id, data.status' : 'data'});
`;
}

/** Whether every documented success is a transaction, of which the status matters most. */
function hasStatus(operation: Operation): boolean {
  const values = successes(operation).flatMap((response) => response.body?.examples ?? []);
  return (
    values.length > 0 && values.every(({ value }) => value !== null && typeof value === 'object' && 'status' in value)
  );
}

/** The header that carries the credential, as the contract's security scheme has it. */
function authorization(bundle: Bundle, key: string): [header: string, value: string] {
  const [scheme] = Object.values(bundle.components['securitySchemes'] ?? {}) as {
    type: string;
    scheme?: string;
    name?: string;
  }[];
  if (scheme?.type === 'http' && scheme.scheme === 'bearer') return ['Authorization', `Bearer ${key}`];
  if (scheme?.type === 'apiKey' && scheme.name) return [scheme.name, key];
  throw new Error('samples know bearer and header credentials only; teach scripts/reference/samples.ts the new scheme');
}

function baseUrl(bundle: Bundle): string {
  const [server] = bundle.servers;
  return (server?.url ?? '').replace(
    /\{(\w+)\}/g,
    (name, variable: string) => server?.variables?.[variable]?.default ?? name,
  );
}

/** A value as TypeScript in the style of this repository: bare keys, single quotes. */
function literal(value: Json, indent = ''): string {
  const inner = `${indent}  `;
  if (typeof value === 'string')
    return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
  if (Array.isArray(value)) return `[${value.map((item) => literal(item, indent)).join(', ')}]`;
  if (value === null || typeof value !== 'object') return String(value);
  const lines = Object.entries(value).map(([key, item]) => `${inner}${literalKey(key)}: ${literal(item, inner)},\n`);
  return `{\n${lines.join('')}${indent}}`;
}

function literalKey(key: string): string {
  return /^[A-Za-z_]\w*$/.test(key) ? key : `'${key}'`;
}

/** A receiver that verifies an event before it uses anything of it; nothing beyond Node is needed. */
export function receiver(bundle: Bundle): string {
  const [webhook] = webhooks(bundle);
  const signature = webhook?.parameters.find(
    ({ in: place, name }) => place === 'header' && /^x-.*signature$/i.test(name),
  );
  if (!signature) throw new Error('no webhook has a header X-…-Signature');
  return `import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';

const secret = Buffer.from((process.env['SIGNING_SECRET'] ?? '').replace('whsec_', ''), 'base64');
if (secret.length === 0) throw new Error('SIGNING_SECRET is not set');
const toleranceSeconds = 5 * 60;

function isGenuine(headers: IncomingHttpHeaders, body: Buffer): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp } = headers;
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!id || !timestamp || !(age <= toleranceSeconds)) return false;
  const hmac = createHmac('sha256', secret).update(\`\${id}.\${timestamp}.\`).update(body);
  const expected = Buffer.from(\`v1,\${hmac.digest('base64')}\`);
  return String(headers['${signature.name.toLowerCase()}'])
    .split(' ')
    .map((value) => Buffer.from(value))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected));
}

createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  if (!isGenuine(request.headers, body)) {
    response.writeHead(401).end();
    return;
  }
  response.writeHead(204).end();
  const event: { transaction_id: string; status: string } = JSON.parse(body.toString());
  console.log(request.headers['webhook-id'], event.transaction_id, event.status);
}).listen(Number(process.env['PORT'] ?? 3000));
`;
}

/** Puts the receiver at the end of the section that explains how to verify. */
function insertReceiver(introduction: string, source: string): string {
  const start = introduction.indexOf(`\n${RECEIVER_SECTION}\n`);
  if (start < 0) throw new Error(`openapi/introduction.md has no section "${RECEIVER_SECTION}"`);
  const next = introduction.slice(start + 1).search(/\n#+ /);
  const end = next < 0 ? introduction.length : start + 1 + next;
  return `${introduction.slice(0, end).trimEnd()}\n\n\`\`\`typescript\n${source}\`\`\`\n${introduction.slice(end)}`;
}
