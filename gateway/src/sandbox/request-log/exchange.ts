/** A request with its response: as recorded while it is served, and as shown. */
import { type Bundle, operations, resolve, type Schema } from '../../../../contract/src/model.ts';
import type { LoggedRequest, RequestSummary } from '../../../../generated/management/types.ts';
import type { ValidationProblem, Violation } from '../../../../generated/types.ts';
import { timestamp } from '../../transactions/view.ts';

/** Copies and masks on first read only. */
export interface LoggedExchange {
  readonly id: string;
  readonly merchantId: number;
  /** Milliseconds since 1970, by the merchant's clock. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly operation: string;
  readonly status: number;
  readonly durationMs: number;
  readonly transactionId: string | undefined;
  readonly requestHeaders: Readonly<Record<string, unknown>>;
  /** As it arrived, since parsed it can take many times as much. Empty if it is not kept. */
  readonly requestBody: string;
  readonly requestBytes: number;
  readonly responseHeaders: Readonly<Record<string, unknown>>;
  /** Empty if it is not kept. */
  readonly responseBody: string;
  readonly responseBytes: number;
}

/** Maximum bytes of a stored body. A larger body is omitted. */
export const BODY_MAX = 16_384;
/** Violations in the summary. */
const VIOLATIONS_KEPT = 10;
/** Characters of a path, or of a pointer, that are shown. */
const PATH_MAX = 1_000;

/** An exchange takes this much in memory, besides its texts. */
const EXCHANGE_BYTES = 2_048;
/** The name of a header, and its value, take this much, besides their text. */
const HEADER_BYTES = 64;
/** A character takes up to this much. */
const CHARACTER_BYTES = 2;

/** At most this many bytes of memory are taken by an exchange. */
export function sizeInMemory({ path, requestHeaders, requestBody, responseBody }: LoggedExchange): number {
  let headers = 0;
  for (const name in requestHeaders) headers += 2 * HEADER_BYTES + name.length + String(requestHeaders[name]).length;
  return EXCHANGE_BYTES + headers + path.length + CHARACTER_BYTES * (requestBody.length + responseBody.length);
}

export function summarizeExchange(exchange: LoggedExchange): RequestSummary {
  const { id, at, method, path, operation, status, durationMs, transactionId } = exchange;
  const { detail, violations = [] } = status >= 400 ? readProblem(exchange.responseBody) : {};
  return {
    id,
    at: timestamp(at),
    method,
    path: hideSecrets(path).slice(0, PATH_MAX),
    operation,
    status,
    duration_ms: Math.round(durationMs * 10) / 10,
    ...(transactionId !== undefined && { transaction_id: transactionId }),
    ...(typeof detail === 'string' && { problem: hideSecrets(detail) }),
    ...(violations.length > 0 && { violations: violations.slice(0, VIOLATIONS_KEPT).map(withoutSecrets) }),
  };
}

function readProblem(body: string): Partial<Pick<ValidationProblem, 'detail' | 'violations'>> {
  return (parsed(body) as Partial<ValidationProblem> | undefined) ?? {};
}

/** Member names come from the request and can be anything. */
function withoutSecrets({ in: part, pointer, message }: Violation): Violation {
  return { in: part, pointer: hideSecrets(pointer).slice(0, PATH_MAX), message: hideSecrets(message) };
}

type Detail = Pick<LoggedRequest, 'request_headers' | 'request_body' | 'response_headers' | 'response_body'>;

