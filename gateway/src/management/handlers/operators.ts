/** Operators with the use of their keys. */
import type {
  Change,
  OperatorKey as KeyView,
  Operator as OperatorView,
} from '../../../../generated/management/types.ts';
import { listOperatorChanges, type RecordedChange } from '../../operators/audit-log.ts';
import { type OperatorKey, operatorKeys } from '../../operators/operator-keys.ts';
import { listOperators as list, type OperatorListing } from '../../operators/operators.ts';
import { timestamp } from '../../transactions/view.ts';
import type { DatabaseOperation } from '../operation.ts';
import { buildPage, idCursor, readLimit } from '../parameters.ts';

export const listOperators: DatabaseOperation<'listOperators'> = async ({ store }, { parameters }) => {
  const limit = readLimit(parameters);
  const found = await list(store.read, { before: idCursor(parameters, 'opr', 'usr'), limit: limit + 1 });
  const keys = await Promise.all(found.map(({ id }) => operatorKeys(store.read, id)));
  const listed = found.map((operator, index) => ({ operator, keys: keys[index] ?? [] }));
  return buildPage(listed, limit, ({ operator }) => operator.id, viewOperator);
};

function viewOperator(listed: {
  readonly operator: OperatorListing;
  readonly keys: readonly OperatorKey[];
}): OperatorView {
  const { id, name, role, createdAt } = listed.operator;
  return { id, name, role, created_at: timestamp(createdAt), keys: listed.keys.map(viewKey) };
}

function viewKey({ id, hint, createdAt, expiresAt, lastUsedAt, revokedAt }: OperatorKey): KeyView {
  return {
    ...{ id, hint, created_at: timestamp(createdAt), expires_at: timestamp(expiresAt) },
    ...(lastUsedAt !== undefined && { last_used_at: timestamp(lastUsedAt) }),
    ...(revokedAt !== undefined && { revoked_at: timestamp(revokedAt) }),
  };
}

export const listChanges: DatabaseOperation<'listChanges'> = async ({ store }, { parameters, merchantId }) => {
  const limit = readLimit(parameters);
  const before = idCursor(parameters, 'chg');
  const found = await listOperatorChanges(store.read, { merchantId, before, limit: limit + 1 });
  return buildPage(found, limit, (change) => change.id, viewChange);
};

function viewChange({ id, at, operator, action, merchantId, subject, reason }: RecordedChange): Change {
  return {
    ...{ id, at: timestamp(at), operator_id: operator.id, operator: operator.name, action },
    ...(merchantId !== undefined && { merchant_id: merchantId }),
    ...(subject !== undefined && { subject }),
    ...(reason !== undefined && { reason }),
  };
}
