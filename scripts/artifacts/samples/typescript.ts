import type { Json } from '../../../contract/src/model.ts';
import type { Credential, SampleCall } from './call.ts';

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
