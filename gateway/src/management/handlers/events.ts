/** Webhooks with every attempt to deliver them, and sending them again. */
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
import { readAttempts } from '../../webhooks/attempts.ts';
import type { StoredEvent } from '../../webhooks/merchant-events.ts';
import type { AdministrationServices } from '../administration-services.ts';
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
  readonly transaction_id?: string;
  readonly state?: EventSummary['state'];
}

type OneCall = ManagementCall<undefined, { event_id: string }>;

/** What a view of an event needs. */
type EventServices = Pick<ManagementServices, 'store'> & Pick<Partial<ManagementServices>, 'sandbox'>;

export async function listEvents(
  services: EventServices,
  { parameters, merchantId }: ManagementCall<undefined, ListParameters>,
): Promise<EventList> {
  const { transaction_id: transactionId, state } = parameters;
  const range = idRange('evt', createdRange(parameters));
  return eventPage(services.store.read, { merchantId, transactionId, state, range }, parameters, (event) =>
    summarizeEvent(services, event),
  );
}

export async function getEvent(services: EventServices, { parameters, merchantId }: OneCall): Promise<Event> {
  const event = await requireEvent(services.store.read, parameters.event_id, merchantId);
  return { ...(await withDeliveries(services, event)), body: event.body };
}

export async function resendEvent(services: AdministrationServices & EventServices, call: OneCall): Promise<Event> {
  const event = await requireEvent(services.store.read, call.parameters.event_id, call.merchantId);
  await resend(services, event, call.record);
  services.sandbox?.onResend(event);
  return { ...(await withDeliveries(services, event)), body: event.body };
}

export async function replayEvents(
  services: AdministrationServices,
  { body, merchantId, record }: ManagementCall<ReplayRequest>,
): Promise<Replayed> {
  const { since, state = 'given_up', url } = body;
  if (merchantId !== undefined && !(await merchantById(services.store.read, merchantId))) {
    throw invalid([{ in: 'body', pointer: '/merchant_id', message: 'must be the number of a merchant' }]);
  }
  const selection = { since: requireTime(since, { pointer: '/since' }), state, merchantId, url };
  return { events: await replay(services, selection, record) };
}

/** An event with its attempts. Only a sandbox keeps their headers and bodies. */
export async function withDeliveries(services: EventServices, event: StoredEvent): Promise<DeliveredEvent> {
  const attempts = services.sandbox ? await readAttempts(services.store.read, event.id) : event.log;
  const deliveries = attempts.map((attempt, index) => viewAttempt(attempt, index + 1));
  return { ...summarizeEvent(services, event), deliveries };
}

/** An event in a list, with the time of its next attempt by the merchant's clock. */
export function summarizeEvent({ sandbox }: Pick<ManagementServices, 'sandbox'>, event: StoredEvent): EventSummary {
  const { nextAt, merchantId } = event;
  const next = sandbox && nextAt !== undefined ? sandbox.toMerchantTime(merchantId, nextAt) : nextAt;
  return viewEvent(event, next);
}
