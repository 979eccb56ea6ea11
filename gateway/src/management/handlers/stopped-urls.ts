/** Callback URLs with stopped deliveries: their endpoint returned 410, or an operator stopped them. */
import type { ResumeUrlRequest, StoppedUrlList, StopUrlRequest } from '../../../../generated/management/types.ts';
import { ProblemError } from '../../http/problems.ts';
import { timestamp } from '../../transactions/view.ts';
import { toAddress } from '../../webhooks/outbox.ts';
import {
  findLastEvent,
  isStopped,
  resumeUrl as resume,
  stopUrl as stop,
  stoppedUrls,
} from '../../webhooks/stopped-urls.ts';
import type { AdministrationServices } from '../administration-services.ts';
import type { ManagementCall, OperatorCall } from '../operation.ts';
import { buildPage, idCursor, type PageParameters, readLimit } from '../pages.ts';

export async function listStoppedUrls(
  { store }: AdministrationServices,
  { parameters, merchantId }: ManagementCall<undefined, PageParameters>,
): Promise<StoppedUrlList> {
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
}

/** Lets events that come from now on be sent to the URL again. */
export function resumeUrl(
  { store }: AdministrationServices,
  { body: { merchant_id: merchantId, url }, record }: ManagementCall<ResumeUrlRequest>,
): Promise<undefined> {
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
}

/** Stops deliveries to a URL until it is resumed. Waiting events are stopped and can be replayed. */
export function stopUrl(
  { store, clock }: AdministrationServices,
  { operator: by, body: { merchant_id: merchantId, url }, record }: OperatorCall<StopUrlRequest>,
): Promise<undefined> {
  return store.unit(async (db) => {
    if (await isStopped(db, merchantId, url)) {
      throw new ProblemError('wrong-state', `Webhooks to ${url} are stopped already.`);
    }
    const eventId = await findLastEvent(db, merchantId, url);
    if (eventId === undefined) {
      const next = 'Copy the URL from one of its events.';
      throw new ProblemError('not-found', `No webhook of merchant ${merchantId} has gone to ${url}. ${next}`);
    }
    await stop(db, { merchantId, url, eventId, stoppedAt: clock.now(), by });
    await record(db, { merchantId, subject: toAddress(url) });
    return undefined;
  });
}
