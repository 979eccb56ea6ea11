/** Statements of channels, and their differences from the ledger. */
import type { Statement as StatementView } from '../../../../generated/management/types.ts';
import { ProblemError } from '../../http/problems.ts';
import {
  acceptDifference as accept,
  differenceById,
  listDifferences as list,
  listStatements as listStored,
  type Statement,
} from '../../transactions/statements.ts';
import { timestamp } from '../../transactions/view.ts';
import type { DatabaseOperation, OperatorCall } from '../operation.ts';
import { buildPage, idCursor, readLimit } from '../parameters.ts';
import { viewDifference } from '../views.ts';

export const listDifferences: DatabaseOperation<'listDifferences'> = async ({ store }, { parameters }) => {
  const limit = readLimit(parameters);
  const { state, channel } = parameters;
  const found = await list(store.read, { state, channel }, { after: idCursor(parameters, 'dif'), limit: limit + 1 });
  return buildPage(found, limit, ({ id }) => id, viewDifference);
};

export const acceptDifference: DatabaseOperation<'acceptDifference', OperatorCall<'acceptDifference'>> = async (
  { store, clock },
  { parameters, body, operator, record },
) => {
  const { difference_id: id } = parameters;
  const { reason } = body;
  const accepted = await store.unit(async (db) => {
    const done = await accept(db, id, { operatorId: operator.id, reason, now: clock.now() });
    const difference = await differenceById(db, id);
    if (done && difference) await record(db, { merchantId: difference.merchantId, subject: id });
    return { done, difference };
  });
  const { difference, done } = accepted;
  if (!difference) throw new ProblemError('not-found', `No difference has the id ${id}.`);
  if (!done) throw new ProblemError('wrong-state', `The difference ${id} is ${difference.state}, not open.`);
  return viewDifference(difference);
};

export const listStatements: DatabaseOperation<'listStatements'> = async ({ store }, { parameters }) => {
  const limit = readLimit(parameters);
  const { channel } = parameters;
  const found = await listStored(store.read, { channel, before: idCursor(parameters, 'stm'), limit: limit + 1 });
  return buildPage(found, limit, ({ id }) => id, viewStatement);
};

function viewStatement({ id, channel, hash, from, before, importedAt, importedBy, lines }: Statement): StatementView {
  return {
    ...{ id, channel, hash, from: timestamp(from), before: timestamp(before) },
    ...{ imported_at: timestamp(importedAt), imported_by: importedBy },
    ...(lines !== undefined && { lines }),
  };
}
