/** Carries Web requests to a gateway, and its responses back: in pages, workers, and runtimes without Node's HTTP server. */
import { bodyTooLarge } from '../http/body.ts';
import { EventStream } from '../http/event-stream.ts';
import { NoResponse, type PlainRequest, type PlainResponse, type RequestHeaders } from '../http/plain.ts';

export interface FetchHandlerOptions {
  /** The address that the limits of clients without a key count for. By default all are one client. */
  readonly addressOf?: (request: Request) => string;
  /** Path of the URL that the gateway is reached at, which its routes don't have. */
  readonly basePath?: string;
}

/** Responds to a request. Rejects with a TypeError, as `fetch` does, where a server would close the connection. */
export type FetchHandler = (request: Request) => Promise<Response>;

/** Makes the function with which the gateway responds to Web requests. */
export function fetchHandler(
  gateway: { handle(request: PlainRequest): Promise<PlainResponse> },
  { addressOf = () => 'local', basePath = '/' }: FetchHandlerOptions = {},
): FetchHandler {
  const baseLength = basePath.replace(/\/$/, '').length;
  return async (request) =>
    webResponse(request, await gateway.handle(new WebRequest(request, addressOf(request), baseLength)));
}

class WebRequest implements PlainRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: RequestHeaders;
  readonly address: string;
  readonly host: string;
  readonly protocol: string;
  readonly hasBody: boolean;
  readonly #request: Request;

  constructor(request: Request, address: string, baseLength: number) {
    const { pathname, search, host, protocol } = new URL(request.url);
    this.method = request.method;
    this.target = pathname.slice(baseLength) + search;
    // Only Set-Cookie, which no client sends, is a list there.
    this.headers = Object.fromEntries(request.headers.entries());
    this.address = address;
    this.host = host;
    this.protocol = protocol.slice(0, -1);
    // Not every browser has the body of a request as a stream; a media type says there that it has one.
    this.hasBody = request.body === undefined ? this.headers['content-type'] !== undefined : request.body !== null;
    this.#request = request;
  }

  async readBody(bytesMax: number): Promise<Uint8Array> {
    if (Number(this.headers['content-length'] ?? 0) > bytesMax) throw bodyTooLarge();
    const { signal } = this.#request;
    const bytes = await readAtMost(this.#request, bytesMax).catch((error: unknown) => {
      throw signal.aborted ? new NoResponse() : error;
    });
    if (signal.aborted) throw new NoResponse();
    return bytes;
  }

  onGone(callback: () => void): () => void {
    const { signal } = this.#request;
    if (signal.aborted) callback();
    else signal.addEventListener('abort', callback, { once: true });
    return () => signal.removeEventListener('abort', callback);
  }
}

async function readAtMost(request: Request, bytesMax: number): Promise<Uint8Array> {
  if (!request.body) {
    const bytes = new Uint8Array(await request.arrayBuffer());
    if (bytes.length > bytesMax) throw bodyTooLarge();
    return bytes;
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunksOf(request.body, request.signal)) {
    length += chunk.length;
    if (length > bytesMax) throw bodyTooLarge();
    chunks.push(chunk);
  }
  return joined(chunks, length);
}

/** Ends, and cancels the rest, when it is left early or the client goes. Not every browser can iterate over a stream itself. */
async function* chunksOf(body: ReadableStream<Uint8Array>, gone: AbortSignal): AsyncGenerator<Uint8Array, undefined> {
  const reader = body.getReader();
  let isDone = false;
  const cancel = () => void reader.cancel();
  if (gone.aborted) cancel();
  gone.addEventListener('abort', cancel);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      isDone = done;
      if (done) return undefined;
      yield value;
    }
  } finally {
    gone.removeEventListener('abort', cancel);
    if (!isDone) await reader.cancel();
  }
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

const encoder = new TextEncoder();

function webResponse(request: Request, { status, headers, body, cut }: PlainResponse): Response {
  if (cut === 'before' || (cut === 'midway' && typeof body !== 'string')) throw connectionCut();
  // There is no connection to keep or to close.
  const { connection: _, ...rest } = headers;
  const isHead = request.method === 'HEAD';
  if (body instanceof EventStream) {
    if (isHead) void body.return();
    return new Response(isHead ? null : streamOf(body, request.signal), { status, headers: rest });
  }
  if (status === 204 || status === 304) return new Response(null, { status, headers: rest });
  const bytes = typeof body === 'string' ? encoder.encode(body) : (body ?? new Uint8Array());
  const all = { ...rest, 'content-length': String(bytes.length) };
  if (isHead) return new Response(null, { status, headers: all });
  return new Response(cut === 'midway' ? firstHalf(bytes) : (bytes as Uint8Array<ArrayBuffer>), {
    status,
    headers: all,
  });
}

function streamOf(stream: EventStream, gone: AbortSignal): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      stream.cutOff.addEventListener('abort', () => controller.error(connectionCut()), { once: true });
      gone.addEventListener('abort', () => void stream.return(), { once: true });
    },
    async pull(controller) {
      const { done, value } = await stream.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    cancel: () => void stream.return(),
  });
}

/** Half of what was announced, and then an error. */
function firstHalf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let isSent = false;
  return new ReadableStream({
    pull(controller) {
      if (isSent) controller.error(connectionCut());
      else controller.enqueue(bytes.subarray(0, Math.floor(bytes.length / 2)));
      isSent = true;
    },
  });
}

function connectionCut(): TypeError {
  return new TypeError('the gateway closed the connection');
}
