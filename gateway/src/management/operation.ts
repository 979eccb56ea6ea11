/** The calls of the management API, and the services that its operations may use. */

import type { Operator } from '../operators/operators.ts';
import type { Log } from '../platform/log.ts';
import type { Services } from '../transactions/services.ts';
import type { AdministrationServices, Recorder } from './administration-services.ts';
import type { ProposalServices } from './proposals.ts';

export interface ManagementServices
  extends AdministrationServices,
    ProposalServices,
    Pick<Services, 'channels' | 'methods' | 'pauses'> {
  readonly log: Pick<Log, 'info'>;
}

/** An authenticated and validated request of an operator. */
export interface ManagementCall<Body = unknown, Parameters = Readonly<Record<string, string>>> {
  readonly operator: Operator;
  readonly parameters: Parameters;
  readonly body: Body;
  /** Records a change that the call makes. */
  readonly record: Recorder;
}

/** Returns the body of the success response. Throws a ProblemError otherwise. */
// biome-ignore lint/suspicious/noExplicitAny: each operation narrows its call; the routes check it before.
export type ManagementOperation = (services: ManagementServices, call: ManagementCall<any, any>) => Promise<unknown>;
