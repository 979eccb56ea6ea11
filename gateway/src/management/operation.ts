/** The calls of the management API, and the services that its operations may use. */

import type { LoggedRequest, RequestSummary } from '../../../generated/management/types.ts';
import type { Transaction } from '../domain/transaction.ts';
import type { HttpContext } from '../http/context.ts';
import type { EventStream } from '../http/event-stream.ts';
import type { Operator } from '../operators/operators.ts';
import type { Log } from '../platform/log.ts';
import type { Services } from '../transactions/services.ts';
import type { StoredEvent } from '../webhooks/merchant-events.ts';
import type { AdministrationServices, Recorder } from './administration-services.ts';
import type { MerchantQueue } from './merchant-queue.ts';
import type { ProposalServices } from './proposals.ts';

export interface ManagementServices
  extends AdministrationServices,
    ProposalServices,
    Pick<Services, 'channels' | 'methods' | 'pauses' | 'checkoutUrl'> {
  readonly log: Pick<Log, 'info'>;
  /** Audits read all data of a merchant, so they wait for each other. */
  readonly audits: MerchantQueue;
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
  /** Called when an event is sent again. */
  readonly onResend: (event: StoredEvent) => void;
  /** Converts a stored time to the merchant's. Undefined for work that is due. */
  readonly toMerchantTime: (merchantId: number, stored: number) => number | undefined;
  /** The simulation events that are legal now. */
  readonly legalEvents: (transaction: Transaction) => string[];
}

/** An authenticated and validated request. */
export interface ManagementCall<Body = unknown, Parameters = Readonly<Record<string, string>>> {
  /** Undefined if a merchant calls. */
  readonly operator: Operator | undefined;
  /** The merchant that the call is limited to. Undefined if an operator names none. */
  readonly merchantId: number | undefined;
  readonly parameters: Parameters;
  readonly body: Body;
  /** Records a change by an operator. */
  readonly record: Recorder;
  readonly c: HttpContext;
}

/** A call of an operation for operators. */
export interface OperatorCall<Body = unknown, Parameters = Readonly<Record<string, string>>>
  extends ManagementCall<Body, Parameters> {
  readonly operator: Operator;
}

/** Returns the body of the success response. Throws a ProblemError otherwise. */
// biome-ignore lint/suspicious/noExplicitAny: each operation narrows its call; the routes check it before.
export type ManagementOperation = (services: ManagementServices, call: any) => Promise<unknown>;
