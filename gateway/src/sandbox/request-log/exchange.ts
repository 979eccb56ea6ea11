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
  readonly responseHeaders: Readonly<Record<string, unknown>>;
  readonly responseBody: string;
  /** Why a body is not kept. */
  readonly requestNote?: string;
  readonly responseNote?: string;
}

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
  const response = parsed(responseBody);
  return {
    request_headers: maskHeaders(requestHeaders),
    request_body: exchange.requestNote ?? (requestBody == null ? '' : JSON.stringify(mask(operation, requestBody))),
    response_headers: maskHeaders(responseHeaders),
    response_body: exchange.responseNote ?? (response === undefined ? '' : JSON.stringify(mask(operation, response))),
  };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
