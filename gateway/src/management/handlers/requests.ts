/** The requests of a merchant and the stream of its changes. Only a sandbox has them. */
import type { OperationId } from '../../http/gateway-apis.ts';
import { ProblemError } from '../../http/problems.ts';
import type { ManagedSandbox, ManagementOperation, ManagementServices, MerchantCall } from '../operation.ts';
import { idCursor, readLimit } from '../parameters.ts';

type MerchantOperation<Id extends OperationId<'management'>> = ManagementOperation<Id, MerchantCall<Id>>;

export const listRequests: MerchantOperation<'listRequests'> = async (services, { merchantId, parameters }) => {
  const { transaction_id: transactionId, failed, sandbox, operation } = parameters;
  const shown = { failed: failed === 'true', apiOnly: sandbox === 'false', operation };
  const filter = { from: idCursor(parameters, 'req'), transactionId, ...shown };
  const limit = readLimit(parameters);
  const found = await requireSandbox(services).requests.list(merchantId, filter, limit + 1);
  const next = found[limit]?.id;
  return { data: found.slice(0, limit), ...(next !== undefined && { next_cursor: next }) };
};

export const getRequest: MerchantOperation<'getRequest'> = async (services, { merchantId, parameters }) => {
  const found = await requireSandbox(services).requests.find(merchantId, parameters.request_id);
  if (found) return found;
  throw new ProblemError('not-found', 'None of the last 1,000 requests of this merchant has this id.');
};

export async function streamChanges(services: ManagementServices, { merchantId, c }: MerchantCall<'streamChanges'>) {
  const stream = requireSandbox(services).follow(c, merchantId);
  if (!stream) throw new ProblemError('unavailable', 'Too many streams are open, or the gateway is closing.');
  return stream;
}

function requireSandbox({ sandbox }: ManagementServices): ManagedSandbox {
  if (sandbox) return sandbox;
  throw new ProblemError('not-found', 'Only a sandbox records requests and streams changes. This gateway has none.');
}
