/** Callback URLs with stopped deliveries: their endpoint returned 410, or an operator stopped them. */
import type { ResumeUrlRequest, StoppedUrlList, StopUrlRequest } from '../../../../generated/management/types.ts';
import { ProblemError } from '../../http/problems.ts';
import { timestamp } from '../../transactions/view.ts';
import { stoppedUrls } from '../../webhooks/stopped-urls.ts';
import type { AdministrationServices } from '../administration-services.ts';
import type { ManagementCall, OperatorCall } from '../operation.ts';
import { idCursor, limitOf, type PageParameters, pageOf } from '../pages.ts';
import { resumeStoppedUrl, stopCallbackUrl } from '../stopped-urls.ts';

export async function listStoppedUrls(
  { store }: AdministrationServices,
  { parameters, merchantId }: ManagementCall<undefined, PageParameters>,
): Promise<StoppedUrlList> {
  const limit = limitOf(parameters);
  const found = await stoppedUrls(store.read, { merchantId, after: idCursor(parameters, 'evt'), limit: limit + 1 });
  return pageOf(
    found,
    limit,
    ({ eventId }) => eventId,
    ({ merchantId: owner, url, eventId, stoppedAt, by }) => ({
      ...{ merchant_id: owner, url, event_id: eventId, stopped_at: timestamp(stoppedAt) },
      ...(by && { stopped_by: by }),
    }),
  );
}

export async function resumeUrl(
  services: AdministrationServices,
  { body: { merchant_id: merchantId, url }, record }: ManagementCall<ResumeUrlRequest>,
): Promise<undefined> {
  const resumed = await resumeStoppedUrl(services, merchantId, url, record);
  if (resumed) return;
  throw new ProblemError(
    'not-found',
    `Webhooks to ${url} of merchant ${merchantId} are not stopped. List the stopped URLs.`,
  );
}

export async function stopUrl(
  services: AdministrationServices,
  { operator, body: { merchant_id: merchantId, url }, record }: OperatorCall<StopUrlRequest>,
): Promise<undefined> {
  const refused = await stopCallbackUrl(services, merchantId, url, operator, record);
  if (refused === 'unknown') {
    throw new ProblemError(
      'not-found',
      `No webhook of merchant ${merchantId} has gone to ${url}. Copy the URL from one of its events.`,
    );
  }
  if (refused === 'stopped') throw new ProblemError('wrong-state', `Webhooks to ${url} are stopped already.`);
}
