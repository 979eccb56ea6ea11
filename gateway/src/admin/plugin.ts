/**
 * The operators' API, made from its document. It is there with LIVE too, since it takes keys of its own: a merchant's key is
 * refused here, and an operator's everywhere else. Each change is recorded, and logged once it is made.
 */
import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import * as validators from '../../../generated/admin/validators.js';
import type { Recorder } from '../administration/administration-services.ts';
import { bearerKey, KeyHolders } from '../http/key-holders.ts';
import { type AdmittedRequest, addOwnRoutes } from '../http/own-routes.ts';
import type { RateLimits } from '../http/rate-limits.ts';
import { type Operator, type OperatorChange, operatorByKey, recordOperatorChange } from '../store/access/operators.ts';
import type { Store } from '../store/engine/store.ts';
import { ADMIN_OPERATIONS } from './handlers/index.ts';
import type { AdminOperation, AdminServices } from './operation.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once a request to the operators' API is authenticated. */
    operator: Operator;
  }
}

export interface AdminOptions {
  readonly services: AdminServices;
  readonly rates: RateLimits;
}

/** Adds a route for each operation. */
export async function adminRoutes(app: FastifyInstance, { services, rates }: AdminOptions): Promise<void> {
  const authenticate = operatorAuthentication(services.store, rates);
  addOwnRoutes<AdminOperation>(app, {
    api: 'admin',
    handlers: ADMIN_OPERATIONS,
    validators,
    admit: () => authenticate,
    run: (operation, request) => runRecorded(services, operation, request),
    prefix: 'admin.',
  });
}

function operatorAuthentication(store: Store, rates: RateLimits): onRequestHookHandler {
  const operators = new KeyHolders({
    rates,
    find: (key) => operatorByKey(store.read, key),
    refusals: {
      missing: 'Missing operator key. Send `Authorization: Bearer op_…`.',
      invalid: 'Invalid operator key. Check that it begins with `op_`, is complete, and is not revoked.',
    },
  });
  return (request, _reply, done) => {
    const key = bearerKey(request.headers.authorization);
    const admit = (operator: Operator) => {
      request.operator = operator;
      request.operatorId = operator.id;
      rates.countCall(key ?? '');
    };
    operators.admit(key, request.ip, admit, done);
  };
}

async function runRecorded(
  services: AdminServices,
  operation: AdminOperation,
  { operationId, request, parameters, body }: AdmittedRequest,
): Promise<unknown> {
  const { clock, ids, log } = services;
  const { operator } = request;
  let made: OperatorChange | undefined;
  const record: Recorder = async (db, change) => {
    made = { ...change, action: operationId };
    await recordOperatorChange(db, operator, made, { now: clock.now(), ids });
  };
  try {
    return await operation(services, { operator, parameters, body, record });
  } finally {
    // A replay that fails midway has sent some events again.
    if (made) {
      const { action, merchantId, subject } = made;
      const change = { action, merchant_id: merchantId, subject };
      log.info(
        { request_id: request.id, operator_id: operator.id, operator: operator.name, ...change },
        'operator change',
      );
    }
  }
}
