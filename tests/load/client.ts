/** Requests of a merchant to gateways in other processes. Node's `http` takes less of the processor than `fetch`. */
import { once } from 'node:events';
import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';

export interface Caller {
  /** Address of a gateway, without a slash at the end. */
  readonly url: string;
  /** API key. */
  readonly key: string;
  /** A dedicated agent that keeps connections open. Defaults to the process-wide one. */
  readonly agent?: http.Agent;
  /** Milliseconds after which no response is waited for; without it, there is no end. */
  readonly withinMs?: number;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Undefined when it is empty. */
  readonly body: unknown;
}

/** Sends a request. Rejects when there is no response, or only a part of one. */
export async function send(caller: Caller, method: string, path: string, body?: unknown): Promise<Answer> {
  const { url, key, agent, withinMs } = caller;
  const sent = body === undefined ? '' : JSON.stringify(body);
  const request = http.request(url + path, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(sent !== '' && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) }),
    },
    ...(agent && { agent }),
    ...(withinMs !== undefined && { signal: AbortSignal.timeout(withinMs) }),
  });
  request.end(sent);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  // A connection that ends from now on fails the response.
  request.on('error', () => undefined);
  response.setEncoding('utf8');
  let text = '';
  for await (const chunk of response) text += chunk;
  const { statusCode: status = 0, headers } = response;
  return { status, headers, body: text === '' ? undefined : JSON.parse(text) };
}

/** Whether the request was taken. */
export function isTaken({ status }: Pick<Answer, 'status'>): boolean {
  return status >= 200 && status < 300;
}

/** Sends a request and returns the body of its response. Rejects unless it was taken. */
export async function sendTaken<Body>(caller: Caller, method: string, path: string, body?: unknown): Promise<Body> {
  const answer = await send(caller, method, path, body);
  if (isTaken(answer)) return answer.body as Body;
  throw new Error(`${method} ${caller.url}${path} returned ${answer.status}: ${JSON.stringify(answer.body)}`);
}
