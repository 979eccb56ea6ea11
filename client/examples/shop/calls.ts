/** Shared code of the pages: their forms, and calls whose failures people can read. */
import { CallError, type PaymentsClient, type Problem } from 'payments-client';
import type { Orders } from './orders.ts';

export interface Services {
  client: PaymentsClient;
  orders: Orders;
  address: () => string;
  /** Time to pay from the payment's creation, in milliseconds, if the shop knows. The API does not say it. */
  validityMs?: number | undefined;
}

/** The fields of a form. */
export type Entries = Record<string, string>;

/** A route with a form. */
export interface Form {
  Body: Entries;
  Params: { id: string; action: 'clarify' | 'confirm' };
  Querystring: { payout?: string };
}

/** Options for a short wait: a page shows the next state, or after this time that it is still waiting. */
export const WAIT_OPTIONS = { deadlineMs: 3_000, pauseMs: 100 };

/** A call for which a missing response is a problem like any other. */
export async function answer<T extends object>(call: Promise<T>): Promise<T | { data?: never; error: Problem }> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    return { error: toProblem() };
  }
}

/** The problem to show for a CallError. */
export function toProblem(): Problem {
  const detail = 'It is unknown whether the service has acted. Look at the order before you try again.';
  return { type: 'about:blank', title: 'The payment service did not respond', status: 503, detail };
}

/** The status of a page that shows a problem: the customer's entries are wrong, or something behind the shop is. */
export function pageStatus({ status }: Problem): number {
  return status === 400 ? 422 : 502;
}
