/** Callback URLs that have returned 410. */
import { addressOf, resumeUrl } from '../store/outbox/outbox.ts';
import { type AdministrationServices, UNRECORDED } from './administration-services.ts';

/** Lets events that come from now on be sent to the URL again. Returns false when it was not stopped. */
export function resumeStoppedUrl(
  { store }: Pick<AdministrationServices, 'store'>,
  merchantId: number,
  url: string,
  record = UNRECORDED,
): Promise<boolean> {
  return store.unit(async (db) => {
    const resumed = await resumeUrl(db, merchantId, url);
    // Not the whole URL, which may hold secrets of the merchant.
    if (resumed) await record(db, { merchantId, subject: addressOf(url) });
    return resumed;
  });
}
