/** Sends payouts without guessing their outcome. */
import type { CreatePayoutRequest, CreatePayoutResponse, Problem } from '../../generated/types.ts';
import type { PaymentsClient } from './client.ts';
import { AttemptFailure, CallError } from './errors.ts';

/** The known state of a payout after sending it. */
export type PayoutResult =
  /** The service has the payout. Its status can already be FAILED. */
  | { outcome: 'accepted'; data: CreatePayoutResponse }
  /** The request is invalid, and no payout exists. */
  | { outcome: 'refused'; error: Problem }
  /** The payout may exist. Send the same request again, until it is accepted. */
  | { outcome: 'unknown'; error: Problem | CallError };

export interface SendPayoutOptions {
  /** True if this request may have been sent before, as after a crash. A refusal is `unknown` then. */
  sentBefore?: boolean | undefined;
  signal?: AbortSignal | null | undefined;
}

/**
 * Statuses that judge the body alone. Others are `unknown`: a wrong key or address, a rate limit or an outage can be
 * corrected, and a 409 says that a payout with this merchant_order_id exists.
 */
const REFUSALS = [400, 413, 415];

/** Sends a payout. Store the request before you send it, and send exactly that again while the outcome is unknown. */
export async function sendPayout(
  client: PaymentsClient,
  request: CreatePayoutRequest,
  { sentBefore = false, signal }: SendPayoutOptions = {},
): Promise<PayoutResult> {
  try {
    const { data, error, mayHaveActed, response } = await client.POST('/payouts', { body: request, signal });
    if (error) {
      const refused = !sentBefore && !mayHaveActed && REFUSALS.includes(response.status);
      return { outcome: refused ? 'refused' : 'unknown', error };
    }
    // Without it, the payout could never be read.
    if (!data.transaction_id) return { outcome: 'unknown', error: withoutId(response) };
    return { outcome: 'accepted', data };
  } catch (error) {
    if (error instanceof CallError) return { outcome: 'unknown', error };
    throw error;
  }
}

function withoutId(response: Response): CallError {
  const message = 'the response has no transaction_id';
  return new CallError(new AttemptFailure('INVALID_RESPONSE', undefined, response), 1, true, message);
}
