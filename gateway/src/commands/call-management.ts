/**
 * Calls operations of the management API for commands: with an operator's key over HTTP, or on the database in this
 * process. Both run the same operation.
 */
import { UserError } from '../../../contract/src/cli.ts';
import { type CallApi, callManagement, type OperationId, readPages } from '../api-client/client.ts';
import type { GatewayConfig } from '../config/settings.ts';
import { readApiDocument } from '../http/gateway-apis.ts';
import { ProblemError } from '../http/problems.ts';
import { acceptDifference, listDifferences, listStatements } from '../management/handlers/differences.ts';
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
import { requireReadableSecrets } from '../merchants/signing-secrets.ts';
import type { OperatorName } from '../operators/operators.ts';
import { randomIds } from '../platform/ids.ts';
import { storeTime } from '../platform/merchant-time.ts';
import { type AccessFlags, callGateway, explainToOperator, readOperatorAccess } from './client/access.ts';
import { type AuthoredDatabase, createAuthor } from './command-services.ts';

type DatabaseHandler = (services: AdministrationServices, call: never) => Promise<unknown>;

/** Operations that need nothing but the database. */
const OPERATIONS = {
  ...{ replayEvents, resendEvent, listStoppedUrls, stopUrl, resumeUrl, listFailingTransactions, listExceptions },
  ...{ createMerchant, disableMerchant, enableMerchant, listApiKeys, createApiKey, revokeApiKey },
  ...{ listMerchants, listWallets, listOperators, listSigningSecrets, rotateSigningSecret, revokeSigningSecret },
  ...{ listDifferences, acceptDifference, listStatements },
} satisfies Partial<Record<OperationId<'management'>, DatabaseHandler>>;

type DatabaseOperation = keyof typeof OPERATIONS;

/** Operations that create signing secrets. Other keys than the gateways' would write secrets that these can't decrypt. */
const WITH_SECRETS: ReadonlySet<DatabaseOperation> = new Set(['createMerchant', 'rotateSigningSecret']);

/** Whether a command can call the operation without a gateway. */
export function needsOnlyDatabase(id: string): boolean {
  return Object.hasOwn(OPERATIONS, id);
}

/** Calls an operation. Throws a UserError if it is refused. */
export type CallManagement = CallApi<'management'>;

export function managementOverHttp(flags: AccessFlags, env: NodeJS.ProcessEnv): CallManagement {
  const access = readOperatorAccess(flags, env);
  return (id, call = {}) => callGateway(access, () => callManagement(access, id, call), explainToOperator);
}

interface ManagedDatabase extends AuthoredDatabase {
  readonly config: GatewayConfig;
}

/** Works on the database, whose gateways may be running. */
export function managementOnDatabase(database: ManagedDatabase): CallManagement {
  return async (id, call = {}) => {
    try {
      return (await callInProcess(database, id as DatabaseOperation, call as UntypedCall)) as never;
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
  readonly body?: { readonly reason?: string } | undefined;
}

async function callInProcess(
  { config, ...database }: ManagedDatabase,
  id: DatabaseOperation,
  { path, query, body }: UntypedCall,
): Promise<unknown> {
  const parameters = texts({ ...path, ...query });
  const isChange = readApiDocument('management').access.get(id)?.role !== 'read';
  const author = isChange ? await createAuthor(database, id, body?.reason) : { operator: READER };
  const call = { ...author, parameters, body, merchantId: readNamedMerchant({ parameters, body }) };
  const operation: DatabaseHandler = OPERATIONS[id];
  if (WITH_SECRETS.has(id)) await requireReadableSecrets(database.store.read, database.clock.now());
  return operation(createServices(database, config.live), call as never);
}

function createServices(
  { store, clock }: Pick<ManagedDatabase, 'store' | 'clock'>,
  live: boolean,
): AdministrationServices {
  return {
    ...{ store, live, clock, time: storeTime(clock), ids: randomIds },
    // Gateways poll for waiting events and reload secrets within a second.
    wake: () => undefined,
    deliveries: { forgetKeys: () => undefined },
  };
}

/** Parameters as a URL has them. */
function texts(values: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
}

/** Entries of a page, at most. */
const PAGE = 200;

/** Reads the pages of a list, up to a number of entries. */
export async function listAll<Entry>(
  readPage: (query: { limit: number; cursor?: string }) => Promise<{ data: Entry[]; next_cursor?: string }>,
  max = Number.POSITIVE_INFINITY,
): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const { data } of readPages((query) => readPage({ limit: PAGE, ...query }))) {
    entries.push(...data);
    if (entries.length >= max) break;
  }
  return entries.slice(0, max);
}
