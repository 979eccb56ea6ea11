/** The overview of a merchant: balances, counts, failing deliveries, clock and faults. */
import type { Overview } from '../../../../generated/sandbox/types.ts';
import { getBalance } from '../../ledger/get-balance.ts';
import { countByHour, type StatusCount } from '../../transactions/merchant-transactions.ts';
import { timestamp } from '../../transactions/view.ts';
import { failingEvents } from '../../webhooks/merchant-events.ts';
import { summarizeEvent } from '../events.ts';
import type { SandboxCall, SandboxServices } from '../operation.ts';
import { activeChaos, activeWebhookFaults } from '../settings.ts';
import { viewClock } from './clock.ts';
import { getMerchant } from './merchants.ts';

const DAY_MS = 24 * 60 * 60_000;
const FAILING_MAX = 10;

export async function getOverview(services: SandboxServices, call: SandboxCall): Promise<Overview> {
  const { store, sandboxState, time } = services;
  const { id } = call.merchant;
  const { now } = time.at(id);
  const counts = await countByHour(store.read, id, now - DAY_MS);
  const failing = await failingEvents(store.read, id, FAILING_MAX);
  const settings = sandboxState.of(id);
  return {
    merchant: await getMerchant(services, call),
    balance: await getBalance(services, call),
    statuses: sumByStatus(counts),
    hours: counts.map(({ hour, ...counted }) => ({ at: timestamp(hour), ...counted })),
    failing: failing.map((event) => summarizeEvent(event, sandboxState)),
    clock: viewClock(sandboxState, id),
    chaos: activeChaos(settings, now),
    webhook_faults: activeWebhookFaults(settings),
  };
}

function sumByStatus(counts: readonly StatusCount[]): Overview['statuses'] {
  const sums = new Map<string, Overview['statuses'][number]>();
  for (const { kind, status, count } of counts) {
    const key = `${kind} ${status}`;
    sums.set(key, { kind, status, count: count + (sums.get(key)?.count ?? 0) });
  }
  return [...sums.values()];
}
