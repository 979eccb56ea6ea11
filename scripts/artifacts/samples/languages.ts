/** A call as a program: with curl, with Python, and with the client. The try-it page imports this module too. */
import type { Json } from '../../../contract/src/model.ts';
import type { Credential, SampleCall } from './call.ts';

/** A call as a command for a POSIX shell. */
export function curlSample({ operation, request, path, baseUrl, credential, apiKey }: SampleCall): string {
  const query = Object.entries(request.query);
  const method =
    operation.method === 'get' ? (query.length > 0 ? ' --get' : '') : ` --request ${operation.method.toUpperCase()}`;
  return [
    `curl${method} "\${BASE_URL:-${baseUrl}}${path}"`,
    `  --header "${credential.header}: ${credential.prefix}\${API_KEY:-${apiKey}}"`,
    ...query.map(([name, value]) => `  --data-urlencode ${quote(`${name}=${value}`)}`),
    ...(request.body === undefined
      ? []
      : [
          `  --header "Content-Type: ${operation.request?.mediaType}"`,
          `  --data ${quote(JSON.stringify(request.body, null, 2))}`,
        ]),
  ].join(' \\\n');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A call with Python's standard library only. */
export function pythonSample({ operation, request, path, baseUrl, credential, apiKey, hasStatus }: SampleCall): string {
  const hasQuery = Object.keys(request.query).length > 0;
  const url = `base_url + "${path}${hasQuery ? '?' : ''}"`;
  return [
    'import json',
    'import os',
    'import urllib.error',
    ...(hasQuery ? ['import urllib.parse'] : []),
    'import urllib.request',
    '',
    `base_url = os.environ.get("BASE_URL", "${baseUrl}")`,
    `api_key = os.environ.get("API_KEY", "${apiKey}")`,
    ...(hasQuery ? [`query = urllib.parse.urlencode(${pythonLiteral(request.query)})`] : []),
    ...(request.body === undefined ? [] : [`body = ${pythonLiteral(request.body)}`]),
    'request = urllib.request.Request(',
    `    ${url}${hasQuery ? ' + query' : ''},`,
    `    method="${operation.method.toUpperCase()}",`,
    '    headers={',
    `        "${credential.header}": ${credential.prefix ? `"${credential.prefix}" + ` : ''}api_key,`,
    ...(request.body === undefined ? [] : [`        "Content-Type": "${operation.request?.mediaType}",`]),
    '    },',
    ...(request.body === undefined ? [] : ['    data=json.dumps(body).encode(),']),
    ')',
    'try:',
    '    with urllib.request.urlopen(request, timeout=30) as response:',
    '        data = json.load(response)',
    'except urllib.error.HTTPError as error:',
    '    raise SystemExit(f"{error.code} {error.read().decode()}")',
    hasStatus ? 'print(data["transaction_id"], data["status"])' : 'print(data)',
    '',
  ].join('\n');
}

const WORDS = new Map<Json, string>([
  [null, 'None'],
  [true, 'True'],
  [false, 'False'],
]);

/** A value as Python. A string of JSON is one of Python, too. */
function pythonLiteral(value: Json, indent = ''): string {
  const inner = `${indent}    `;
  const word = WORDS.get(value);
  if (word) return word;
  if (Array.isArray(value)) return `[${value.map((item) => pythonLiteral(item, indent)).join(', ')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const lines = Object.entries(value).map(
    ([key, item]) => `${inner}${JSON.stringify(key)}: ${pythonLiteral(item, inner)},\n`,
  );
  return `{\n${lines.join('')}${indent}}`;
}

/** A call with the client that people install. */
export function typescriptSample({ operation, request, baseUrl, credential, apiKey, hasStatus }: SampleCall): string {
  const places = { path: request.path, query: request.query };
  const params = Object.fromEntries(Object.entries(places).filter(([, values]) => Object.keys(values).length > 0));
  const options = {
    ...(Object.keys(params).length > 0 && { params }),
    ...(request.body !== undefined && { body: request.body }),
  };
  const given = Object.keys(options).length > 0 ? `, ${literal(options)}` : '';
  return `import { createPaymentsClient } from 'payments-client';

const client = createPaymentsClient({
  baseUrl: process.env['BASE_URL'] ?? ${literal(baseUrl)},
  ${authentication(credential, apiKey)},
});

const { data, error } = await client.${operation.method.toUpperCase()}('${operation.path}'${given});
if (error) throw new Error(\`\${error.status} \${error.title}: \${error.detail}\`);
console.log(${hasStatus ? 'data.transaction_id, data.status' : 'data'});
`;
}

/** The client has a dedicated option for bearer keys. */
function authentication({ header, prefix }: Credential, apiKey: string): string {
  const key = `process.env['API_KEY'] ?? '${apiKey}'`;
  if (header === 'Authorization') return `apiKey: ${key}`;
  return `auth: { ${literalKey(header)}: \`${prefix}\${${key}}\` }`;
}

/** A value in the style of this repository: bare keys, single quotes. */
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
