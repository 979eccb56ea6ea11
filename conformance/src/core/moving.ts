/** Transactions that checks have set in motion and don't follow, and that can still move the wallet. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Contract } from '../document/contract.ts';
import { type Exchange, readString } from '../service/exchange.ts';
import type { Journal } from '../service/journal.ts';
import { deadlineIn } from '../time/awake.ts';
import type { FixtureTools } from './fixtures.ts';
import { type History, listHistories } from './history.ts';
import type { SharedFixtures } from './shared-fixtures.ts';
import { findAction, OPERATION_NAMES } from './tracked.ts';

const POLL_MS = 100;

type Tools = Pick<FixtureTools, 'contract' | 'settings' | 'send'>;

/** Waits for the currency's open transactions to end, for as long as others took. */
export async function untilTransactionsEnd(
  { contract, settings, send }: Tools,
  { parked, timeouts }: SharedFixtures,
  journal: Journal,
  currency: string,
): Promise<void> {
  const own = listHistories(journal).filter(
    ({ creation: { call }, request }) =>
      (call.key ?? settings.key) === settings.key && readString(request, 'currency') === currency,
  );
  const moving = selectMoving(contract, own, journal.exchanges).filter(({ id }) => !parked.has(id));
  await Promise.all(
    moving.map(async ({ kind, id }) => {
      const { read, parameter } = OPERATION_NAMES[kind];
      const { passed } = deadlineIn(timeouts.usualMs(`${kind} SUCCESS`));
      while (!passed()) {
        const { body } = await send({ operation: contract.operation(read), path: { [parameter]: id } });
        const status = readString(body, 'status');
        if (status === undefined || contract.machines[kind].states[status]?.final) return;
        await pause(POLL_MS);
      }
      // Later phases don't wait again.
      parked.add(id);
    }),
  );
}

/** Payouts, and confirmed or verified payments, without a final status in any response. */
function selectMoving({ machines }: Contract, own: readonly History[], exchanges: readonly Exchange[]): History[] {
  const { operation: confirm } = findAction('PAY_CONFIRMATION_NEEDED') ?? {};
  const confirmed = new Set(
    exchanges
      .filter(({ call, status }) => call.operation.id === confirm && status < 300)
      .map(({ call }) => call.path?.['transaction_id']),
  );
  return own.filter(
    ({ kind, id, responses }) =>
      (kind === 'payout' || confirmed.has(id) || responses.at(-1)?.status === 'VERIFYING') &&
      !responses.some(({ status }) => machines[kind].states[status]?.final),
  );
}
