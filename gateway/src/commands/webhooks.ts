/** Webhook commands: resends, replays, and stopped URLs. */
import { UserError } from '../../../contract/src/cli.ts';
import type { Store } from '../database/store.ts';
import { replayEvents, requireEvent, resendEvent } from '../management/events.ts';
import { resumeStoppedUrl, stopCallbackUrl } from '../management/stopped-urls.ts';
import { timestamp } from '../transactions/view.ts';
import { type StoppedUrl, stoppedUrls } from '../webhooks/stopped-urls.ts';
import { type Author, commandServices, explainProblems } from './command-services.ts';
import { requireMerchant } from './merchants.ts';
import { readAll } from './read-all.ts';

/** Lists the stopped addresses with the event that stopped each. */
export async function stoppedCommand(store: Store): Promise<string> {
  const stopped = await readAll<StoppedUrl>((last, limit) => stoppedUrls(store.read, { after: last?.eventId, limit }));
  return (
    stopped
      .map(({ merchantId, url, eventId, stoppedAt, by }) =>
        [merchantId, timestamp(stoppedAt), eventId, url, ...(by ? [`by ${by.name}`] : [])].join('  '),
      )
      .join('\n') || 'no address has been stopped'
  );
}

/** Lets events be sent to the address again, from now on. */
export async function resumeCommand(
  store: Store,
  merchantId: string,
  url: string,
  { record }: Author,
): Promise<string> {
  const merchant = await requireMerchant(store, merchantId);
  const resumed = await resumeStoppedUrl({ store }, merchant.id, url, record);
  if (!resumed)
    throw new UserError(
      `Webhooks to ${url} of merchant ${merchant.id} are not stopped.\nTry: payments-gateway webhook stopped`,
    );
  return `events are sent to ${url} again, from the next one on`;
}

/** Stops deliveries to the address until it is resumed. */
export async function stopCommand(
  store: Store,
  merchantId: string,
  url: string,
  { operator, record, clock }: Author,
): Promise<string> {
  const { id } = await requireMerchant(store, merchantId);
  const refused = await stopCallbackUrl({ store, clock }, id, url, operator, record);
  if (refused === 'unknown') throw new UserError(`No webhook of merchant ${id} has gone to ${url}. Check the URL.`);
  if (refused === 'stopped') throw new UserError(`Webhooks to ${url} of merchant ${id} are stopped already.`);
  return `nothing is sent to ${url} until: payments-gateway webhook resume ${id} ${url}`;
}

/** Sends an event again; a running gateway takes it within a second. */
export async function resendCommand(store: Store, id: string, { record, clock }: Author): Promise<string> {
  const event = await explainProblems(async () => {
    const found = await requireEvent(store.read, id);
    await resendEvent(commandServices(store, clock), found, record);
    return found;
  });
  return `${id} is sent to ${event.url} again`;
}

/** The options of a replay. */
export interface ReplayOptions {
  /** Milliseconds since 1970. */
  readonly since?: number;
  readonly merchant?: string;
  readonly url?: string;
  readonly stopped?: boolean;
}

/** Sends abandoned or stopped events again; a running gateway takes them within a second. */
export async function replayCommand(
  store: Store,
  { since, merchant, url, stopped }: ReplayOptions,
  { record, clock }: Author,
): Promise<string> {
  if (since === undefined)
    throw new UserError('--since is missing. Pass a time, such as --since 2026-03-02T08:00:00Z.', 2);
  const merchantId = merchant === undefined ? undefined : (await requireMerchant(store, merchant)).id;
  const state = stopped === true ? 'stopped' : 'given_up';
  const events = await replayEvents(commandServices(store, clock), { since, merchantId, url, state }, record);
  return `events that are sent again: ${events}`;
}
