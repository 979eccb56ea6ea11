/**
 * The sandbox's routes, made from its document: nothing of it is part of the contract, and a live gateway has none of it.
 */
import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import * as validators from '../../../generated/sandbox/validators.js';
import type { Authentication } from '../http/auth.ts';
import { addOwnRoutes } from '../http/own-routes.ts';
import type { RateLimits } from '../http/rate-limits.ts';
import { isFromOtherSite } from '../http/same-site.ts';
import { ProblemError } from '../wire/problems.ts';
import { SANDBOX_OPERATIONS } from './handlers/index.ts';
import type { SandboxOperation, SandboxServices } from './operation.ts';

/** Conditions under which requests are admitted. */
export interface Admission {
  /** Origins whose pages may use the operations without a key, or `*`. */
  readonly corsOrigins: readonly string[];
  readonly rates: RateLimits;
  readonly authentication: Authentication;
}

export interface SandboxOptions extends Admission {
  readonly services: SandboxServices;
}

const OTHER_SITE =
  'A page of another site sent this request. Send it from a program, or add the origin to CORS_ORIGINS.';

/** Adds a route for each operation. */
export async function sandboxRoutes(
  app: FastifyInstance,
  { services, rates, corsOrigins, authentication: { authenticate } }: SandboxOptions,
): Promise<void> {
  const admitOpen: onRequestHookHandler = (request, _reply, done) => {
    rates.countPageRequest(request.ip);
    done(isFromOtherSite(request, corsOrigins) ? new ProblemError('forbidden', OTHER_SITE) : undefined);
  };
  addOwnRoutes<SandboxOperation>(app, {
    api: 'sandbox',
    handlers: SANDBOX_OPERATIONS,
    validators,
    admit: (isOpen) => (isOpen ? admitOpen : authenticate),
    run: (operation, checked) => operation(services, { merchant: checked.request.merchant, ...checked }),
  });
}
