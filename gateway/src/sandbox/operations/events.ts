/** Webhooks with every attempt to deliver them, and sending them again. */
import type {
  Attempt,
  Event,
  EventList,
  EventSummary,
  ReplayEventsRequest,
  Replayed,
} from '../../../../generated/sandbox/types.ts';
import { invalid, ProblemError } from '../../contract/problems.ts';
import { timestamp } from '../../contract/view.ts';
import { firstId } from '../../platform/ids.ts';
import { eventById, listEvents as list, type StoredEvent } from '../../store/merchant-events.ts';
import { eventsToResend, resendEvents, type Selection } from '../../store/resends.ts';
import type { Store } from '../../store/store.ts';
import { ATTEMPTS_KEPT, type AttemptRecord, attemptsOf } from '../../store/webhook-attempts.ts';
import { summarizeEvent } from '../events.ts';
import type { SandboxCall, SandboxServices } from '../operation.ts';
import type { World } from '../world.ts';
import { idCursor, limitOf, type PageParameters } from './pages.ts';

/** Events that one replay sends at most. */
const REPLAYED_MAX = 10_000;
/** Of these in one unit of work. */
const REPLAYED_AT_ONCE = 256;

interface ListParameters extends PageParameters {
  readonly transaction_id?: string;
  readonly state?: EventSummary['state'];
}

export async function listEvents(
  { store, world }: SandboxServices,
  { merchant, parameters }: SandboxCall<undefined, ListParameters>,
): Promise<EventList> {
  const limit = limitOf(parameters);
  const { transaction_id: transactionId, state } = parameters;
  const before = idCursor(parameters, 'evt');
  const found = await list(store.read, merchant.id, { transactionId, state, before, limit: limit + 1 });
  const page = found.slice(0, limit);
  const next = found.length > limit && page.at(-1);
  return {
    data: page.map((event) => summarizeEvent(event, world, merchant.id)),
    ...(next && { next_cursor: next.id }),
  };
}

export async function getEvent(
  { store, world }: SandboxServices,
  { merchant, parameters }: SandboxCall<undefined, { event_id: string }>,
): Promise<Event> {
  return viewEvent(store, world, merchant.id, await findEvent(store, merchant.id, parameters.event_id));
}

export async function resendEvent(
  { store, world, ids, wake }: SandboxServices,
  { merchant, parameters }: SandboxCall<undefined, { event_id: string }>,
): Promise<Event> {
  const event = await findEvent(store, merchant.id, parameters.event_id);
  if (event.attempts >= ATTEMPTS_KEPT) {
    throw new ProblemError('wrong-state', `The event has been sent ${event.attempts} times, which is the most.`);
  }
  const { now, stored } = world.at(merchant.id);
  await store.unit((db) => resendEvents(db, merchant.id, [event.id], { now, due: stored(now), ids }));
  wake();
  return viewEvent(store, world, merchant.id, event);
}

export async function replayEvents(
  { store, world, ids, wake }: SandboxServices,
  { merchant, body }: SandboxCall<ReplayEventsRequest>,
): Promise<Replayed> {
  const selection = selectionOf(body);
  let after = selection === 'undelivered' ? '' : firstId('evt', Math.max(selection.since, 0));
  let events = 0;
  while (events < REPLAYED_MAX) {
    const page = { after, limit: Math.min(REPLAYED_AT_ONCE, REPLAYED_MAX - events) };
    const { now, stored } = world.at(merchant.id);
    const found = await eventsToResend(store.read, merchant.id, selection, page);
    events += await store.unit((db) => resendEvents(db, merchant.id, found, { now, due: stored(now), ids }));
    after = found.at(-1) ?? after;
    if (found.length < page.limit) break;
  }
  wake();
  return { events };
}

function selectionOf({ since }: ReplayEventsRequest): Selection {
  if (since === undefined) return 'undelivered';
  const time = Date.parse(since);
  // Leap seconds fit the format.
  if (Number.isNaN(time))
    throw invalid([{ pointer: '/since', message: 'must be a time such as 2026-11-22T08:00:00Z' }]);
  return { since: time };
}

async function findEvent({ read }: Store, merchantId: number, id: string): Promise<StoredEvent> {
  const event = await eventById(read, merchantId, id);
  if (!event) throw new ProblemError('not-found', `No event of this merchant has the id ${id}.`);
  return event;
}

async function viewEvent({ read }: Store, world: World, merchantId: number, event: StoredEvent): Promise<Event> {
  const attempts = await attemptsOf(read, event.id);
  const deliveries = attempts.map(({ number, ...attempt }) => viewAttempt(attempt, number));
  return { ...summarizeEvent(event, world, merchantId), body: event.body, deliveries };
}

/** An attempt as the document describes it. */
export function viewAttempt(attempt: AttemptRecord, number: number): Attempt {
  const { at, durationMs, requestHeaders, status, responseBody, error, fault } = attempt;
  return {
    number,
    at: timestamp(at),
    duration_ms: durationMs,
    request_headers: requestHeaders,
    ...(status !== undefined && { status }),
    ...(responseBody !== undefined && { response_body: responseBody }),
    ...(error !== undefined && { error }),
    ...(fault !== undefined && { fault: fault as NonNullable<Attempt['fault']> }),
  };
}
