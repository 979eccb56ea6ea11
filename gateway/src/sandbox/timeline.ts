/** Timeline of a transaction, in order of the merchant's time. */
import type { RequestSummary, TimelineEntry } from '../../../generated/sandbox/types.ts';
import { historyOfTransaction, type StatusChange } from '../administration/transactions.ts';
import type { Transaction } from '../domain/transaction.ts';
import type { PostedEntry } from '../store/books/ledger-pages.ts';
import type { StoredEvent } from '../store/outbox/merchant-events.ts';
import { type AttemptRecord, attemptsOf } from '../store/outbox/webhook-attempts.ts';
import { timestamp } from '../wire/view.ts';
import { summarizeEvent } from './events.ts';
import { viewAttempt } from './handlers/events.ts';
import type { SandboxServices } from './operation.ts';

type NumberedAttempt = AttemptRecord & { readonly number: number };

/** Order of entries with the same time: causes before effects. */
const ORDER: readonly TimelineEntry['type'][] = ['request', 'status', 'ledger', 'event', 'attempt'];

/** Requests about one transaction that are shown, the newest. */
const REQUESTS_MAX = 200;

export async function timelineOf(
  { store, settingsCache, requests }: SandboxServices,
  transaction: Transaction,
): Promise<TimelineEntry[]> {
  const { id, merchantId } = transaction;
  const { statuses, entries, events } = await historyOfTransaction(store.read, transaction);
  const asked = await requests.list(merchantId, { transactionId: id }, REQUESTS_MAX);
  const attempts = await Promise.all(events.map((event) => attemptsOf(store.read, event.id)));
  const timeline = [
    ...asked.map(requestEntry),
    ...statuses.map((change) => statusEntry(change, transaction)),
    ...entries.map((entry) => ledgerEntry(entry, transaction.currency)),
    ...events.map((event) => eventEntry(event, settingsCache)),
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

function eventEntry(event: StoredEvent, settingsCache: SandboxServices['settingsCache']): TimelineEntry {
  const summary = summarizeEvent(event, settingsCache);
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
