/** The history of a transaction as one list, causes before their effects. */
import type {
  ChannelCall,
  DeliveredEvent,
  PostedEntry,
  RequestSummary,
  StatusChange,
  TimelineEntry,
} from '../../../generated/management/types.ts';
import type { Transaction } from '../domain/transaction.ts';

export interface History {
  readonly requests: readonly RequestSummary[];
  readonly channel_calls: readonly ChannelCall[];
  readonly statuses: readonly StatusChange[];
  readonly ledger_entries: readonly PostedEntry[];
  readonly events: readonly DeliveredEvent[];
}

/** Order of entries with the same time and step. */
const ORDER: readonly TimelineEntry['type'][] = ['request', 'channel', 'status', 'ledger', 'event', 'attempt'];

/** An entry with the index of its status change, which orders entries of the same time. */
interface Placed {
  readonly entry: TimelineEntry;
  readonly step: number;
}

/** Causes of status changes that move money. */
const CAUSES: Readonly<Record<string, string>> = {
  collected: 'succeeded',
  paid_out: 'succeeded',
  released: 'declined',
};

/** Causes of status changes by requests of the contract. Other requests only read. */
const REQUESTED: Readonly<Record<string, string>> = { clarifyPayment: 'data_supplied', confirmPayment: 'confirmed' };

export function createTimeline(
  { currency, declineReason }: Transaction,
  { requests, channel_calls: calls, statuses, ledger_entries: entries, events }: History,
): TimelineEntry[] {
  const placed: Placed[] = [
    ...requests.map((request) => ({ entry: requestEntry(request), step: findRequestStep(request, statuses) })),
    ...placeCalls(calls, statuses),
    ...statuses.map((change, step) => ({ entry: statusEntry(change, declineReason), step })),
    ...entries.map((entry) => ({ entry: ledgerEntry(entry, currency), step: findEntryStep(entry, statuses) })),
    ...events.flatMap((event) => {
      const found = statuses.findIndex(({ status }) => status === event.status);
      const step = found < 0 ? statuses.length : found;
      return [eventEntry(event), ...attemptEntries(event)].map((entry) => ({ entry, step }));
    }),
  ];
  return placed.sort(compare).map(({ entry }) => entry);
}

function compare(a: Placed, b: Placed): number {
  if (a.entry.at !== b.entry.at) return a.entry.at < b.entry.at ? -1 : 1;
  return a.step - b.step || ORDER.indexOf(a.entry.type) - ORDER.indexOf(b.entry.type);
}

function findCause(statuses: readonly StatusChange[], cause: string): number {
  return Math.max(
    statuses.findIndex((change) => change.cause?.startsWith(`${cause} `)),
    0,
  );
}

function findEntryStep({ reason }: PostedEntry, statuses: readonly StatusChange[]): number {
  const cause = CAUSES[reason];
  return cause === undefined ? 0 : findCause(statuses, cause);
}

/** A request to the sandbox precedes the first simulated change that isn't older. */
function findRequestStep({ at, operation = '', path }: RequestSummary, statuses: readonly StatusChange[]): number {
  const cause = REQUESTED[operation];
  if (cause !== undefined) return findCause(statuses, cause);
  if (!path.startsWith('/sandbox/')) return 0;
  const simulated = statuses.findIndex((change) => change.at >= at && change.cause?.endsWith('by simulation'));
  return Math.max(simulated, 0);
}

/** A call precedes the change that its result caused. A call without such a change precedes the next call. */
function placeCalls(calls: readonly ChannelCall[], statuses: readonly StatusChange[]): Placed[] {
  let step = statuses.length;
  return calls
    .toReversed()
    .map((call) => {
      const causes = listCauses(call.result);
      const found = statuses.findLastIndex(({ cause = '' }, index) => index <= step && causes.includes(cause));
      if (found >= 0) step = found;
      return { entry: channelEntry(call), step };
    })
    .toReversed();
}

/** Causes of status changes by a result of the channel. */
function listCauses(result: string | undefined): string[] {
  if (result === undefined) return [];
  if (result === 'unavailable') return ['declined by channel'];
  if (result === 'cancelled') return ['declined by gateway'];
  return [`${result} by channel`, ...(result === 'succeeded' ? ['found_paid by channel'] : [])];
}

function channelEntry(called: ChannelCall): TimelineEntry {
  const { at, call, result = 'no result' } = called;
  return { at, type: 'channel', summary: `${call}: ${result}`, detail: { ...called } };
}

function statusEntry({ at, status, cause }: StatusChange, declineReason: string | undefined): TimelineEntry {
  const why = status === 'FAILED' && declineReason !== undefined ? `: ${declineReason}` : '';
  return { at, type: 'status', summary: status + why, ...(cause !== undefined && { cause }), status };
}

function requestEntry(request: RequestSummary): TimelineEntry {
  const { id, at, method, path, status } = request;
  return { at, type: 'request', summary: `${method} ${path}: ${status}`, id, detail: { ...request } };
}

function ledgerEntry({ id, at, from, to, amount, reason }: PostedEntry, currency: string): TimelineEntry {
  return {
    at,
    type: 'ledger',
    summary: `${reason}: ${amount} ${currency} from ${from} to ${to}`,
    id,
    detail: { from, to, amount, currency, reason },
  };
}

function eventEntry({ deliveries: _, ...event }: DeliveredEvent): TimelineEntry {
  const { id, created_at: at, status, url, state } = event;
  return { at, type: 'event', summary: `${status} to ${url}: ${state}`, id, detail: { ...event } };
}

function attemptEntries({ id, deliveries }: DeliveredEvent): TimelineEntry[] {
  return deliveries.map((attempt): TimelineEntry => {
    const { at, number, status, error } = attempt;
    const summary = `attempt ${number}: ${status ?? error ?? 'no response'}`;
    return { at, type: 'attempt', summary, id, detail: { ...attempt } };
  });
}
