/** Events and their attempts in responses. */
import type { Attempt, EventSummary } from '../../../generated/management/types.ts';
import { readKind } from '../domain/transaction.ts';
import { timestamp } from '../transactions/view.ts';
import type { AttemptRecord, LoggedAttempt } from '../webhooks/attempts.ts';
import type { StoredEvent } from '../webhooks/merchant-events.ts';

/** An event in a list, with the time of its next attempt. */
export function viewEvent(event: StoredEvent, next: number | undefined): EventSummary {
  const { id, merchantId, transactionId, url, body, createdAt, attempts, state, lastResult } = event;
  return {
    id,
    merchant_id: merchantId,
    transaction_id: transactionId,
    kind: readKind(transactionId),
    status: (JSON.parse(body) as { status: string }).status,
    url,
    created_at: timestamp(createdAt),
    state,
    attempts,
    ...(next !== undefined && { next_attempt_at: timestamp(next) }),
    ...(lastResult !== undefined && { last_result: lastResult }),
  };
}

/** An attempt. Only a sandbox keeps its headers and the response's body. */
export function viewAttempt(attempt: LoggedAttempt & Partial<AttemptRecord>, number: number): Attempt {
  const { at, durationMs, status, error, requestHeaders, responseBody, fault } = attempt;
  return {
    number,
    at: timestamp(at),
    duration_ms: durationMs,
    ...(status !== undefined && { status }),
    ...(error !== undefined && { error }),
    ...(requestHeaders && { request_headers: requestHeaders }),
    ...(responseBody !== undefined && { response_body: responseBody }),
    ...(fault !== undefined && { fault }),
  };
}
