/** Webhooks with their delivery attempts; resend and replay. */
import type { Database } from '../../database/store.ts';
import { invalid, ProblemError } from '../../http/problems.ts';
import { merchantById } from '../../merchants/merchants.ts';
import { firstId, idRange } from '../../platform/ids.ts';
import { timestamp } from '../../transactions/view.ts';
import { ATTEMPTS_KEPT } from '../../webhooks/attempt-log.ts';
import { eventById, listEvents as list, type StoredEvent } from '../../webhooks/merchant-events.ts';
import { toAddress } from '../../webhooks/outbox.ts';
import { eventsToResend, type ResendSelection, type ResentEvent, resendEvents } from '../../webhooks/resends.ts';
import { findLastEvent, resumeUrl as resume, stopUrl as stop, stoppedUrls } from '../../webhooks/stopped-urls.ts';
import type {
  AdministrationServices,
  DatabaseOperation,
  ManagementCall,
  ManagementOperation,
  OperatorCall,
  Recorder,
} from '../operation.ts';
import { buildPage, createdRange, idCursor, readLimit, requireTime } from '../parameters.ts';
import { type EventServices, summarizeEvent, withDeliveries } from '../views.ts';

/** Events that one replay sends at most. */
const REPLAYED_MAX = 10_000;
/** Of these in one unit of work. */
const REPLAYED_AT_ONCE = 256;

export const listEvents: ManagementOperation<'listEvents'> = async (services, { parameters, merchantId }) => {
  const { transaction_id: transactionId, state } = parameters;
  const limit = readLimit(parameters);
  const found = await list(services.store.read, {
    ...{ merchantId, transactionId, state, range: idRange('evt', createdRange(parameters)) },
    ...{ before: idCursor(parameters, 'evt'), limit: limit + 1 },
  });
  return buildPage(
    found,
    limit,
    ({ id }) => id,
    (event) => summarizeEvent(services, event),
  );
};

export const getEvent: ManagementOperation<'getEvent'> = async (services, { parameters, merchantId }) => {
  const event = await requireEvent(services.store.read, parameters.event_id, merchantId);
  return { ...(await withDeliveries(services, event)), body: event.body };
};

export const resendEvent: ManagementOperation<
  'resendEvent',
  ManagementCall<'resendEvent'>,
  AdministrationServices & EventServices
> = async (services, { parameters, merchantId: caller, record }) => {
  const event = await requireEvent(services.store.read, parameters.event_id, caller);
  const { id, merchantId, attempts } = event;
  const sent = await resendTogether(services, [{ id, merchantId }], {
    waitingMax: ATTEMPTS_KEPT - attempts,
    record: (db) => record(db, { merchantId, subject: id }),
  });
  if (sent.size === 0) {
    const limit = `The event is sent ${ATTEMPTS_KEPT} times at most, with those that still wait.`;
    throw new ProblemError('wrong-state', limit);
  }
  services.wake();
  services.sandbox?.onResend(event);
  return { ...(await withDeliveries(services, event)), body: event.body };
};

/** Sends the selected events again, at most REPLAYED_MAX, the oldest first. */
export const replayEvents: DatabaseOperation<'replayEvents'> = async (services, { body, merchantId, record }) => {
  const { store } = services;
  const { state = 'undelivered', url } = body;
  if (merchantId !== undefined && !(await merchantById(store.read, merchantId))) {
    throw invalid([{ in: 'body', pointer: '/merchant_id', message: 'must be the number of a merchant' }]);
  }
  const since = requireTime(body.since, { pointer: '/since' });
  const selection: ResendSelection = { since, merchantId, url, state };
  // First, so that there is no replay without it.
  await store.unit((db) => record(db, { merchantId, subject: describeSelection(state, selection) }));
  let after = firstId('evt', Math.max(since, 0));
  let events = 0;
  let waiting = 0;
  while (events < REPLAYED_MAX) {
    const page = { after, limit: Math.min(REPLAYED_AT_ONCE, REPLAYED_MAX - events) };
    const found = await eventsToResend(store.read, selection, page);
    const sent = await resendTogether(services, found, { waitingMax: 1, state });
    events += sent.size;
    waiting += found.filter(({ id, isWaiting }) => isWaiting && sent.has(id)).length;
    after = found.at(-1)?.id ?? after;
    if (found.length < page.limit) break;
  }
  services.wake();
  return { events, waiting };
};

