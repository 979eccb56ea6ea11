/** A merchant's requests to gateways that may die or refuse them. The result shows whether there was a response. */
import { type Answer, send } from '../load/client.ts';

/** The status is 0 without a complete response. */
export interface Outcome extends Answer {
  /** Whether the connection ended during the request, so that the request may have been processed. */
  readonly cut?: boolean;
}

/** There was no response. */
export const NO_ANSWER: Outcome = { status: 0, headers: {}, body: undefined };

const WITHIN_MS = 20_000;

/** Sends a request to a gateway. Never rejects. */
export async function call(url: string, key: string, method: string, path: string, body?: unknown): Promise<Outcome> {
  return send({ url, key, withinMs: WITHIN_MS }, method, path, body).catch((error: NodeJS.ErrnoException) => ({
    ...NO_ANSWER,
    cut: error.code !== 'ECONNREFUSED',
  }));
}
