/** A transaction with its timeline. */
import type { Inspection } from '../../../../generated/sandbox/types.ts';
import type { Transaction } from '../../domain/transaction.ts';
import { ProblemError } from '../../http/problems.ts';
import { requestOf } from '../../transactions/orders.ts';
import { transactionById } from '../../transactions/rows.ts';
import { timestamp, viewTransaction } from '../../transactions/view.ts';
import { explainDecline } from '../decline-explanation.ts';
import type { SandboxCall, SandboxOperation } from '../operation.ts';
import { timelineOf } from '../timeline.ts';
import { legalEvents } from './simulate.ts';

export const inspectPayment = inspect('payment');
export const inspectPayout = inspect('payout');

function inspect(kind: Transaction['kind']): SandboxOperation {
  return async (
    services,
    { merchant, parameters }: SandboxCall<undefined, { transaction_id: string }>,
  ): Promise<Inspection> => {
    const { store, time, channels, methods } = services;
    const found = await transactionById<Transaction['kind']>(store.read, merchant.id, kind, parameters.transaction_id);
    if (!found) throw new ProblemError('not-found', `No ${kind} of this merchant has this id.`);
    const isSimulated = channels.find(found.channel)?.sandbox === true;
    const decline = await explainDecline(store.read, methods, found);
    const checkoutToken = found.kind === 'payment' ? found.checkoutToken : undefined;
    return {
      resource: viewTransaction(found) as Inspection['resource'],
      request: { ...requestOf(found) },
      timeline: await timelineOf(services, found),
      legal_events: isSimulated ? legalEvents(methods, found, time.at(merchant.id).now) : [],
      ...(found.dueAt !== undefined && { next_step_at: timestamp(found.dueAt) }),
      ...(checkoutToken !== undefined && { checkout_url: services.checkoutUrl(checkoutToken) }),
      ...(decline && { decline }),
    };
  };
}
