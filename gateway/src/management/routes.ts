/**
 * The management API, built from its document. A merchant's key sees the merchant's own data, an operator's key the
 * data of all merchants. The document says who may call each operation, and only this file enforces it. Changes by
 * operators are recorded in the audit log and logged.
 */

import type { Hono } from 'hono';
import * as validators from '../../../generated/management/validators.js';
import type { Authentication } from '../http/auth.ts';
import { consoleSession } from '../http/console-session.ts';
import type { HttpContext, HttpEnv } from '../http/context.ts';
import type { OperationAccess, ReadDocument } from '../http/gateway-apis.ts';
import { findKeyHolder, KeyHolders, requestKey } from '../http/key-holders.ts';
import { ProblemError } from '../http/problems.ts';
import type { RateLimits } from '../http/rate-limits.ts';
import { type AdmittedRequest, addGatewayApiRoutes } from '../http/routes.ts';
import type { Merchant } from '../merchants/merchants.ts';
import { hasOperatorChange, type OperatorChange } from '../operators/audit-log.ts';
import { OPERATOR_KEY_PREFIX, operatorBySession } from '../operators/operator-keys.ts';
import { type Operator, ROLES } from '../operators/operators.ts';
import * as channels from './handlers/channels.ts';
import * as differences from './handlers/differences.ts';
import * as events from './handlers/events.ts';
import * as merchants from './handlers/merchants.ts';
import * as methods from './handlers/methods.ts';
import * as operators from './handlers/operators.ts';
import * as proposals from './handlers/proposals.ts';
import * as requests from './handlers/requests.ts';
import * as transactions from './handlers/transactions.ts';
import { findOperatorKey } from './lookups.ts';
import { createRecorder, type ManagementServices, type Recorder, readNamedMerchant, UNRECORDED } from './operation.ts';
import { listSettlements } from './settlements.ts';

interface ManagementOptions {
  readonly services: ManagementServices;
  readonly rates: RateLimits;
  readonly authentication: Pick<Authentication, 'authenticate'>;
  readonly bodyBytesMax: number;
  readonly readDocument: ReadDocument;
  /** The gateway moves real money, and refuses operations that are for test keys. */
  readonly live: boolean;
  /** Sessions of the console are accepted too. */
  readonly sessions: boolean;
}

// biome-ignore lint/suspicious/noExplicitAny: each operation has its own call, which the routes have checked.
type AnyOperation = (services: ManagementServices, call: any) => Promise<unknown>;

/** A merchant, or an operator with a key or in a session of the console. */
type Caller =
  | { readonly merchant: Merchant; readonly operator?: undefined }
  | { readonly merchant?: undefined; readonly operator: Operator };

export function addManagementRoutes(app: Hono<HttpEnv>, options: ManagementOptions): void {
  const { services, bodyBytesMax, readDocument, live } = options;
  const authenticate = callerAuthentication(options);
  addGatewayApiRoutes<AnyOperation, Caller>(app, {
    api: 'management',
    handlers: MANAGEMENT_OPERATIONS,
    validators,
    ...{ bodyBytesMax, readDocument },
    admit: (access) => async (c) => {
      const caller = await authenticate(c);
      requireAccess(caller, access, live);
      return caller;
    },
    run: (operation, request) => runRecorded(services, operation, request),
    prefix: 'management.',
  });
}

