/** The sandbox of a gateway, put together: what the gateway's own parts take from it, and its routes. */

import { inBackground, type Store } from '../database/store.ts';
import type { Guest, GuestSettings } from '../guest.ts';
import type { Clock } from '../platform/clock.ts';
import { Changes } from './changes.ts';
import { withCondition } from './channels.ts';
import { Chaos } from './chaos.ts';
import { expireMerchants } from './expiry.ts';
import { Followers } from './followers.ts';
import { SandboxLease } from './lease.ts';
import { MerchantClocks } from './merchant-clocks.ts';
import { MerchantQueue } from './merchant-queue.ts';
import { masksOf } from './request-log/masks.ts';
import { RequestLog } from './request-log/request-log.ts';
import { addSandboxRoutes } from './routes.ts';
import { SandboxState } from './sandbox-state.ts';
import { WebhookFaults } from './webhook-faults.ts';

/** Opens the sandbox, which keeps its lease until the signal is aborted. */
export async function openSandbox(
  store: Store,
  clock: Clock,
  { machine, wake, requestsPerSecond, merchantPolicy, log }: GuestSettings,
  stopped: AbortSignal,
): Promise<Guest> {
  const lease = new SandboxLease({ store, clock, log });
  const sandboxState = new SandboxState({ store: lease.store, clock, machine });
  const followers = new Followers(clock);
  const changes = new Changes(sandboxState, followers);
  sandboxState.onChange((merchantId) => changes.onSettings(merchantId));
  let startExpiry: (stopped: AbortSignal) => Promise<void> = async () => undefined;
  let serving = new AbortController();
  let expiry = Promise.resolve();
  return {
    store: lease.store,
    obstacle: () => lease.obstacle,
    serve: (work) =>
      lease.keep(
        {
          async begin() {
            await sandboxState.load();
            serving = new AbortController();
            expiry = startExpiry(serving.signal);
            work.begin();
          },
          async end() {
            serving.abort();
            followers.endAll();
            await Promise.all([expiry, work.end()]);
          },
        },
        stopped,
      ),
    release: () => lease.release(),
    time: sandboxState,
    onStep: ({ transaction }, eventId) => changes.onStep(transaction, eventId),
    onAttempt: (attempt) => changes.onAttempt(attempt),
    onDrain: () => followers.close(),
    decorateChannel: (channel) => withCondition(channel, sandboxState),
    interceptor: (parts) => new WebhookFaults(sandboxState, wake, parts),
    requestFaults: new Chaos(sandboxState, requestsPerSecond).faults,
    async open(app, { services, ...admission }) {
      const clocks = new MerchantClocks({ sandboxState, store: lease.store, wake });
      const { forgetMerchant, isAdmitted } = admission.authentication;
      const mask = masksOf(services.bundle, admission.readDocument('sandbox'));
      const requests = new RequestLog({
        store: lease.store,
        clock,
        sandboxState,
        mask,
        onRequest: (exchange) => changes.onRequest(exchange),
      });
      const audits = new MerchantQueue('audit');
      const made = { sandboxState, clocks, requests, changes, followers, audits, merchantPolicy };
      const all = { ...services, ...made, forgetMerchant, isAdmitted };
      startExpiry = (ended) => expireMerchants({ ...all, store: inBackground(lease.store) }, ended);
      addSandboxRoutes(app, { ...admission, services: all });
      return {
        onResponse: (c) => requests.record(c),
        async close() {
          serving.abort();
          await Promise.all([expiry, requests.close()]);
        },
      };
    },
  };
}
