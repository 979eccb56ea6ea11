/** Transactions whose channel contradicts how they have ended. */
import type {
  ExceptionalTransaction,
  ExceptionList,
  Exception as ExceptionView,
} from '../../../../generated/management/types.ts';
import { describeContradiction, openExceptions } from '../../domain/exceptions.ts';
import type { Exception, Transaction } from '../../domain/transaction.ts';
import { contradictedTransactions, type ExceptionCursor } from '../../transactions/exception-rows.ts';
import { timestamp } from '../../transactions/view.ts';
import type { AdministrationServices } from '../administration-services.ts';
import type { ManagementCall } from '../operation.ts';
import { buildPage, type PageParameters, readLimit, unknownCursor } from '../pages.ts';
import { toCorrection } from '../proposals.ts';
import { summarizeTransaction } from '../transactions.ts';

export async function listExceptions(
  { store }: AdministrationServices,
  { parameters }: ManagementCall<undefined, PageParameters>,
): Promise<ExceptionList> {
  const limit = readLimit(parameters);
  const found = await contradictedTransactions(store.read, { after: readCursor(parameters), limit: limit + 1 });
  return buildPage(
    found,
    limit,
    ({ transaction, since }) => `${since}-${transaction.id}`,
    ({ transaction }) => ({
      ...summarizeTransaction(transaction),
      ...viewExceptions(transaction),
    }),
  );
}

/** The exceptions of a transaction, and the correction that would book them. */
export function viewExceptions(transaction: Transaction): Pick<ExceptionalTransaction, 'exceptions' | 'correction'> {
  const { direction, amount } = toCorrection(transaction.kind, {
    ...describeContradiction(transaction),
    currency: transaction.currency,
  });
  const isOpen = openExceptions(transaction).length > 0;
  return {
    exceptions: (transaction.exceptions ?? []).map(viewException),
    ...(isOpen && amount > 0 && { correction: { direction, amount } }),
  };
}

function viewException({ at, call, result, amount, reason, resolved }: Exception): ExceptionView {
  return {
    ...{ at: timestamp(at), call, result, amount },
    ...(reason !== undefined && { decline_reason: reason }),
    ...(resolved !== undefined && { resolution: resolved }),
  };
}

function readCursor({ cursor }: PageParameters): ExceptionCursor | undefined {
  if (cursor === undefined) return undefined;
  const [, at, id] = /^(\d{1,15})-((?:pay|out)_[0-9A-Z]{26})$/.exec(cursor) ?? [];
  if (at === undefined || id === undefined) throw unknownCursor();
  return { at: Number(at), id };
}
