/** The calls of the management API, and the services that its operations may use. */
import type { LoggedRequest, RequestSummary } from '../../../generated/management/types.ts';
import type { Database } from '../database/store.ts';
import type { Transaction } from '../domain/transaction.ts';
import type { HttpContext } from '../http/context.ts';
import type { EventStream } from '../http/event-stream.ts';
import type { BodyOf, OperationId, ReadParameters, ResultOf } from '../http/gateway-apis.ts';
import { type OperatorChange, recordOperatorChange } from '../operators/audit-log.ts';
import type { Operator, OperatorName } from '../operators/operators.ts';
import type { Log } from '../platform/log.ts';
import type { CommitServices } from '../transactions/commit-step.ts';
import type { Services } from '../transactions/services.ts';
import type { StoredEvent } from '../webhooks/merchant-events.ts';
import type { AuditQueue } from './audit.ts';

export interface AdministrationServices extends Pick<Services, 'store' | 'clock' | 'time' | 'ids'> {
  /** New API keys are for real money. */
  readonly live: boolean;
  /** Signals that events are waiting. No-op in a process without deliveries. */
  readonly wake: () => void;
  readonly deliveries: {
    /** The merchant's secrets have changed. */
    readonly forgetKeys: (merchantId: number) => void;
  };
}

export type ProposalServices = CommitServices & Pick<Services, 'methods'>;

/** Records a change in the unit of work that makes it. Returns the id of the record. */
export type Recorder = (db: Database, change: Omit<OperatorChange, 'action'>) => Promise<string | undefined>;

/** For changes of a merchant's own. */
export const UNRECORDED: Recorder = async () => undefined;

/** Creates a recorder of changes that an operator makes with an action, such as an operation. */
export function createRecorder(
  operator: OperatorName,
  made: Pick<OperatorChange, 'action' | 'reason'>,
  { clock, ids }: Pick<Services, 'clock' | 'ids'>,
): Recorder {
  return (db, change) => recordOperatorChange(db, operator, { ...change, ...made }, { now: clock.now(), ids });
}

/** Reads the number of the merchant that a request names in its parameters or its body. */
export function readNamedMerchant({
  parameters,
  body,
}: {
  readonly parameters: Readonly<Record<string, string>>;
  readonly body: unknown;
}): number | undefined {
  const { merchant_id: inBody } = { ...(body as { readonly merchant_id?: unknown } | undefined) };
  const { merchant_id: named = inBody } = parameters;
  return named === undefined ? undefined : Number(named);
}

export interface ManagementServices
  extends AdministrationServices,
    ProposalServices,
    Pick<Services, 'channels' | 'methods' | 'pauses' | 'checkoutUrl'> {
  readonly log: Pick<Log, 'info'>;
  /** Audits read all data of a merchant, so they wait for each other. */
  readonly audits: AuditQueue;
  /** What only a sandbox has. */
  readonly sandbox?: ManagedSandbox | undefined;
}

/** The conditions of a request in the list. */
export interface RequestFilter {
  /** The id at which to begin; the newest by default. */
  readonly from?: string | undefined;
  readonly transactionId?: string | undefined;
  readonly failed?: boolean | undefined;
  readonly operation?: string | undefined;
  /** Leave out requests to the sandbox and to the management API. */
  readonly apiOnly?: boolean | undefined;
}

/** A sandbox as the management API shows it: the request log, the stream of changes, clocks and simulations. */
export interface ManagedSandbox {
  readonly requests: {
    list(merchantId: number, filter: RequestFilter, limit: number): Promise<RequestSummary[]>;
    find(merchantId: number, id: string): Promise<LoggedRequest | undefined>;
  };
  /** Opens a stream of the changes of the request's merchant. Undefined if too many are open. */
  readonly follow: (c: HttpContext, merchantId: number) => EventStream | undefined;
  readonly onResend: (event: StoredEvent) => void;
  /** Converts a stored time to the merchant's. Undefined for work that is due. */
  readonly toMerchantTime: (merchantId: number, stored: number) => number | undefined;
  /** The simulation events that are legal now. */
  readonly legalEvents: (transaction: Transaction) => string[];
}

/** An authenticated and validated request to an operation. */
export interface ManagementCall<Id extends OperationId<'management'>> {
  /** Undefined if a merchant calls. */
  readonly operator: Operator | undefined;
  /** The merchant that the call is limited to. Undefined if an operator names none. */
  readonly merchantId: number | undefined;
  readonly parameters: ReadParameters<'management', Id>;
  readonly body: BodyOf<'management', Id>;
  /** Records a change by an operator. */
  readonly record: Recorder;
  readonly c: HttpContext;
}

export interface OperatorCall<Id extends OperationId<'management'>> extends ManagementCall<Id> {
  readonly operator: Operator;
}

export interface MerchantCall<Id extends OperationId<'management'>> extends ManagementCall<Id> {
  readonly merchantId: number;
}

/** Returns the body of the success response. Throws a ProblemError otherwise. */
export type ManagementOperation<
  Id extends OperationId<'management'>,
  Call = ManagementCall<Id>,
  Available = ManagementServices,
> = (services: Available, call: Call) => Promise<ResultOf<'management', Id>>;

/** An operation that needs nothing but the database, so that a command can run it without a gateway. */
export type DatabaseOperation<Id extends OperationId<'management'>, Call = ManagementCall<Id>> = ManagementOperation<
  Id,
  Call,
  AdministrationServices
>;
