/** The commands about webhook URLs that returned 410, to which nothing more is sent. */
import { UserError } from '../../../contract/src/cli.ts';
import { timestamp } from '../contract/view.ts';
import { resumeUrl, stoppedUrls } from '../store/outbox.ts';
import type { Store } from '../store/store.ts';
import { requireMerchant } from './merchants.ts';

/** Lists the stopped addresses with the event that stopped each. */
export async function stoppedCommand(store: Store): Promise<string> {
  const stopped = await stoppedUrls(store.read);
  return (
    stopped
      .map(({ merchantId, url, eventId, stoppedAt }) => `${merchantId}  ${timestamp(stoppedAt)}  ${eventId}  ${url}`)
      .join('\n') || 'no address has been stopped'
  );
}

/** Lets events be sent to the address again, from now on. */
export async function resumeCommand(store: Store, merchantId: string, url: string): Promise<string> {
  const merchant = await requireMerchant(store, merchantId);
  const resumed = await store.unit((db) => resumeUrl(db, merchant.id, url));
  if (!resumed)
    throw new UserError(
      `Webhooks to ${url} of merchant ${merchant.id} are not stopped.\nTry: payments-gateway webhook stopped`,
    );
  return `events are sent to ${url} again, from the next one on`;
}