/** Authenticates the merchant or the operator of a request. */
function callerAuthentication({
  services: { store, clock },
  rates,
  authentication,
  sessions,
}: ManagementOptions): (c: HttpContext) => Promise<Caller> {
  const operators = new KeyHolders({
    rates,
    find: async (key) => (await findOperatorKey(store, key, clock.now()))?.operator,
    refusals: {
      missing: 'Missing operator key. Send `Authorization: Bearer op_…`.',
      invalid: 'Invalid operator key. Check that it begins with `op_`, is complete, and is not revoked.',
    },
  });
  async function findOperator(c: HttpContext, key: string | undefined): Promise<Operator | undefined> {
    if (key !== undefined) {
      if (!key.startsWith(OPERATOR_KEY_PREFIX)) return undefined;
      return operators.remembered(key) ?? operators.find(key, c.env.address);
    }
    const session = sessions ? consoleSession(c) : undefined;
    if (session === undefined) return undefined;
    const find = () => operatorBySession(store.read, session, clock.now());
    return findKeyHolder(rates, find, c.env.address, false);
  }
  return async (c) => {
    const key = requestKey(c);
    const operator = await findOperator(c, key);
    if (!operator) return { merchant: await authentication.authenticate(c, sessions) };
    c.get('request').operatorId = operator.id;
    rates.countCall(key ?? consoleSession(c) ?? '');
    return { operator };
  };
}

/** Throws the problem `forbidden` for a caller that the document doesn't name, and for an operator without the role. */
function requireAccess(caller: Caller, { merchants, role }: OperationAccess, live: boolean): void {
  if (caller.merchant) {
    if (merchants === 'none') {
      throw new ProblemError('forbidden', 'This is for operators. Send an operator key, which begins with `op_`.');
    }
    if (merchants === 'test' && live) {
      throw new ProblemError('forbidden', 'This is for test keys, and this gateway has live keys only.');
    }
    return;
  }
  const { operator } = caller;
  if (role === undefined) {
    throw new ProblemError('forbidden', "This is for merchants. Send the merchant's API key.");
  }
  const ranks: readonly string[] = ROLES;
  const needed = ranks.indexOf(role);
  if (needed >= 0 && ranks.indexOf(operator.role) >= needed) return;
  throw new ProblemError(
    'forbidden',
    `This takes an operator with the role \`${role}\`, and ${operator.name} has \`${operator.role}\`. Use the key of another operator.`,
  );
}

/**
 * Returns the merchant that a call is limited to: the calling merchant, or the one that an operator names. Throws the
 * problem `not-found` if a merchant names another one.
 */
function readScope({ merchant }: Caller, request: AdmittedRequest<Caller>): number | undefined {
  const named = readNamedMerchant(request);
  if (!merchant) return named;
  if (named === undefined || named === merchant.id) return merchant.id;
  throw new ProblemError('not-found', `No merchant has the number ${named}, or this key has no access to it.`);
}

async function runRecorded(
  services: ManagementServices,
  operation: AnyOperation,
  admitted: AdmittedRequest<Caller>,
): Promise<unknown> {
  const { operationId, caller, c, parameters, body } = admitted;
  const { operator } = caller;
  const request = c.get('request');
  const call = { operator, merchantId: readScope(caller, admitted), parameters, body, c };
  if (!operator) return operation(services, { ...call, record: UNRECORDED });
  const { reason } = (body ?? {}) as { readonly reason?: string };
  const write = createRecorder(operator, { action: operationId, reason }, services);
  let made: (Omit<OperatorChange, 'action'> & { readonly id: string }) | undefined;
  const record: Recorder = async (db, change) => {
    const id = await write(db, change);
    made = id === undefined ? undefined : { ...change, id };
    return id;
  };
  try {
    return await operation(services, { ...call, record });
  } catch (error) {
    // A replay that fails midway has sent some events again. Other failures roll the change back.
    if (made && !(await hasOperatorChange(services.store.read, made.id).catch(() => false))) made = undefined;
    throw error;
  } finally {
    if (made) {
      const { merchantId, subject } = made;
      const change = { action: operationId, merchant_id: merchantId, subject, reason };
      services.log.info(
        { request_id: request.id, operator_id: operator.id, operator: operator.name, ...change },
        'operator change',
      );
    }
  }
}

// The operations of the management API: the exports of the handlers, named by operationId. The start compares them with
// the document.

const MANAGEMENT_OPERATIONS: Readonly<Record<string, AnyOperation>> = {
  ...channels,
  ...differences,
  ...events,
  ...merchants,
  ...methods,
  ...operators,
  ...proposals,
  ...requests,
  ...transactions,
  listSettlements,
};
