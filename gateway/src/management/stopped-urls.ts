/** Callback URLs with stopped deliveries: their endpoint returned 410, or an operator stopped them. */
import type { OperatorName } from '../operators/operators.ts';
import { toAddress } from '../webhooks/outbox.ts';
import { findLastEvent, isStopped, resumeUrl, stopUrl } from '../webhooks/stopped-urls.ts';
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
    if (resumed) await record(db, { merchantId, subject: toAddress(url) });
    return resumed;
  });
}

/**
 * Stops deliveries to a URL until it is resumed. Waiting events are stopped and can be replayed. Returns the reason if
 * nothing changed: the URL is stopped already, or has no webhooks.
 */
export function stopCallbackUrl(
  { store, clock }: Pick<AdministrationServices, 'store' | 'clock'>,
  merchantId: number,
  url: string,
  by: OperatorName | undefined,
  record = UNRECORDED,
): Promise<'stopped' | 'unknown' | undefined> {
  return store.unit(async (db) => {
    if (await isStopped(db, merchantId, url)) return 'stopped';
    const eventId = await findLastEvent(db, merchantId, url);
    if (eventId === undefined) return 'unknown';
    await stopUrl(db, { merchantId, url, eventId, stoppedAt: clock.now(), by });
    await record(db, { merchantId, subject: toAddress(url) });
    return undefined;
  });
}
