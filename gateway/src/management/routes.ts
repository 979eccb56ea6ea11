/**
 * The management API, built from its document. It exists with LIVE too, since it has separate keys: it rejects
 * merchants' keys, and other APIs reject operators' keys. Each change is recorded in the audit log and logged. The
 * document defines each operation's role.
 */
import type { Hono } from 'hono';
import * as validators from '../../../generated/management/validators.js';
import { consoleSession } from '../http/console-session.ts';
import type { HttpContext, HttpEnv } from '../http/context.ts';
import type { ReadDocument } from '../http/gateway-apis.ts';
import { findKeyHolder, KeyHolders, requestKey } from '../http/key-holders.ts';
import { type AdmittedRequest, addOwnRoutes } from '../http/own-routes.ts';
import { ProblemError } from '../http/problems.ts';
import type { RateLimits } from '../http/rate-limits.ts';
import { authenticateOperator } from '../operators/operator-keys.ts';
import { operatorBySession } from '../operators/operator-sessions.ts';
import {
  hasOperatorChange,
  type Operator,
  type OperatorChange,
  ROLES,
  recordOperatorChange,
} from '../operators/operators.ts';
import type { Recorder } from './administration-services.ts';
import { MANAGEMENT_OPERATIONS } from './handlers/index.ts';
import type { ManagementOperation, ManagementServices } from './operation.ts';

export interface ManagementOptions {
  readonly services: ManagementServices;
  readonly rates: RateLimits;
  readonly bodyBytesMax: number;
  readonly readDocument: ReadDocument;
  /** Sessions of the console are accepted too. */
  readonly sessions: boolean;
}

/** Adds a route for each operation. */
export function addManagementRoutes(
  app: Hono<HttpEnv>,
  { services, rates, bodyBytesMax, readDocument, sessions }: ManagementOptions,
): void {
  const authenticate = operatorAuthentication(services, rates, sessions);
  addOwnRoutes<ManagementOperation, Operator>(app, {
    api: 'management',
    handlers: MANAGEMENT_OPERATIONS,
    validators,
    ...{ bodyBytesMax, readDocument },
    admit: ({ role }) => authenticate(role),
    run: (operation, request) => runRecorded(services, operation, request),
    prefix: 'management.',
  });
}

/** Authenticates operators for operations that need a role. */
function operatorAuthentication(
  { store, clock }: Pick<ManagementServices, 'store' | 'clock'>,
  rates: RateLimits,
  sessions: boolean,
) {
  const operators = new KeyHolders({
    rates,
    find: async (key) => (await authenticateOperator(store, key, clock.now()))?.operator,
    refusals: {
      missing: 'Missing operator key. Send `Authorization: Bearer op_…`.',
      invalid: 'Invalid operator key. Check that it begins with `op_`, is complete, and is not revoked.',
    },
  });
  async function findBySession(session: string): Promise<Operator> {
    const operator = await operatorBySession(store.read, session, clock.now());
    if (operator) return operator;
    throw new ProblemError('unauthorized', 'The session has ended. Log in again at `/console/login`.');
  }
  return (role: string | undefined) => async (c: HttpContext) => {
    const { address } = c.env;
    const key = requestKey(c);
    const session = key === undefined && sessions ? consoleSession(c) : undefined;
    const operator =
      session === undefined
        ? (operators.remembered(key) ?? (await operators.find(key, address)))
        : await findKeyHolder(rates, () => findBySession(session), address, false);
    c.get('request').operatorId = operator.id;
    rates.countCall(key ?? session ?? '');
    requireRole(operator, role);
    return operator;
  };
}

/** Throws the problem `forbidden`, including for an unknown role. */
function requireRole({ name, role }: Operator, required: string | undefined): void {
  const ranks: readonly (string | undefined)[] = ROLES;
  const needed = ranks.indexOf(required);
  if (needed >= 0 && ranks.indexOf(role) >= needed) return;
  throw new ProblemError(
    'forbidden',
    `This takes an operator with the role \`${required}\`, and ${name} has \`${role}\`. Use the key of another operator.`,
  );
}

async function runRecorded(
  services: ManagementServices,
  operation: ManagementOperation,
  { operationId, caller: operator, c, parameters, body }: AdmittedRequest<Operator>,
): Promise<unknown> {
  const { clock, ids, log } = services;
  const request = c.get('request');
  const { reason } = (body ?? {}) as { readonly reason?: string };
  let made: (OperatorChange & { readonly id: string }) | undefined;
  const record: Recorder = async (db, change) => {
    const recorded = { ...change, reason, action: operationId };
    made = { ...recorded, id: await recordOperatorChange(db, operator, recorded, { now: clock.now(), ids }) };
  };
  try {
    return await operation(services, { operator, parameters, body, record });
  } catch (error) {
    // A replay that fails midway has sent some events again. Other failures roll the change back.
    if (made && !(await hasOperatorChange(services.store.read, made.id).catch(() => false))) made = undefined;
    throw error;
  } finally {
    if (made) {
      const { action, merchantId, subject } = made;
      const change = { action, merchant_id: merchantId, subject, reason };
      log.info(
        { request_id: request.id, operator_id: operator.id, operator: operator.name, ...change },
        'operator change',
      );
    }
  }
}
