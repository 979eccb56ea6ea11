/** Statements of channels, and what differs from the ledger. */
import type {
  AcceptRequest,
  DifferenceList,
  Difference as DifferenceView,
  StatementList,
  Statement as StatementView,
} from '../../../../generated/management/types.ts';
import { ProblemError } from '../../http/problems.ts';
import {
  acceptDifference as accept,
  type DifferenceState,
  differenceById,
  listDifferences as list,
  listStatements as listStored,
  type Statement,
} from '../../transactions/statements.ts';
import { timestamp } from '../../transactions/view.ts';
import type { AdministrationServices, ManagementCall, OperatorCall } from '../operation.ts';
import { buildPage, idCursor, type PageParameters, readLimit } from '../parameters.ts';
import { viewDifference } from '../views.ts';

interface DifferenceParameters extends PageParameters {
  readonly state?: DifferenceState;
  readonly channel?: string;
}

export async function listDifferences(
  { store }: AdministrationServices,
  { parameters }: ManagementCall<undefined, DifferenceParameters>,
): Promise<DifferenceList> {
  const limit = readLimit(parameters);
  const { state, channel } = parameters;
  const found = await list(store.read, { state, channel }, { after: idCursor(parameters, 'dif'), limit: limit + 1 });
  return buildPage(found, limit, ({ id }) => id, viewDifference);
}

export async function acceptDifference(
  { store, clock }: AdministrationServices,
  { parameters, body, operator, record }: OperatorCall<AcceptRequest, { readonly difference_id: string }>,
): Promise<DifferenceView> {
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
}

export async function listStatements(
  { store }: AdministrationServices,
  { parameters }: ManagementCall<undefined, PageParameters & { readonly channel?: string }>,
): Promise<StatementList> {
  const limit = readLimit(parameters);
  const { channel } = parameters;
  const found = await listStored(store.read, { channel, before: idCursor(parameters, 'stm'), limit: limit + 1 });
  return buildPage(found, limit, ({ id }) => id, viewStatement);
}

function viewStatement({ id, channel, hash, from, before, importedAt, importedBy, lines }: Statement): StatementView {
  return {
    ...{ id, channel, hash, from: timestamp(from), before: timestamp(before) },
    ...{ imported_at: timestamp(importedAt), imported_by: importedBy },
    ...(lines !== undefined && { lines }),
  };
}
