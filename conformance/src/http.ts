/** Calls of the service under test. */
import type { Json, Operation } from '../../contract/src/model.ts';
import type { Settings } from './settings.ts';

export interface Call {
  operation: Operation;
  path?: Record<string, string>;
  query?: Record<string, string>;
  body?: Json;
  /** Sent instead of `body`, as it is. */
  text?: string;
  mediaType?: string;
  /** null sends none; without it the key of the settings is sent. */
  key?: string | null;
  /** Chooses an answer where the service follows the `Prefer` header. */
  prefer?: { code: string; example?: string };
}

export interface Exchange {
  call: Call;
  status: number;
  headers: Headers;
  text: string;
  /** The body, where it is JSON. */
  body?: Json;
}

/** The service gave no answer at all; the message says why. */
export class NoAnswer extends Error {}

/** Makes a call. Throws NoAnswer when there is no HTTP answer in time. */
export async function send(settings: Settings, call: Call): Promise<Exchange> {
  const text = call.text ?? (call.body === undefined ? undefined : JSON.stringify(call.body));
  try {
    const response = await fetch(address(settings.baseUrl, call), {
      method: call.operation.method.toUpperCase(),
      headers: headers(settings, call, text),
      ...(text !== undefined && { body: text }),
      redirect: 'manual',
      signal: AbortSignal.timeout(settings.timeoutMs),
    });
    const answer = await response.text();
    const exchange = { call, status: response.status, headers: response.headers, text: answer };
    const body = parse(answer);
    return body === undefined ? exchange : { ...exchange, body };
  } catch (error) {
    throw new NoAnswer(whyNoAnswer(error as Error, settings.timeoutMs));
  }
}

/** The media type of an answer, without parameters. */
export function mediaType(exchange: Exchange): string {
  return (exchange.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

function address(baseUrl: string, { operation, path = {}, query = {} }: Call): string {
  const filled = operation.path.replace(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? name));
  const search = new URLSearchParams(query).toString();
  return `${baseUrl}${filled}${search ? `?${search}` : ''}`;
}

function headers(settings: Settings, call: Call, text: string | undefined): Record<string, string> {
  const key = call.key === undefined ? settings.key : call.key;
  const { code, example } = call.prefer ?? {};
  return {
    ...(text !== undefined && { 'content-type': call.mediaType ?? call.operation.request?.mediaType ?? 'text/plain' }),
    ...(key !== null && { authorization: `Bearer ${key}` }),
    ...(code && { prefer: example ? `code=${code}, example=${example}` : `code=${code}` }),
  };
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function whyNoAnswer(error: Error, timeoutMs: number): string {
  if (error.name === 'TimeoutError') return `no answer within ${timeoutMs} ms`;
  const cause = error.cause as (Error & { code?: string }) | undefined;
  const reasons: Record<string, string> = {
    ECONNREFUSED: 'nothing listens there',
    ENOTFOUND: 'the host name is not known',
    EAI_AGAIN: 'the host name cannot be looked up',
    ECONNRESET: 'the connection was closed without an answer',
    UND_ERR_SOCKET: 'the connection was closed without an answer',
  };
  if (cause?.name === 'HTTPParserError') return 'what answers does not speak HTTP';
  return reasons[cause?.code ?? ''] ?? cause?.message ?? error.message;
}
