/** Callback URLs to which nothing is sent, since they have returned 410. */
import type { ResumeUrlRequest, StoppedUrlList } from '../../../../generated/admin/types.ts';
import { idCursor, limitOf, type PageParameters, pageOf } from '../../administration/pages.ts';
import { resumeStoppedUrl } from '../../administration/stopped-urls.ts';
import { stoppedUrls } from '../../store/outbox/outbox.ts';
import { ProblemError } from '../../wire/problems.ts';
import { timestamp } from '../../wire/view.ts';
import type { AdminCall, AdminServices } from '../operation.ts';

export async function listStoppedUrls(
  { store }: AdminServices,
  { parameters }: AdminCall<undefined, PageParameters & { merchant_id?: string }>,
): Promise<StoppedUrlList> {
  const limit = limitOf(parameters);
  const { merchant_id: id } = parameters;
  const merchantId = id === undefined ? undefined : Number(id);
  const found = await stoppedUrls(store.read, { merchantId, after: idCursor(parameters, 'evt'), limit: limit + 1 });
  return pageOf(
    found,
    limit,
    ({ eventId }) => eventId,
    ({ merchantId: owner, url, eventId, stoppedAt }) => ({
      ...{ merchant_id: owner, url, event_id: eventId, stopped_at: timestamp(stoppedAt) },
    }),
  );
}

export async function resumeUrl(
  services: AdminServices,
  { body: { merchant_id: merchantId, url }, record }: AdminCall<ResumeUrlRequest>,
): Promise<undefined> {
  const resumed = await resumeStoppedUrl(services, merchantId, url, record);
  if (resumed) return;
  throw new ProblemError(
    'not-found',
    `Webhooks to ${url} of merchant ${merchantId} are not stopped. GET /admin/stopped-urls lists those that are.`,
  );
}
