/** The sandbox of a gateway, put together: what the gateway's own parts take from it, and its routes. */

import { inBackground, type Store } from '../database/store.ts';
import type { Guest, GuestSettings } from '../guest.ts';
import type { Clock } from '../platform/clock.ts';
import { Changes } from './changes.ts';
import { withCondition } from './channels.ts';
import { Chaos } from './chaos.ts';
import { expireMerchants } from './expiry.ts';
import { Followers } from './followers.ts';
import { MerchantClocks } from './merchant-clocks.ts';
import { MerchantQueue } from './merchant-queue.ts';
import { masksOf } from './request-log/masks.ts';
import { RequestLog } from './request-log/request-log.ts';
import { addSandboxRoutes } from './routes.ts';
import { SandboxSettingsCache } from './settings-cache.ts';
import { WebhookFaults } from './webhook-faults.ts';

/** Reads what merchants have set, and follows it until the signal is aborted. */
export async function openSandbox(
  store: Store,
  clock: Clock,
  { machine, wake, requestsPerSecond, merchantPolicy }: GuestSettings,
  stopped: AbortSignal,
): Promise<Guest> {
  const settingsCache = await SandboxSettingsCache.open(store, clock, stopped, { machine });
  const followers = new Followers(clock);
  const changes = new Changes(settingsCache, followers);
  settingsCache.onChange((merchantId) => changes.onSettings(merchantId));
  return {
    time: settingsCache,
    onStep: ({ transaction }, eventId) => changes.onStep(transaction, eventId),
    onAttempt: (attempt) => changes.onAttempt(attempt),
    onDrain: () => followers.close(),
    decorateChannel: (channel) => withCondition(channel, settingsCache),
    interceptor: (parts) => new WebhookFaults(settingsCache, wake, parts),
    requestFaults: new Chaos(settingsCache, requestsPerSecond).faults,
    async open(app, { services, ...admission }) {
      const clocks = new MerchantClocks({ settingsCache, store, wake });
      const { forgetMerchant, isAdmitted } = admission.authentication;
      const mask = masksOf(services.bundle, admission.readDocument('sandbox'));
      const requests = new RequestLog({
        store,
        clock,
        settingsCache,
        mask,
        onRequest: (exchange) => changes.onRequest(exchange),
      });
      const audits = new MerchantQueue('audit');
      const made = { settingsCache, clocks, requests, changes, followers, audits, merchantPolicy };
      const all = { ...services, ...made, forgetMerchant, isAdmitted };
      const closing = new AbortController();
      const expiry = expireMerchants({ ...all, store: inBackground(store) }, closing.signal);
      addSandboxRoutes(app, { ...admission, services: all });
      return {
        onResponse: (c) => requests.record(c),
        async close() {
          closing.abort();
          await Promise.all([expiry, requests.close()]);
        },
      };
    },
  };
}
