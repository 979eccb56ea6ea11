/** Sends one HTTP request. Only GET reuses connections, since the service may be closing an idle one. */
import { Agent as HttpAgent, type IncomingMessage, request as requestByHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestByHttps } from 'node:https';
import { promisify } from 'node:util';
import { brotliDecompress, unzip } from 'node:zlib';

export interface HttpRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly content?: string | Uint8Array;
  readonly signal: AbortSignal;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Without its content coding, as UTF-8. */
  readonly text: string;
}

/** Keeps a byte order mark, which is judged. */
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });

const AGENTS = { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) };
/** Connections that the service can have closed at the same time. */
const STALE_MAX = 3;
/** A body, before and after decompression. No response of the contract is nearly as large. */
const BODY_BYTES_MAX = 4_000_000;
const LIMIT = { maxOutputLength: BODY_BYTES_MAX };
const CODINGS: Readonly<Record<string, (bytes: Uint8Array) => Promise<Uint8Array>>> = {
  gzip: (bytes) => promisify(unzip)(bytes, LIMIT),
  deflate: (bytes) => promisify(unzip)(bytes, LIMIT),
  br: (bytes) => promisify(brotliDecompress)(bytes, LIMIT),
};
const CLOSED = ['ECONNRESET', 'EPIPE'];
/** Accepts the known codings. */
const SENT_ALWAYS = { 'accept-encoding': Object.keys(CODINGS).join(', '), 'user-agent': 'payments-conformance' };

/** Sends the request, which reaches the service at most once unless its method is GET. Rejects without a whole response. */
export async function sendHttp(url: string, request: HttpRequest): Promise<HttpResponse> {
  for (let attempt = 1; ; attempt += 1) {
    const { message, isReused } = await open(new URL(url), request, attempt <= STALE_MAX);
    if (message instanceof Error) {
      if (isReused && CLOSED.includes(networkErrorCode(message))) continue;
      throw message;
    }
    return readResponse(message);
  }
}

/** The response once its headers are there, or the error; and whether the connection was used before. */
function open(
  url: URL,
  { method, headers, content, signal }: HttpRequest,
  mayReuse: boolean,
): Promise<{ message: IncomingMessage | Error; isReused: boolean }> {
  const isSecure = url.protocol === 'https:';
  // Otherwise a dedicated connection, which closes after the response.
  const agent = method === 'GET' && mayReuse ? AGENTS[isSecure ? 'https' : 'http'] : false;
  return new Promise((resolve) => {
    const sent = (isSecure ? requestByHttps : requestByHttp)(url, {
      ...{ method, signal, agent },
      headers: { ...SENT_ALWAYS, ...headers },
    });
    const end = (message: IncomingMessage | Error) => resolve({ message, isReused: sent.reusedSocket });
    sent.once('response', end);
    // Another error can follow the first.
    sent.on('error', end);
    sent.end(content);
  });
}

async function readResponse(message: IncomingMessage): Promise<HttpResponse> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message) {
    chunks.push(chunk as Buffer);
    size += (chunk as Buffer).length;
    // Leaving the loop closes the connection.
    if (size > BODY_BYTES_MAX) throw new Error(TOO_LARGE);
  }
  const headers = new Headers();
  const { rawHeaders } = message;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
  }
  const decode = CODINGS[headers.get('content-encoding')?.toLowerCase() ?? ''];
  const bytes = Buffer.concat(chunks);
  const plain = decode && bytes.length > 0 ? await decode(bytes).catch(explainCoding) : bytes;
  return { status: message.statusCode ?? 0, headers, text: DECODER.decode(plain) };
}

const TOO_LARGE = `the body of the response has more than ${BODY_BYTES_MAX / 1e6} MB`;

function explainCoding(error: Error): never {
  const isTooLarge = networkErrorCode(error) === 'ERR_BUFFER_TOO_LARGE';
  throw new Error(isTooLarge ? TOO_LARGE : `the body can't be decompressed: ${error.message}`);
}

export function networkErrorCode(error: Error): string {
  return (error as Error & { code?: string }).code ?? '';
}

const CLOSED_BEFORE = 'the connection was closed without a response';

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: "the host name can't be looked up",
  ECONNRESET: CLOSED_BEFORE,
  EPIPE: CLOSED_BEFORE,
  UND_ERR_SOCKET: CLOSED_BEFORE,
  EPROTO: 'the port has no TLS; try http://',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed; set NODE_EXTRA_CA_CERTS to the file of the certificate',
};

/** The reason why there is no response, for the reader of a report. */
export function explainNetworkError(error: Error): string {
  const code = networkErrorCode(error);
  return code.startsWith('HPE_') ? 'the response is not HTTP' : (REASONS[code] ?? error.message);
}
