/** Webhooks: pages of events, and sending them again. */
import type { Attempt, EventSummary, ReplayRequest } from '../../../generated/management/types.ts';
import type { Database } from '../database/store.ts';
import { readKind } from '../domain/transaction.ts';
import { ProblemError } from '../http/problems.ts';
import { firstId } from '../platform/ids.ts';
import { timestamp } from '../transactions/view.ts';
import { ATTEMPTS_KEPT, type AttemptRecord, type LoggedAttempt } from '../webhooks/attempts.ts';
import { type EventFilter, eventById, listEvents, type StoredEvent } from '../webhooks/merchant-events.ts';
import { toAddress } from '../webhooks/outbox.ts';
import { eventsToResend, type ResendSelection, type ResentEvent, resendEvents } from '../webhooks/resends.ts';
import { type AdministrationServices, type Recorder, UNRECORDED } from './administration-services.ts';
import { idCursor, type ListPage, limitOf, type PageParameters, pageOf } from './pages.ts';

/** Events that one replay sends at most. */
const REPLAYED_MAX = 10_000;
/** Of these in one unit of work. */
const REPLAYED_AT_ONCE = 256;

/** A page of the events that fit, newest first. */
export async function eventPage<View>(
  db: Database,
  filter: Omit<EventFilter, 'before' | 'limit'>,
  parameters: PageParameters,
  view: (event: StoredEvent) => View,
): Promise<ListPage<View>> {
  const limit = limitOf(parameters);
  const before = idCursor(parameters, 'evt');
  const found = await listEvents(db, { ...filter, before, limit: limit + 1 });
  return pageOf(found, limit, ({ id }) => id, view);
}

/** The event of this id, of the merchant if one is given. Throws the problem `not-found`. */
export async function requireEvent(db: Database, id: string, merchantId?: number): Promise<StoredEvent> {
  const event = await eventById(db, merchantId, id);
  if (event) return event;
  const owner = merchantId === undefined ? '' : ' of this merchant';
  throw new ProblemError('not-found', `No event${owner} has the id ${id}.`);
}

/** Sends an event again, now. Throws the problem `wrong-state` if it has been sent too often. */
export async function resendEvent(
  services: AdministrationServices,
  { id, merchantId, attempts }: StoredEvent,
  record = UNRECORDED,
): Promise<void> {
  const sent = await resendTogether(services, [{ id, merchantId }], {
    waitingMax: ATTEMPTS_KEPT - attempts,
    record: (db) => record(db, { merchantId, subject: id }),
  });
  if (sent === 0) {
    throw new ProblemError(
      'wrong-state',
      `The event is sent ${ATTEMPTS_KEPT} times at most, with those that still wait.`,
    );
  }
  services.wake();
}

type ReplayedState = NonNullable<ReplayRequest['state']>;

/** Sends the selected events again, at most REPLAYED_MAX, the oldest first. Returns how many. */
export async function replayEvents(
  services: AdministrationServices,
  { state, ...selected }: Omit<ResendSelection, 'state'> & { readonly state: ReplayedState },
  record = UNRECORDED,
): Promise<number> {
  const { store } = services;
  const { merchantId, since } = selected;
  const selection: ResendSelection = { ...selected, ...(state !== 'all' && { state }) };
  // First, so that there is no replay without it.
  await store.unit((db) => record(db, { merchantId, subject: describeSelection(state, selection) }));
  let after = since === undefined ? '' : firstId('evt', Math.max(since, 0));
  let events = 0;
  while (events < REPLAYED_MAX) {
    const page = { after, limit: Math.min(REPLAYED_AT_ONCE, REPLAYED_MAX - events) };
    const found = await eventsToResend(store.read, selection, page);
    events += await resendTogether(services, found, { waitingMax: 1, state: selection.state });
    after = found.at(-1)?.id ?? after;
    if (found.length < page.limit) break;
  }
  services.wake();
  return events;
}

interface Together {
  readonly waitingMax: number;
  /** The state that the events were selected by, if they were. */
  readonly state?: ResendSelection['state'];
  /** Called if anything is sent again, in the unit of work that does it. */
  readonly record?: (db: Database) => ReturnType<Recorder>;
}

async function resendTogether(
  { store, time, ids }: AdministrationServices,
  events: readonly ResentEvent[],
  { waitingMax, state, record }: Together,
): Promise<number> {
  const byMerchant = Map.groupBy(events, ({ merchantId }) => merchantId);
  return store.unit(async (db) => {
    let sent = 0;
    for (const [merchantId, own] of byMerchant) {
      const { now, toStoreTime } = time.at(merchantId);
      const eventIds = own.map(({ id }) => id);
      sent += await resendEvents(db, merchantId, eventIds, { now, due: toStoreTime(now), ids, waitingMax, state });
    }
    if (sent > 0) await record?.(db);
    return sent;
  });
}

/** For the record and the log. Not the whole URL, which may hold secrets of the merchant. */
function describeSelection(state: ReplayedState, { since, url }: ResendSelection): string {
  const address = url !== undefined && URL.canParse(url) ? toAddress(url) : undefined;
  const parts = [state, since !== undefined && `since ${timestamp(since)}`, address && `at ${address}`];
  return parts.filter(Boolean).join(' ');
}

/** An event in a list, with the time of its next attempt. */
export function viewEvent(event: StoredEvent, next: number | undefined): EventSummary {
  const { id, merchantId, transactionId, url, body, createdAt, attempts, state, lastResult } = event;
  return {
    id,
    merchant_id: merchantId,
    transaction_id: transactionId,
    kind: readKind(transactionId),
    status: (JSON.parse(body) as { status: string }).status,
    url,
    created_at: timestamp(createdAt),
    state,
    attempts,
    ...(next !== undefined && { next_attempt_at: timestamp(next) }),
    ...(lastResult !== undefined && { last_result: lastResult }),
  };
}

/** An attempt. Only a sandbox keeps its headers and the response's body. */
export function viewAttempt(attempt: LoggedAttempt & Partial<AttemptRecord>, number: number): Attempt {
  const { at, durationMs, status, error, requestHeaders, responseBody, fault } = attempt;
  return {
    number,
    at: timestamp(at),
    duration_ms: durationMs,
    ...(status !== undefined && { status }),
    ...(error !== undefined && { error }),
    ...(requestHeaders && { request_headers: requestHeaders }),
    ...(responseBody !== undefined && { response_body: responseBody }),
    ...(fault !== undefined && { fault }),
  };
}
