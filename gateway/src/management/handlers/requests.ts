/** The requests of a merchant and the stream of its changes. Only a sandbox has them. */
import type { LoggedRequest, RequestList } from '../../../../generated/management/types.ts';
import type { EventStream } from '../../http/event-stream.ts';
import { ProblemError } from '../../http/problems.ts';
import type { ManagedSandbox, ManagementCall, ManagementServices } from '../operation.ts';
import { idCursor, type PageParameters, readLimit } from '../parameters.ts';

interface ListParameters extends PageParameters {
  readonly transaction_id?: string;
  readonly failed?: 'true';
  readonly sandbox?: 'false';
  readonly operation?: string;
}

/** A call by a merchant. */
interface MerchantCall<Parameters = unknown> extends ManagementCall<undefined, Parameters> {
  readonly merchantId: number;
}

export async function listRequests(
  services: ManagementServices,
  { merchantId, parameters }: MerchantCall<ListParameters>,
): Promise<RequestList> {
  const { transaction_id: transactionId, failed, sandbox, operation } = parameters;
  const shown = { failed: failed === 'true', apiOnly: sandbox === 'false', operation };
  const filter = { from: idCursor(parameters, 'req'), transactionId, ...shown };
  const limit = readLimit(parameters);
  const found = await requireSandbox(services).requests.list(merchantId, filter, limit + 1);
  const next = found[limit]?.id;
  return { data: found.slice(0, limit), ...(next !== undefined && { next_cursor: next }) };
}

export async function getRequest(
  services: ManagementServices,
  { merchantId, parameters }: MerchantCall<{ request_id: string }>,
): Promise<LoggedRequest> {
  const found = await requireSandbox(services).requests.find(merchantId, parameters.request_id);
  if (found) return found;
  throw new ProblemError('not-found', 'None of the last 1,000 requests of this merchant has this id.');
}

export async function streamChanges(
  services: ManagementServices,
  { merchantId, c }: MerchantCall,
): Promise<EventStream> {
  const stream = requireSandbox(services).follow(c, merchantId);
  if (!stream) throw new ProblemError('unavailable', 'Too many streams are open, or the gateway is closing.');
  return stream;
}

function requireSandbox({ sandbox }: ManagementServices): ManagedSandbox {
  if (sandbox) return sandbox;
  throw new ProblemError('not-found', 'Only a sandbox records requests and streams changes. This gateway has none.');
}
