/** The merchant's last requests. */
import type { LoggedRequest, RequestList } from '../../../../generated/sandbox/types.ts';
import { ProblemError } from '../../http/problems.ts';
import { idCursor, limitOf, type PageParameters } from '../../management/pages.ts';
import type { SandboxCall, SandboxServices } from '../operation.ts';

interface ListParameters extends PageParameters {
  readonly transaction_id?: string;
  readonly failed?: 'true';
  readonly sandbox?: 'false';
  readonly operation?: string;
}

export async function listRequests(
  { requests }: SandboxServices,
  { merchant, parameters }: SandboxCall<undefined, ListParameters>,
): Promise<RequestList> {
  const { transaction_id: transactionId, failed, sandbox, operation } = parameters;
  const shown = { failed: failed === 'true', apiOnly: sandbox === 'false', operation };
  const filter = { from: idCursor(parameters, 'req'), transactionId, ...shown };
  const limit = limitOf(parameters);
  const found = await requests.list(merchant.id, filter, limit + 1);
  const next = found[limit]?.id;
  return { data: found.slice(0, limit), ...(next !== undefined && { next_cursor: next }) };
}

export async function getRequest(
  { requests }: SandboxServices,
  { merchant, parameters }: SandboxCall<undefined, { request_id: string }>,
): Promise<LoggedRequest> {
  const found = await requests.find(merchant.id, parameters.request_id);
  if (found) return found;
  throw new ProblemError('not-found', 'None of the last 1,000 requests of this merchant has this id.');
}
