/** Reads bodies without changing them: what a database or a double cannot keep is refused. */
import { NO_NUL } from '../../../contract/src/violations.ts';
import { invalid, ProblemError } from '../wire/problems.ts';
import { parseExactly } from './exact-numbers.ts';
import type { ServedRequest } from './served-request.ts';

/** UTF-8 cannot express one, so a database would keep something else. */
const NO_LONE_SURROGATE = 'must not contain a lone surrogate';

/** The escapes of a JSON text, one after the other; the group holds what cannot be kept. A whole surrogate pair can. */
const ESCAPES = /\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|u(0000|[dD][89a-fA-F]..)|.)/gs;

const WRONG_TYPE = 'Send the body as JSON, with `Content-Type: application/json`.';

/** A byte order mark is a character like any other. */
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder('utf-8', { ignoreBOM: true });

/** The problem of a body with more bytes than allowed. */
export function bodyTooLarge(): ProblemError {
  return new ProblemError('body-too-large', 'Send a smaller body.');
}

/** The problem of a body of another media type. */
export function wrongType(): ProblemError {
  return new ProblemError('unsupported-media-type', WRONG_TYPE);
}

/** Reads a JSON body, the only type that the API takes. Undefined without one. */
export async function readJson(request: ServedRequest, bytesMax: number): Promise<unknown> {
  const bytes = await readBytes(request, 'application/json', bytesMax);
  return bytes && parseJson(request, bytes);
}

/** Reads the form of a page. Undefined without one. */
export async function readForm(request: ServedRequest, bytesMax: number): Promise<URLSearchParams | undefined> {
  const bytes = await readBytes(request, 'application/x-www-form-urlencoded', bytesMax);
  return bytes && new URLSearchParams(lenient.decode(bytes));
}

/** Without a media type there must be no body; a method that reads has none. */
async function readBytes(
  { plain, method, headers }: ServedRequest,
  mediaType: string,
  bytesMax: number,
): Promise<Uint8Array | undefined> {
  if (method === 'GET' || method === 'HEAD') return undefined;
  const type = headers['content-type'];
  if (type === undefined && !plain.hasBody) return undefined;
  if (type !== mediaType && type?.split(';', 1)[0]?.trim().toLowerCase() !== mediaType) throw wrongType();
  return plain.readBody(bytesMax);
}

function parseJson(request: ServedRequest, bytes: Uint8Array): unknown {
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
