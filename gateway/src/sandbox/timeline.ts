/** What has happened to a transaction, in order of the merchant's time. */
import type { RequestSummary, TimelineEntry } from '../../../generated/sandbox/types.ts';
import { timestamp } from '../contract/view.ts';
import { historyOf } from '../domain/history.ts';
import type { Transaction } from '../domain/transaction.ts';
import { entriesOfTransaction, type PostedEntry } from '../store/ledger-pages.ts';
import { eventsOfTransaction, type StoredEvent } from '../store/merchant-events.ts';
import { type AttemptRecord, attemptsOf } from '../store/webhook-attempts.ts';
import { summarizeEvent } from './events.ts';
import type { SandboxServices } from './operation.ts';
import { viewAttempt } from './operations/events.ts';

type NumberedAttempt = AttemptRecord & { readonly number: number };

/** What comes first of what has the same time: causes before effects. */
const ORDER: readonly TimelineEntry['type'][] = ['request', 'status', 'ledger', 'event', 'attempt'];

/** Requests about one transaction that are shown, the newest. */
const REQUESTS_MAX = 200;

export async function timelineOf(
  { store, world, requests }: SandboxServices,
  transaction: Transaction,
): Promise<TimelineEntry[]> {
  const { id, merchantId } = transaction;
  const entries = await entriesOfTransaction(store.read, id);
  const events = await eventsOfTransaction(store.read, id);
  const asked = await requests.list(merchantId, { transactionId: id }, REQUESTS_MAX);
  const attempts = await Promise.all(events.map((event) => attemptsOf(store.read, event.id)));
  const timeline = [
    ...asked.map(requestEntry),
    ...statusesOf(transaction),
    ...entries.map((entry) => ledgerEntry(entry, transaction.currency)),
    ...events.map((event) => eventEntry(event, world, merchantId)),
    ...events.flatMap(({ id: eventId }, index) =>
      (attempts[index] ?? []).map((attempt) => attemptEntry(eventId, attempt)),
    ),
  ];
  return timeline.sort(byTime);
}

function byTime(a: TimelineEntry, b: TimelineEntry): number {
  if (a.at !== b.at) return a.at < b.at ? -1 : 1;
  return ORDER.indexOf(a.type) - ORDER.indexOf(b.type);
}

/** Each status with its cause. Of old transactions only the first status and the last are known. */
function statusesOf(transaction: Transaction): TimelineEntry[] {
  const { finalizedAt, status, declineReason } = transaction;
  const why = declineReason === undefined ? '' : `: ${declineReason}`;
  const changes = historyOf(transaction).map(({ at, cause, by, ...after }): TimelineEntry => {
    const shown = after.status === 'FAILED' ? `FAILED${why}` : after.status;
    return { at: timestamp(at), type: 'status', summary: shown, cause: `${cause} by ${by}`, status: after.status };
  });
  if (finalizedAt === undefined || changes.some((change) => change.status === status)) return changes;
  return [...changes, { at: timestamp(finalizedAt), type: 'status', summary: `${status}${why}`, status }];
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

function eventEntry(event: StoredEvent, world: SandboxServices['world'], merchantId: number): TimelineEntry {
  const summary = summarizeEvent(event, world, merchantId);
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
