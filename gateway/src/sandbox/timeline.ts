/** Timeline of a transaction, in order of the merchant's time. */
import type { RequestSummary, TimelineEntry } from '../../../generated/sandbox/types.ts';
import type { Transaction } from '../domain/transaction.ts';
import type { PostedEntry } from '../ledger/ledger-pages.ts';
import { historyOfTransaction, type StatusChange } from '../management/transactions.ts';
import { timestamp } from '../transactions/view.ts';
import { type AttemptRecord, readAttempts } from '../webhooks/attempts.ts';
import type { StoredEvent } from '../webhooks/merchant-events.ts';
import { summarizeEvent } from './events.ts';
import { viewAttempt } from './handlers/events.ts';
import type { SandboxServices } from './operation.ts';
import { SANDBOX_PATHS } from './store/sandbox-requests.ts';

type NumberedAttempt = AttemptRecord & { readonly number: number };

/** Order of entries with the same time: causes before effects. */
const ORDER: readonly TimelineEntry['type'][] = ['request', 'status', 'ledger', 'event', 'attempt'];

/** Maximum number of requests shown per transaction, newest first. */
const REQUESTS_MAX = 200;

export async function timelineOf(
  { store, sandboxState, requests }: SandboxServices,
  transaction: Transaction,
): Promise<TimelineEntry[]> {
  const { id, merchantId } = transaction;
  const { statuses, entries, events } = await historyOfTransaction(store.read, transaction);
  const asked = await requests.list(merchantId, { transactionId: id }, REQUESTS_MAX);
  const attempts = await Promise.all(events.map((event) => readAttempts(store.read, event.id)));
  const steps: Placed[] = [
    ...asked.map((request) => ({ entry: requestEntry(request), step: stepOfRequest(request, statuses) })),
    ...statuses.map((change, step) => ({ entry: statusEntry(change, transaction), step })),
    ...entries.map((entry) => ({
      entry: ledgerEntry(entry, transaction.currency),
      step: stepOfEntry(entry, statuses),
    })),
    ...events.flatMap((event, index) => {
      const entry = eventEntry(event, sandboxState);
      const step = firstStep(statuses, String(entry.detail?.['status'])) ?? statuses.length;
      const tries = (attempts[index] ?? []).map((attempt) => ({ entry: attemptEntry(event.id, attempt), step }));
      return [{ entry, step }, ...tries];
    }),
  ];
  return steps.sort(inOrder).map(({ entry }) => entry);
}

/** An entry with the number of the change that it belongs to, which decides between entries of the same time. */
interface Placed {
  readonly entry: TimelineEntry;
  readonly step: number;
}

/** Causes of the changes that move money. */
const CAUSES: Readonly<Record<string, string>> = {
  collected: 'succeeded',
  settled: 'settled',
  paid_out: 'succeeded',
  released: 'declined',
};

/** Causes of the changes that requests make; the others only read. */
const REQUESTED: Readonly<Record<string, string>> = { clarifyPayment: 'data_supplied', confirmPayment: 'confirmed' };

function inOrder(a: Placed, b: Placed): number {
  if (a.entry.at !== b.entry.at) return a.entry.at < b.entry.at ? -1 : 1;
  return a.step - b.step || ORDER.indexOf(a.entry.type) - ORDER.indexOf(b.entry.type);
}

function stepOfCause(statuses: readonly StatusChange[], cause: string): number {
  return statuses.findIndex((change) => change.cause?.startsWith(`${cause} `));
}

function firstStep(statuses: readonly StatusChange[], status: string): number | undefined {
  const found = statuses.findIndex((change) => change.status === status);
  return found < 0 ? undefined : found;
}

function stepOfEntry({ reason }: PostedEntry, statuses: readonly StatusChange[]): number {
  const cause = CAUSES[reason];
  return cause === undefined ? 0 : Math.max(stepOfCause(statuses, cause), 0);
}

/** A request of the sandbox leads to the first change by the simulation that isn't older than it. */
function stepOfRequest({ at, operation = '', path }: RequestSummary, statuses: readonly StatusChange[]): number {
  const cause = REQUESTED[operation];
  if (cause !== undefined) return Math.max(stepOfCause(statuses, cause), 0);
  if (!path.startsWith(SANDBOX_PATHS)) return 0;
  const simulated = statuses.findIndex((change) => change.at >= at && change.cause?.endsWith('by simulation'));
  return Math.max(simulated, 0);
}

function statusEntry({ at, status, cause }: StatusChange, { declineReason }: Transaction): TimelineEntry {
  const why = status === 'FAILED' && declineReason !== undefined ? `: ${declineReason}` : '';
  return { at, type: 'status', summary: status + why, ...(cause !== undefined && { cause }), status };
}

function requestEntry(request: RequestSummary): TimelineEntry {
  const { id, at, method, path, status } = request;
  return { at, type: 'request', summary: `${method} ${path}: ${status}`, id, detail: { ...request } };
}

function ledgerEntry({ id, at, from, to, amount, reason }: PostedEntry, currency: string): TimelineEntry {
  return {
    at: timestamp(at),
    type: 'ledger',
    summary: `${reason}: ${amount} ${currency} from ${from} to ${to}`,
    id,
    detail: { from, to, amount, currency, reason },
  };
}

function eventEntry(event: StoredEvent, sandboxState: SandboxServices['sandboxState']): TimelineEntry {
  const summary = summarizeEvent(event, sandboxState);
  return {
    at: summary.created_at,
    type: 'event',
    summary: `${summary.status} to ${summary.url}: ${summary.state}`,
    id: summary.id,
    detail: { ...summary },
  };
}

function attemptEntry(eventId: string, { number, ...record }: NumberedAttempt): TimelineEntry {
  const attempt = viewAttempt(record, number);
  const result = attempt.status ?? attempt.error ?? 'no response';
  return {
    at: attempt.at,
    type: 'attempt',
    summary: `attempt ${number}: ${result}`,
    id: eventId,
    detail: { ...attempt },
  };
}
