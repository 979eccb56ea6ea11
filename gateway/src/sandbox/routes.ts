/** The sandbox's routes, built from its document. They are not part of the contract and don't exist with LIVE. */

import type { Hono } from 'hono';
import * as validators from '../../../generated/sandbox/validators.js';
import type { Authentication } from '../http/auth.ts';
import { isFromOtherSite } from '../http/browser-checks.ts';
import type { HttpContext, HttpEnv } from '../http/context.ts';
import type { ReadDocument } from '../http/gateway-apis.ts';
import { ProblemError } from '../http/problems.ts';
import type { RateLimits } from '../http/rate-limits.ts';
import { addGatewayApiRoutes } from '../http/routes.ts';
import type { Merchant } from '../merchants/merchants.ts';
import * as access from './handlers/access.ts';
import * as clock from './handlers/clock.ts';
import * as environment from './handlers/environment.ts';
import * as faults from './handlers/faults.ts';
import { createMerchant, deleteMerchant, resetMerchant } from './handlers/merchants.ts';
import { simulatePayment, simulatePayout } from './handlers/simulate.ts';
import * as webhooks from './handlers/webhooks.ts';
import type { SandboxServices } from './operation.ts';

// biome-ignore lint/suspicious/noExplicitAny: each operation has its own call, which the routes have checked.
type AnyOperation = (services: SandboxServices, call: any) => Promise<unknown>;

/** The start compares them with the document. */
const SANDBOX_OPERATIONS: Readonly<Record<string, AnyOperation>> = {
  askForPaymentData: simulatePayment('ask-for-data'),
  askForPaymentConfirmation: simulatePayment('ask-for-confirmation'),
  payPayment: simulatePayment('pay'),
  succeedPayment: simulatePayment('succeed'),
  declinePayment: simulatePayment('decline'),
  expirePayment: simulatePayment('expire'),
  succeedPayout: simulatePayout('succeed'),
  declinePayout: simulatePayout('decline'),
  createMerchant,
  deleteMerchant,
  resetMerchant,
  ...access,
  ...clock,
  ...environment,
  ...faults,
  ...webhooks,
};

/** Conditions under which requests are admitted. */
export interface Admission {
  /** Origins whose pages may use the operations without a key, or `*`. */
  readonly corsOrigins: readonly string[];
  readonly rates: RateLimits;
  readonly authentication: Authentication;
  readonly bodyBytesMax: number;
  readonly readDocument: ReadDocument;
}

interface SandboxOptions extends Admission {
  readonly services: SandboxServices;
}

const OTHER_SITE =
  'A page of another site sent this request. Send it from a program, or add the origin to CORS_ORIGINS.';

export function addSandboxRoutes(
  app: Hono<HttpEnv>,
  { services, rates, corsOrigins, bodyBytesMax, readDocument, authentication: { authenticate } }: SandboxOptions,
): void {
  const admitAnyone = (c: HttpContext) => {
    rates.countPageRequest(c.env.address);
    if (isFromOtherSite(c, corsOrigins)) throw new ProblemError('forbidden', OTHER_SITE);
    return undefined;
  };
  addGatewayApiRoutes<AnyOperation, Merchant | undefined>(app, {
    api: 'sandbox',
    handlers: SANDBOX_OPERATIONS,
    validators,
    ...{ bodyBytesMax, readDocument },
    admit: ({ isOpen }) => (isOpen ? admitAnyone : authenticate),
    // Public operations ignore the merchant.
    run: (operation, { caller, parameters, body, c }) =>
      operation(services, { merchant: caller as Merchant, parameters, body, c }),
  });
}
