/** A request with its response: as it is remembered while it is served, and as it is shown. */
import type { LoggedRequest, RequestSummary } from '../../../../generated/management/types.ts';
import type { ValidationProblem, Violation } from '../../../../generated/types.ts';
import { timestamp } from '../../transactions/view.ts';
import { hideSecrets, type MaskBody, maskHeaders } from './masks.ts';

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
