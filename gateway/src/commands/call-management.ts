/**
 * Calls operations of the management API for commands: with an operator's key over HTTP, or on the database in this
 * process. Both run the same operation.
 */
import { UserError } from '../../../contract/src/cli.ts';
import type { Operation } from '../../../contract/src/model.ts';
import * as validators from '../../../generated/management/validators.js';
import { type ApiCall, callManagement, type OperationId, type ResultOf, readPages } from '../api-client/client.ts';
import type { GatewayConfig } from '../config/settings.ts';
import { parameterReader } from '../http/documented-routes.ts';
import { readApiDocument } from '../http/gateway-apis.ts';
import { ProblemError } from '../http/problems.ts';
import { acceptDifference, listDifferences } from '../management/handlers/differences.ts';
import { listStoppedUrls, replayEvents, resendEvent, resumeUrl, stopUrl } from '../management/handlers/events.ts';
import {
  createApiKey,
  createMerchant,
  disableMerchant,
  enableMerchant,
  listApiKeys,
  listMerchants,
  listSigningSecrets,
  listWallets,
  revokeApiKey,
  revokeSigningSecret,
  rotateSigningSecret,
} from '../management/handlers/merchants.ts';
import { listOperators } from '../management/handlers/operators.ts';
import { listExceptions, listFailingTransactions } from '../management/handlers/transactions.ts';
import { type AdministrationServices, readNamedMerchant } from '../management/operation.ts';
import type { OperatorName } from '../operators/operators.ts';
import { randomIds } from '../platform/ids.ts';
import { type KeyRing, NO_KEYS } from '../platform/key-ring.ts';
import { storeTime } from '../platform/merchant-time.ts';
import { callGateway, explainToOperator, readOperatorAccess } from './client/access.ts';
import { type AuthoredDatabase, createAuthor } from './command-services.ts';
import { withSecretKeys } from './secrets.ts';

type DatabaseHandler = (services: AdministrationServices, call: never) => Promise<unknown>;

/** Operations that need nothing but the database. */
const OPERATIONS = {
  ...{ replayEvents, resendEvent, listStoppedUrls, stopUrl, resumeUrl, listFailingTransactions, listExceptions },
  ...{ createMerchant, disableMerchant, enableMerchant, listApiKeys, createApiKey, revokeApiKey },
  ...{ listMerchants, listWallets, listOperators, listSigningSecrets, rotateSigningSecret, revokeSigningSecret },
  ...{ listDifferences, acceptDifference },
} satisfies Partial<Record<OperationId<'management'>, DatabaseHandler>>;

type DatabaseOperation = keyof typeof OPERATIONS;

/** Operations that create signing secrets. */
const WITH_SECRETS: ReadonlySet<DatabaseOperation> = new Set(['createMerchant', 'rotateSigningSecret']);

/** Calls an operation. Throws a UserError if it is refused. */
export type CallManagement = <Id extends DatabaseOperation>(
  id: Id,
  call?: ApiCall<'management', Id>,
) => Promise<ResultOf<'management', Id>>;

/** Calls a gateway. The reason is recorded with a change. */
export function managementOverHttp(url: string, env: NodeJS.ProcessEnv, reason: string | undefined): CallManagement {
  const access = readOperatorAccess({ url }, env);
  return (id, call = {}) =>
    callGateway(access, () => callManagement(access, id, withReason(id, call, reason)), explainToOperator);
}

interface ManagedDatabase extends AuthoredDatabase {
  readonly config: GatewayConfig;
}

/** Works on the database, whose gateways may be running. */
export function managementOnDatabase(database: ManagedDatabase, reason: string | undefined): CallManagement {
  return async (id, call = {}) => {
    try {
      return (await callInProcess(database, id, withReason(id, call, reason), reason)) as never;
    } catch (error) {
      throw error instanceof ProblemError ? new UserError(error.message) : error;
    }
  };
}

/** Reads leave no trace, so their operator isn't added to the database. */
const READER: OperatorName = { id: '', name: 'a user of the database' };

interface UntypedCall {
  readonly path?: object;
  readonly query?: object;
  readonly body?: object | undefined;
}

async function callInProcess(
  { config, ...database }: ManagedDatabase,
  id: DatabaseOperation,
  { path = {}, query = {}, body }: UntypedCall,
  reason: string | undefined,
): Promise<unknown> {
  const parameters = parameterReader(findOperation(id), validators)({ params: texts(path), query: texts(query), body });
  const author = isChange(id) ? await createAuthor(database, id, reason) : { operator: READER };
  const call = { ...author, parameters, body, merchantId: readNamedMerchant({ parameters, body }) };
  const operation: DatabaseHandler = OPERATIONS[id];
  const run = (secretKeys: KeyRing) => operation(createServices(database, secretKeys, config.live), call as never);
  return WITH_SECRETS.has(id) ? withSecretKeys(config, database, run) : run(NO_KEYS);
}

function createServices(
  { store, clock }: Pick<ManagedDatabase, 'store' | 'clock'>,
  secretKeys: KeyRing,
  live: boolean,
): AdministrationServices {
  return {
    ...{ store, secretKeys, live, clock, time: storeTime(clock), ids: randomIds },
    // Gateways poll for waiting events and reload secrets within a second.
    wake: () => undefined,
    deliveries: { forgetKeys: () => undefined },
  };
}

function withReason<Call extends UntypedCall>(id: string, call: Call, reason: string | undefined): Call {
  if (!isChange(id)) return call;
  return { ...call, body: { ...call.body, ...(reason !== undefined && { reason }) } };
}

function isChange(id: string): boolean {
  return readApiDocument('management').access.get(id)?.role !== 'read';
}

function findOperation(id: string): Operation {
  return readApiDocument('management').operations.find((operation) => operation.id === id) as Operation;
}

/** Parameters as a URL has them. */
function texts(values: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
}

/** Entries of a page, at most. */
const PAGE = 200;

/** Reads all pages of a list. */
export async function listAll<Entry>(
  readPage: (query: { limit: number; cursor?: string }) => Promise<{ data: Entry[]; next_cursor?: string }>,
): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const { data } of readPages((query) => readPage({ limit: PAGE, ...query }))) entries.push(...data);
  return entries;
}