/** Returns the details that the summary omits, with secrets masked and personal data cut. */
export function createDetail(exchange: LoggedExchange, mask: MaskBody): Detail {
  const { operation, requestHeaders, requestBody, responseHeaders, responseBody } = exchange;
  const bodyOf = (text: string, bytes: number): string => {
    if (bytes > BODY_MAX) return `(${bytes} bytes; bodies of more than ${BODY_MAX} bytes are not kept)`;
    const body = parsed(text);
    return body == null ? '' : JSON.stringify(mask(operation, body));
  };
  return {
    request_headers: maskHeaders(requestHeaders),
    request_body: bodyOf(requestBody, exchange.requestBytes),
    response_headers: maskHeaders(responseHeaders),
    response_body: bodyOf(responseBody, exchange.responseBytes),
  };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

// Masks of the log of requests: it keeps the last characters of secrets, and the first ones of personal data.

/** Masks an operation's parsed body. */
export type MaskBody = (operation: string, body: unknown) => unknown;

const SECRET_KEPT = 4;
const PERSONAL_KEPT = 2;

/** API keys and signing secrets, wherever they are written. */
const SECRETS = /\b(?:sk_(?:test|live)_[\w-]*|whsec_[\w+/=-]*)/g;
/** The characters of a key at the end are shown in lists of keys, too. */
const SHOWN_AT_END = new Set(['authorization', 'proxy-authorization']);
const HIDDEN = new Set(['cookie', 'set-cookie']);

/** Maximum nesting of a shown body. Deeper values would need too much stack. */
const DEPTH_MAX = 32;
const LEFT_OUT = '…';

/** Members with customer data. Some of them identify no person. */
const CONTAINERS = new Set(['customer', 'clarify_data', 'confirm_data']);
const IMPERSONAL = new Set(['id', 'kyc_level', 'amount']);
/** Schemas of the contract whose members are data of customers. */
const OF_CUSTOMERS = /Customer$|^ClarifyItems$|^ConfirmItems$/;

/** The location of a value: its member and that member's parent. Array items share the array's location. */
interface Place {
  readonly name: string;
  readonly container: string;
  readonly isPersonal: boolean;
  readonly depth: number;
}

/**
 * Creates the masks from the contract, which knows the data of customers, and from the documents of the gateway's own
 * APIs, which mark secrets. Each document has the prefix of its operations in the log.
 */
export function createMasks(contract: Bundle, documents: readonly (readonly [prefix: string, Bundle])[]): MaskBody {
  const personal = personalNames(contract);
  const secrets = new Map(documents.flatMap(([prefix, document]) => secretNames(prefix, document)));
  const mask = (value: unknown, { name, container, isPersonal, depth }: Place): unknown => {
    if (typeof value === 'object' && value !== null) {
      if (depth === DEPTH_MAX) return LEFT_OUT;
      const inner = (member: string, holder: string): Place => {
        const ofCustomer = personal.has(member) || (CONTAINERS.has(holder) && !IMPERSONAL.has(member));
        return { name: member, container: holder, isPersonal: isPersonal || ofCustomer, depth: depth + 1 };
      };
      if (Array.isArray(value)) return value.map((item) => mask(item, inner(name, container)));
      return Object.fromEntries(
        Object.entries(value).map(([member, held]) => [hideSecrets(member), mask(held, inner(member, name))]),
      );
    }
    // Customers write numbers of phones and accounts as JSON numbers, and a name in place of the object that holds it.
    const isText = typeof value === 'string' || typeof value === 'number';
    if (isText && (isPersonal || CONTAINERS.has(name))) return cut(String(value));
    return typeof value === 'string' ? hideSecrets(value) : value;
  };
  return (operation, body) => {
    const masked = mask(body, { name: '', container: '', isPersonal: false, depth: 0 });
    for (const name of secrets.get(operation) ?? []) {
      const object = masked as Record<string, unknown>;
      if (typeof object?.[name] === 'string') object[name] = hide(object[name]);
    }
    return masked;
  };
}

/** Headers as they are shown. */
function maskHeaders(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  const entries = Object.entries(headers).flatMap(([name, value]): [string, string][] => {
    if (value === undefined) return [];
    const text = String(value);
    if (HIDDEN.has(name)) return [[name, '…']];
    return [[name, SHOWN_AT_END.has(name) ? hideCredentials(text) : hideSecrets(text)]];
  });
  return Object.fromEntries(entries);
}

/** A text without the API keys and signing secrets in it. */
function hideSecrets(text: string): string {
  return text.replace(SECRETS, hide);
}

/** The scheme stays, since a wrong one is a common mistake. */
function hideCredentials(header: string): string {
  const [, scheme = '', credentials = ''] = /^([A-Za-z]+ +)?(.*)$/s.exec(header) ?? [];
  return scheme + hide(credentials);
}

function hide(secret: string): string {
  return secret.length > 2 * SECRET_KEPT ? `…${secret.slice(-SECRET_KEPT)}` : '…';
}

function cut(value: string): string {
  return value.length > 2 * PERSONAL_KEPT ? `${value.slice(0, PERSONAL_KEPT)}…` : '…';
}

function personalNames({ components: { schemas } }: Bundle): Set<string> {
  const names = Object.entries(schemas)
    .filter(([name]) => OF_CUSTOMERS.test(name))
    .flatMap(([, { properties = {} }]) => Object.keys(properties));
  return new Set(names.filter((name) => !IMPERSONAL.has(name)));
}

/** Members of responses that a document marks as passwords, by operation. */
function secretNames(prefix: string, document: Bundle): [operation: string, names: string[]][] {
  return operations(document).map(({ id, responses }) => [
    prefix + id,
    responses.flatMap(({ body }) => {
      const { properties = {} }: Schema = body ? resolve(document, body.schema) : {};
      return Object.entries(properties).flatMap(([name, { format }]) => (format === 'password' ? [name] : []));
    }),
  ]);
}
