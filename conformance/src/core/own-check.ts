/** Checks that users write themselves. */
import type { Json, JsonObject } from '../../../contract/src/model.ts';
import type { PaymentGoal, PayoutGoal } from '../drivers/driver.ts';

/** A check in a module of the user's, whose export `checks` is a list of them. */
export interface OwnCheck {
  /** Unique in the module. Reports put `own/` before it. */
  readonly id: string;
  /** Behavior of the service, in the present tense. */
  readonly title: string;
  /** Resolves with the violations, empty if the service conforms. */
  run(service: OwnService): Promise<readonly OwnFinding[]>;
}

export interface OwnFinding {
  readonly at: string;
  readonly expected: string;
  readonly found: string;
}

/** The service, for a check of the user's. Requests have the API key, and count against the limits of the run. */
export interface OwnService {
  request(
    method: string,
    path: string,
    options?: { readonly body?: Json; readonly key?: string | null },
  ): Promise<{ readonly status: number; readonly headers: Headers; readonly body: Json | undefined }>;
  /** Drives a payment to the goal. Returns the service's last response about it. */
  payment(goal: PaymentGoal): Promise<JsonObject>;
  payout(goal: PayoutGoal): Promise<JsonObject>;
}
