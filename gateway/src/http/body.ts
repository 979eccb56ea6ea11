/** Reads bodies without changing them. Values that a database or a double cannot represent are refused. */
import { NO_NUL } from '../../../contract/src/violations.ts';
import { type HttpContext, NoResponse } from './context.ts';
import { parseExactly } from './exact-numbers.ts';
import { ProblemWithHeaders } from './problem-with-headers.ts';
import { invalid, ProblemError } from './problems.ts';

/** UTF-8 cannot express one, so a database would store something else. */
const NO_LONE_SURROGATE = 'must not contain a lone surrogate';

/**
 * The escapes of a JSON text, one by one. The group holds a code unit that cannot be stored, unlike a whole surrogate
 * pair.
 */
const ESCAPES = /\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|u(0000|[dD][89a-fA-F]..)|.)/gs;

const IDENTITY = 'identity';
/** Characters of a coding shown in a problem. */
const CODING_SHOWN = 40;

const WRONG_TYPE = 'Send the body as JSON, with `Content-Type: application/json`.';

/** They skip a byte order mark, which some programs send (RFC 8259, 8.1). */
const strict = new TextDecoder('utf-8', { fatal: true });
const lenient = new TextDecoder('utf-8');

/** The problem of a body with more bytes than allowed. */
export function bodyTooLarge(): ProblemError {
  return new ProblemError('body-too-large', 'Send a smaller body.');
}

/** The problem of a body of another media type. */
export function wrongType(): ProblemError {
  return new ProblemError('unsupported-media-type', WRONG_TYPE);
}

/** The problem of a compressed body (RFC 9110, 12.5.3). */
function compressed(coding: string): ProblemError {
  const detail = `Send the body without compression: remove \`Content-Encoding: ${coding.slice(0, CODING_SHOWN)}\`.`;
  return new ProblemWithHeaders('unsupported-media-type', detail, { 'accept-encoding': IDENTITY });
}

/** Reads a JSON body, the API's only type. Undefined without one. */
export async function readJson(c: HttpContext, bytesMax: number): Promise<unknown> {
  const bytes = await readTyped(c, 'application/json', bytesMax);
  return bytes && parseJson(c, bytes);
}

/** Reads a page's form. Undefined without one. */
export async function readForm(c: HttpContext, bytesMax: number): Promise<URLSearchParams | undefined> {
  const bytes = await readTyped(c, 'application/x-www-form-urlencoded', bytesMax);
  return bytes && new URLSearchParams(lenient.decode(bytes));
}

/** Without a media type there must be no body. A method that reads has none. */
async function readTyped(c: HttpContext, mediaType: string, bytesMax: number): Promise<Uint8Array | undefined> {
  const { method } = c.req;
  if (method === 'GET' || method === 'HEAD') return undefined;
  const type = c.req.header('content-type');
  if (type === undefined && !c.env.hasBody) return undefined;
  if (type !== mediaType && type?.split(';', 1)[0]?.trim().toLowerCase() !== mediaType) throw wrongType();
  const coding = c.req.header('content-encoding')?.trim().toLowerCase() ?? IDENTITY;
  if (coding !== IDENTITY) throw compressed(coding);
  return readBytes(c, bytesMax);
}

/**
 * Reads the body on demand, since a client without a key may never send it. Throws `body-too-large` for more bytes, and
 * NoResponse if the client disconnects before all of them have arrived.
 */
export async function readBytes(c: HttpContext, bytesMax: number): Promise<Uint8Array> {
  const { raw } = c.req;
  const length = c.req.header('content-length');
  if (Number(length ?? 0) > bytesMax) throw bodyTooLarge();
  // With a length, the server's parser has checked it. Firefox has no `body`.
  const isWhole = length !== undefined || raw.body === undefined;
  try {
    const bytes = isWhole ? new Uint8Array(await raw.arrayBuffer()) : await readAtMost(raw, bytesMax);
    if (bytes.length <= bytesMax) return bytes;
  } catch {
    // No other error occurs here.
    throw new NoResponse();
  }
  throw bodyTooLarge();
}

/** Reads a stream until it exceeds the limit, or the client disconnects. The rest is cancelled. */
async function readAtMost({ body, signal }: Request, bytesMax: number): Promise<Uint8Array> {
  const reader = body?.getReader();
  const cancel = () => void reader?.cancel();
  signal.addEventListener('abort', cancel);
  if (signal.aborted) cancel();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  while (reader && length <= bytesMax) {
    const { done, value } = await reader.read();
    signal.throwIfAborted();
    if (done) break;
    chunks.push(value);
    length += value.length;
  }
  signal.removeEventListener('abort', cancel);
  if (length > bytesMax) cancel();
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

function parseJson(c: HttpContext, bytes: Uint8Array): unknown {
  const request = c.get('request');
  let text: string;
  try {
    text = strict.decode(bytes);
  } catch {
    request.received = { text: lenient.decode(bytes), bytes: bytes.length };
    throw malformed('is not UTF-8');
  }
  request.received = { text, bytes: bytes.length };
  let value: unknown;
  try {
    value = parseExactly(text);
  } catch {
    throw malformed('is not valid JSON');
  }
  if (text.includes('\\u')) refuseEscapes(text);
  return value;
}

function refuseEscapes(text: string): void {
  for (const [, refused] of text.matchAll(ESCAPES)) {
    if (refused !== undefined) throw malformed(refused === '0000' ? NO_NUL : NO_LONE_SURROGATE);
  }
}

function malformed(message: string): ProblemError {
  return invalid([{ in: 'body', pointer: '', message }]);
}
