/** Webhooks of all merchants with every attempt to deliver them, and sending them again. */
import type {
  DeliveredEvent,
  Event,
  EventList,
  EventSummary,
  Replayed,
  ReplayRequest,
} from '../../../../generated/management/types.ts';
import { idRange } from '../../database/id-range.ts';
import { invalid } from '../../http/problems.ts';
import { merchantById } from '../../merchants/merchants.ts';
import type { StoredEvent } from '../../webhooks/merchant-events.ts';
import {
  eventPage,
  replayEvents as replay,
  requireEvent,
  resendEvent as resend,
  viewAttempt,
  viewEvent,
} from '../events.ts';
import type { ManagementCall, ManagementServices } from '../operation.ts';
import { type CreatedParameters, createdRange, type PageParameters, requireTime } from '../pages.ts';

interface ListParameters extends PageParameters, CreatedParameters {
  readonly merchant_id?: string;
  readonly transaction_id?: string;
  readonly state?: EventSummary['state'];
}

export async function listEvents(
  { store }: ManagementServices,
  { parameters }: ManagementCall<undefined, ListParameters>,
): Promise<EventList> {
  const { merchant_id: merchant, transaction_id: transactionId, state } = parameters;
  const merchantId = merchant === undefined ? undefined : Number(merchant);
  const range = idRange('evt', createdRange(parameters));
  return eventPage(store.read, { merchantId, transactionId, state, range }, parameters, summarizeEvent);
}

export async function getEvent(
  { store }: ManagementServices,
  { parameters }: ManagementCall<unknown, { event_id: string }>,
): Promise<Event> {
  const event = await requireEvent(store.read, parameters.event_id);
  return { ...withDeliveries(event), body: event.body };
}

export async function resendEvent(
  services: ManagementServices,
  call: ManagementCall<undefined, { event_id: string }>,
): Promise<Event> {
  const event = await requireEvent(services.store.read, call.parameters.event_id);
  await resend(services, event, call.record);
  return { ...withDeliveries(event), body: event.body };
}

export async function replayEvents(
  services: ManagementServices,
  { body, record }: ManagementCall<ReplayRequest>,
): Promise<Replayed> {
  const { since, state = 'given_up', merchant_id: merchantId, url } = body;
  const selection = { since: requireTime(since, { pointer: '/since' }), state, merchantId, url };
  if (merchantId !== undefined && !(await merchantById(services.store.read, merchantId))) {
    throw invalid([{ in: 'body', pointer: '/merchant_id', message: 'must be the number of a merchant' }]);
  }
  return { events: await replay(services, selection, record) };
}

/** An event with its logged attempts. */
export function withDeliveries(event: StoredEvent): DeliveredEvent {
  const deliveries = event.log.map((attempt, index) => viewAttempt(attempt, index + 1));
  return { ...summarizeEvent(event), deliveries };
}

function summarizeEvent(event: StoredEvent): EventSummary {
  return { ...viewEvent(event), merchant_id: event.merchantId, state: event.state };
}
