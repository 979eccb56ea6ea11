/** The operators' audit log. */
import type { Change, ChangeList } from '../../../../generated/management/types.ts';
import { listOperatorChanges, type RecordedChange } from '../../operators/operators.ts';
import { timestamp } from '../../transactions/view.ts';
import type { ManagementCall, ManagementServices } from '../operation.ts';
import { buildPage, idCursor, type PageParameters, readLimit } from '../pages.ts';

export async function listChanges(
  { store }: ManagementServices,
  { parameters, merchantId }: ManagementCall<undefined, PageParameters>,
): Promise<ChangeList> {
  const limit = readLimit(parameters);
  const before = idCursor(parameters, 'chg');
  const found = await listOperatorChanges(store.read, { merchantId, before, limit: limit + 1 });
  return buildPage(found, limit, (change) => change.id, viewChange);
}

function viewChange({ id, at, operator, action, merchantId, subject, reason }: RecordedChange): Change {
  return {
    ...{ id, at: timestamp(at), operator_id: operator.id, operator: operator.name, action },
    ...(merchantId !== undefined && { merchant_id: merchantId }),
    ...(subject !== undefined && { subject }),
    ...(reason !== undefined && { reason }),
  };
}
