/** A request with its response: as it is remembered while it is served, and as it is shown. */
import type { LoggedRequest, RequestSummary } from '../../../../generated/sandbox/types.ts';
import { timestamp } from '../../contract/view.ts';
import { type MaskBody, maskHeaders } from './masks.ts';

/** Nothing is copied or masked until somebody reads it. */
export interface Exchange {
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
  /** Parsed; undefined without a body, or with one that is not kept. */
  readonly requestBody: unknown;
  readonly requestBytes: number;
  readonly responseHeaders: Readonly<Record<string, unknown>>;
  /** Empty if it is not kept. */
  readonly responseBody: string;
  readonly responseBytes: number;
}

/** Bytes of a body that are kept; more is left out as a whole. */
export const BODY_MAX = 16_384;
/** Characters of a path that are shown. */
const PATH_MAX = 1_000;

export function summarizeExchange(exchange: Exchange): RequestSummary {
  const { id, at, method, path, operation, status, durationMs, transactionId } = exchange;
  const problem =
    status >= 400 ? (parsed(exchange.responseBody) as { detail?: unknown } | undefined)?.detail : undefined;
  return {
    id,
    at: timestamp(at),
    method,
    path: path.slice(0, PATH_MAX),
    operation,
    status,
    duration_ms: Math.round(durationMs * 10) / 10,
    ...(transactionId !== undefined && { transaction_id: transactionId }),
    ...(typeof problem === 'string' && { problem }),
  };
}

type Detail = Pick<LoggedRequest, 'request_headers' | 'request_body' | 'response_headers' | 'response_body'>;

/** What the summary leaves out, with secrets masked and personal data cut. */
export function detailOf(exchange: Exchange, mask: MaskBody): Detail {
  const { operation, requestHeaders, requestBody, responseHeaders, responseBody } = exchange;
  const bodyOf = (body: unknown, bytes: number): string => {
    if (bytes > BODY_MAX) return `(${bytes} bytes; bodies of more than ${BODY_MAX} bytes are not kept)`;
    return body == null ? '' : JSON.stringify(mask(operation, body));
  };
  return {
    request_headers: maskHeaders(requestHeaders),
    request_body: bodyOf(requestBody, exchange.requestBytes),
    response_headers: maskHeaders(responseHeaders),
    response_body: bodyOf(parsed(responseBody), exchange.responseBytes),
  };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
