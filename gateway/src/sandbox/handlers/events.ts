/** Webhooks with every attempt to deliver them, and sending them again. */
import type {
  Attempt,
  Event,
  EventList,
  EventSummary,
  ReplayEventsRequest,
  Replayed,
} from '../../../../generated/sandbox/types.ts';
import {
  eventPage,
  replayEvents as replay,
  requireEvent,
  resendEvent as resend,
  viewAttempt as viewLogged,
} from '../../management/events.ts';
import { type PageParameters, requireTime } from '../../management/pages.ts';
import { type AttemptRecord, readAttempts } from '../../webhooks/attempts.ts';
import type { StoredEvent } from '../../webhooks/merchant-events.ts';
import { summarizeEvent } from '../events.ts';
import type { SandboxCall, SandboxServices } from '../operation.ts';

interface ListParameters extends PageParameters {
  readonly transaction_id?: string;
  readonly state?: EventSummary['state'];
}

export async function listEvents(
  { store, sandboxState }: SandboxServices,
  { merchant, parameters }: SandboxCall<undefined, ListParameters>,
): Promise<EventList> {
  const filter = { merchantId: merchant.id, transactionId: parameters.transaction_id, state: parameters.state };
  return eventPage(store.read, filter, parameters, (event) => summarizeEvent(event, sandboxState));
}

export async function getEvent(
  services: SandboxServices,
  { merchant, parameters }: SandboxCall<undefined, { event_id: string }>,
): Promise<Event> {
  return viewEvent(services, await requireEvent(services.store.read, parameters.event_id, merchant.id));
}

export async function resendEvent(
  services: SandboxServices,
  { merchant, parameters }: SandboxCall<undefined, { event_id: string }>,
): Promise<Event> {
  const event = await requireEvent(services.store.read, parameters.event_id, merchant.id);
  await resend(services, event);
  services.changes.onResend(event);
  return viewEvent(services, event);
}

export async function replayEvents(
  services: SandboxServices,
  { merchant, body: { since } }: SandboxCall<ReplayEventsRequest>,
): Promise<Replayed> {
  const selected =
    since === undefined ? ({ state: 'undelivered' } as const) : { since: requireTime(since, { pointer: '/since' }) };
  return { events: await replay(services, { merchantId: merchant.id, ...selected }) };
}

async function viewEvent({ store, sandboxState }: SandboxServices, event: StoredEvent): Promise<Event> {
  const attempts = await readAttempts(store.read, event.id);
  const deliveries = attempts.map(({ number, ...attempt }) => viewAttempt(attempt, number));
  return { ...summarizeEvent(event, sandboxState), body: event.body, deliveries };
}

/** An attempt as the document describes it, with its headers. */
export function viewAttempt(attempt: AttemptRecord, number: number): Attempt {
  const { requestHeaders, responseBody, fault } = attempt;
  return {
    ...viewLogged(attempt, number),
    request_headers: requestHeaders,
    ...(responseBody !== undefined && { response_body: responseBody }),
    ...(fault !== undefined && { fault: fault as NonNullable<Attempt['fault']> }),
  };
}
