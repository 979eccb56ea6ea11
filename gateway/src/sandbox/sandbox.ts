/** The sandbox of a gateway, put together: what the gateway's own parts take from it, and its routes. */

import type { Guest, GuestSettings } from '../guest.ts';
import type { Clock } from '../platform/clock.ts';
import { inBackground, type Store } from '../store/engine/store.ts';
import { readApiDocument } from '../wire/gateway-apis.ts';
import { Changes } from './changes.ts';
import { conditioned } from './channels.ts';
import { Chaos } from './chaos.ts';
import { expireMerchants } from './expiry.ts';
import { Followers } from './followers.ts';
import { MerchantClocks } from './merchant-clocks.ts';
import { sandboxRoutes } from './plugin.ts';
import { masksOf } from './request-log/masks.ts';
import { RequestLog } from './request-log/request-log.ts';
import { SandboxSettingsCache } from './settings-cache.ts';
import { Turns } from './turns.ts';
import { WebhookFaults } from './webhook-faults.ts';

export interface Sandbox extends Omit<Guest, 'addPages'> {
  /** Ends the streams of an API key or a session. */
  readonly endStreamsOf: Followers['endCredential'];
  readonly addRoutes: Guest['addPages'];
}

/** Reads what merchants have set, and follows it until the signal is aborted. */
export async function openSandbox(
  store: Store,
  clock: Clock,
  { wake, requestsPerSecond, merchantPolicy }: GuestSettings,
  stopped: AbortSignal,
): Promise<Sandbox> {
  const settingsCache = await SandboxSettingsCache.open(store, clock, stopped);
  const followers = new Followers(clock);
  const changes = new Changes(settingsCache, followers);
  settingsCache.onChange((merchantId) => changes.onSettings(merchantId));
  return {
    time: settingsCache,
    onStep: (transaction, eventId) => changes.onStep(transaction, eventId),
    onAttempt: (attempt) => changes.onAttempt(attempt),
    onDrain: () => followers.close(),
    endStreamsOf: (credential) => followers.endCredential(credential),
    decorateChannel: (channel) => conditioned(channel, settingsCache),
    detour: (parts) => new WebhookFaults(settingsCache, wake, parts),
    requestFaults: new Chaos(settingsCache, requestsPerSecond).hooks,
    async addRoutes(app, { services, ...admission }) {
      const clocks = new MerchantClocks({ settingsCache, store, wake });
      const { forgetMerchant, isAdmitted } = admission.authentication;
      const mask = masksOf(services.bundle, readApiDocument('sandbox').bundle);
      const requests = new RequestLog({
        store,
        clock,
        settingsCache,
        mask,
        onRequest: (exchange) => changes.onRequest(exchange),
      });
      app.addHook('onSend', (request, reply, payload, done) => {
        requests.record(request, reply, payload);
        done();
      });
      app.addHook('preClose', async () => followers.close());
      app.addHook('onClose', () => requests.close());
      const audits = new Turns('audit');
      const made = { settingsCache, clocks, requests, changes, followers, audits, merchantPolicy };
      const all = { ...services, ...made, forgetMerchant, isAdmitted };
      const closing = new AbortController();
      const expiry = expireMerchants({ ...all, store: inBackground(store) }, closing.signal);
      app.addHook('onClose', () => {
        closing.abort();
        return expiry;
      });
      await app.register(sandboxRoutes, { ...admission, services: all });
    },
  };
}