/** The event of this id, of the merchant if one is given. Throws the problem `not-found`. */
async function requireEvent(db: Database, id: string, merchantId?: number): Promise<StoredEvent> {
  const event = await eventById(db, merchantId, id);
  if (event) return event;
  const owner = merchantId === undefined ? '' : ' of this merchant';
  throw new ProblemError('not-found', `No event${owner} has the id ${id}.`);
}

interface Together {
  readonly waitingMax: number;
  /** The state that the events were selected by, if they were. */
  readonly state?: ResendSelection['state'];
  /** Called if anything is sent again, in the unit of work that does it. */
  readonly record?: (db: Database) => ReturnType<Recorder>;
}

/** Sends the events again in one unit of work. Returns the ids of the sent events. */
async function resendTogether(
  { store, time, ids }: AdministrationServices,
  events: readonly ResentEvent[],
  { waitingMax, state, record }: Together,
): Promise<ReadonlySet<string>> {
  const byMerchant = Map.groupBy(events, ({ merchantId }) => merchantId);
  return store.unit(async (db) => {
    const sent: string[] = [];
    for (const [merchantId, own] of byMerchant) {
      const { now, toStoreTime } = time.at(merchantId);
      const eventIds = own.map(({ id }) => id);
      const options = { now, due: toStoreTime(now), ids, waitingMax, state };
      sent.push(...(await resendEvents(db, merchantId, eventIds, options)));
    }
    if (sent.length > 0) await record?.(db);
    return new Set(sent);
  });
}

/** For the record and the log. Not the whole URL, which may hold secrets of the merchant. */
function describeSelection(state: string, { since, url }: ResendSelection): string {
  const address = url !== undefined && URL.canParse(url) ? toAddress(url) : undefined;
  const parts = [state, since !== undefined && `since ${timestamp(since)}`, address && `at ${address}`];
  return parts.filter(Boolean).join(' ');
}

// Callback URLs with stopped deliveries: their endpoint returned 410, or an operator stopped them.

export const listStoppedUrls: DatabaseOperation<'listStoppedUrls'> = async ({ store }, { parameters, merchantId }) => {
  const limit = readLimit(parameters);
  const found = await stoppedUrls(store.read, { merchantId, after: idCursor(parameters, 'evt'), limit: limit + 1 });
  return buildPage(
    found,
    limit,
    ({ eventId }) => eventId,
    ({ merchantId: owner, url, eventId, stoppedAt, by }) => ({
      ...{ merchant_id: owner, url, event_id: eventId, stopped_at: timestamp(stoppedAt) },
      ...(by && { stopped_by: by }),
    }),
  );
};

/** Lets events that come from now on be sent to the URL again. */
export const resumeUrl: DatabaseOperation<'resumeUrl'> = ({ store }, { body, record }) => {
  const { merchant_id: merchantId, url } = body;
  return store.unit(async (db) => {
    const resumed = await resume(db, merchantId, url);
    if (!resumed) {
      throw new ProblemError(
        'not-found',
        `Webhooks to ${url} of merchant ${merchantId} are not stopped. List the stopped URLs.`,
      );
    }
    // Not the whole URL, which may hold secrets of the merchant.
    await record(db, { merchantId, subject: toAddress(url) });
    return undefined;
  });
};

/** Stops deliveries to a URL until it is resumed. Waiting events are stopped and can be replayed. */
export const stopUrl: DatabaseOperation<'stopUrl', OperatorCall<'stopUrl'>> = (
  { store, clock },
  { operator: by, body, record },
) => {
  const { merchant_id: merchantId, url } = body;
  return store.unit(async (db) => {
    const eventId = await findLastEvent(db, merchantId, url);
    if (eventId === undefined) {
      const next = 'Copy the URL from one of its events.';
      throw new ProblemError('not-found', `No webhook of merchant ${merchantId} has gone to ${url}. ${next}`);
    }
    const isChanged = await stop(db, { merchantId, url, eventId, stoppedAt: clock.now(), by });
    if (!isChanged) throw new ProblemError('wrong-state', `An operator has already stopped webhooks to ${url}.`);
    await record(db, { merchantId, subject: toAddress(url) });
    return undefined;
  });
};
