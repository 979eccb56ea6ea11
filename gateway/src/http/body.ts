/** Reads bodies without changing them. Values that a database or a double cannot represent are refused. */
import { toPointer } from '../../../contract/src/pointer.ts';
import { NO_NUL } from '../../../contract/src/violations.ts';
import { type HttpContext, NoResponse } from './context.ts';
import { invalid, ProblemError, ProblemWithHeaders } from './problems.ts';

/** UTF-8 can't encode one, so a database would store another character. */
const NO_LONE_SURROGATE = 'must not contain a lone surrogate';

const QUOTATION_MARK = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

const IDENTITY = 'identity';
/** Characters of a coding shown in a problem. */
const CODING_SHOWN = 40;

const WRONG_TYPE = 'Send the body as JSON, with `Content-Type: application/json`.';

/** They skip a byte order mark, which some programs send (RFC 8259, 8.1). */
const strict = new TextDecoder('utf-8', { fatal: true });
const lenient = new TextDecoder('utf-8');

/** The problem of a body with more bytes than allowed. */
function bodyTooLarge(bytesMax: number): ProblemError {
  return new ProblemError('body-too-large', `Send at most ${bytesMax} bytes.`);
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
  if (Number(length ?? 0) > bytesMax) throw bodyTooLarge(bytesMax);
  // With a length, the server's parser has checked it. Firefox has no `body`.
  const isWhole = length !== undefined || raw.body === undefined;
  try {
    const bytes = isWhole ? new Uint8Array(await raw.arrayBuffer()) : await readAtMost(raw, bytesMax);
    if (bytes.length <= bytesMax) return bytes;
  } catch {
    // No other error occurs here.
    throw new NoResponse();
  }
  throw bodyTooLarge(bytesMax);
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
  // Counting takes a third of the time of the search.
  if (text.includes('\\u') || countNames(text) !== countMembers(value)) {
    const fault = findFault(text);
    if (fault) throw malformed(fault.message, fault.pointer);
  }
  return value;
}

function malformed(message: string, pointer = ''): ProblemError {
  return invalid([{ in: 'body', pointer, message }]);
}

/** The number of members as written. */
function countNames(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTATION_MARK) index = findStringEnd(text, index);
    else if (code === COLON) count += 1;
  }
  return count;
}

/** The number of members in a value, without recursion. */
function countMembers(value: unknown): number {
  let count = 0;
  const rest = [value];
  while (rest.length > 0) {
    const one = rest.pop();
    if (typeof one !== 'object' || one === null) continue;
    const inner = Object.values(one);
    if (!Array.isArray(one)) count += inner.length;
    for (const each of inner) rest.push(each);
  }
  return count;
}

/** An array, or an object with the names read so far. `at` is the current index or name. */
interface Container {
  readonly names?: Set<string>;
  at: number | string;
}

/** Finds a repeated name or a string that can't be stored, in valid JSON. JSON.parse would take the last value. */
function findFault(text: string): { readonly message: string; readonly pointer: string } | undefined {
  const open: Container[] = [];
  let isName = false;
  for (let index = 0; index < text.length; index += 1) {
    const char = text[index];
    const inner = open.at(-1);
    if (char === '"') {
      const end = findStringEnd(text, index);
      const content = text.slice(index + 1, end);
      const string = content.includes('\\') ? (JSON.parse(`"${content}"`) as string) : content;
      index = end;
      const rejected = findInvalidText(string);
      if (isName && inner?.names && rejected === undefined) {
        inner.at = string;
        if (inner.names.has(string)) return { message: 'is given twice', pointer: locate(open) };
        inner.names.add(string);
      }
      if (rejected !== undefined) return { message: rejected, pointer: locate(isName ? open.slice(0, -1) : open) };
    } else if (char === '{' || char === '[') {
      open.push(char === '{' ? { names: new Set(), at: '' } : { at: 0 });
      isName = char === '{';
    } else if (char === '}' || char === ']') {
      open.pop();
    } else if (char === ',') {
      isName = inner?.names !== undefined;
      if (inner && typeof inner.at === 'number') inner.at += 1;
    } else if (char === ':') {
      isName = false;
    }
  }
  return undefined;
}

function locate(open: readonly Container[]): string {
  return toPointer(...open.map(({ at }) => at));
}

/** The index of the quotation mark that ends a string. */
function findStringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
}

function findInvalidText(string: string): string | undefined {
  if (string.includes('\0')) return NO_NUL;
  return string.isWellFormed() ? undefined : NO_LONE_SURROGATE;
}

/**
 * JSON.parse rounds a literal to the nearest double, so `100.00000000000000001` becomes 100 and `1e400` infinity. Numbers
 * in this contract are integers, and an integer is one by its exact value, as in JSON Schema: `100.0` and `1e2` are 100.
 */

/**
 * Matches wherever a number may have a fraction, an exponent or more digits than any double. It also matches in some
 * strings, which costs only time.
 */
const SUSPECT = /(?:^|[\s:,[])-?(?:\d+[.eE]|\d{309})/;

const LITERAL = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** Placeholder for a fraction that was rounded to an integer. Integer schemas reject it as a fraction. */
const FRACTION = 1.5;

/** Parses JSON without rounding a fraction to an integer. Throws a SyntaxError like JSON.parse. */
export function parseExactly(text: string): unknown {
  return SUSPECT.test(text) ? JSON.parse(text, reviveExactly) : JSON.parse(text);
}

function reviveExactly(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || context?.source === undefined) return value;
  // A schema's maximum isn't compared with infinity.
  if (!Number.isFinite(value)) return Math.sign(value) * Number.MAX_VALUE;
  return Number.isInteger(value) && !isInteger(context.source) ? FRACTION : value;
}

/** Whether the exact value of a JSON number is an integer. */
function isInteger(literal: string): boolean {
  const [, whole = '', fraction = '', exponent = '0'] = LITERAL.exec(literal) ?? [];
  const digits = whole + fraction;
  // A loop, since a regular expression for zeros at the end is quadratic in the length of the literal.
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === 48) end--;
  return end === 0 || end - whole.length <= Number(exponent);
}
