/**
 * The sandbox's routes, made from its document: nothing of it is part of the contract, and a live gateway has none of it.
 */
import * as validators from '../../../generated/sandbox/validators.js';
import type { Authentication } from '../http/auth.ts';
import { ownRoutes } from '../http/own-routes.ts';
import type { RateLimits } from '../http/rate-limits.ts';
import type { Route } from '../http/router.ts';
import { isFromOtherSite } from '../http/same-site.ts';
import type { ServedRequest } from '../http/served-request.ts';
import { inSpan } from '../platform/tracing.ts';
import type { Merchant } from '../store/access/merchants.ts';
import type { ReadDocument } from '../wire/gateway-apis.ts';
import { ProblemError } from '../wire/problems.ts';
import { SANDBOX_OPERATIONS } from './handlers/index.ts';
import type { SandboxOperation, SandboxServices } from './operation.ts';

/** Conditions under which requests are admitted. */
export interface Admission {
  /** Origins whose pages may use the operations without a key, or `*`. */
  readonly corsOrigins: readonly string[];
  readonly rates: RateLimits;
  readonly authentication: Authentication;
  readonly bodyBytesMax: number;
  readonly readDocument: ReadDocument;
}

export interface SandboxOptions extends Admission {
  readonly services: SandboxServices;
}

const OTHER_SITE =
  'A page of another site sent this request. Send it from a program, or add the origin to CORS_ORIGINS.';

/** A route for each operation. */
export function sandboxRoutes({
  services,
  rates,
  corsOrigins,
  bodyBytesMax,
  readDocument,
  authentication: { authenticate },
}: SandboxOptions): Route[] {
  const admitAnyone = (request: ServedRequest) => {
    rates.countPageRequest(request.plain.address);
    if (isFromOtherSite(request, corsOrigins)) throw new ProblemError('forbidden', OTHER_SITE);
    return undefined;
  };
  return ownRoutes<SandboxOperation, Merchant | undefined>({
    api: 'sandbox',
    handlers: SANDBOX_OPERATIONS,
    validators,
    ...{ bodyBytesMax, readDocument },
    admit: ({ isOpen }) => (isOpen ? admitAnyone : authenticate),
    // The operations that are open to everyone don't look at the merchant.
    run: (operation, { caller, parameters, body, request }) =>
      operation(inSpan(services, request.span), { merchant: caller as Merchant, parameters, body, request }),
  });
}
