import type { SampleCall } from './call.ts';

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
