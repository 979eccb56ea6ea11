import type { Json } from '../../../contract/src/model.ts';
import type { SampleCall } from './call.ts';

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
    ...(hasQuery ? [`query = urllib.parse.urlencode(${literal(request.query)})`] : []),
    ...(request.body === undefined ? [] : [`body = ${literal(request.body)}`]),
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
function literal(value: Json, indent = ''): string {
  const inner = `${indent}    `;
  const word = WORDS.get(value);
  if (word) return word;
  if (Array.isArray(value)) return `[${value.map((item) => literal(item, indent)).join(', ')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const lines = Object.entries(value).map(
    ([key, item]) => `${inner}${JSON.stringify(key)}: ${literal(item, inner)},\n`,
  );
  return `{\n${lines.join('')}${indent}}`;
}
