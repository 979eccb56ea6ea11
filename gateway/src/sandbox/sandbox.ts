/** The sandbox of a gateway, put together: what the gateway's own parts take from it, and its routes. */
import type { FastifyInstance } from 'fastify';
import type { Channel } from '../channel/channel.ts';
import { readSandboxDocument } from '../contract/sandbox-document.ts';
import type { Clock } from '../platform/clock.ts';
import type { MerchantTime } from '../platform/merchant-time.ts';
import type { Store } from '../store/store.ts';
import { Changes } from './changes.ts';
import { conditioned } from './channels.ts';
import { Chaos, type ChaosHooks } from './chaos.ts';
import { MerchantClocks } from './merchant-clocks.ts';
import type { SandboxServices } from './operation.ts';
import { type Admission, sandboxRoutes } from './plugin.ts';
import { masksOf } from './request-log/masks.ts';
import { RequestLog } from './request-log/request-log.ts';
import { WebhookFaults } from './webhook-faults.ts';
import { World } from './world.ts';

export interface Sandbox {
  readonly time: MerchantTime;
  /** The channel in the condition that each merchant has set. */
  readonly condition: (channel: Channel) => Channel;
  /** What goes wrong with webhooks. */
  readonly webhookFaults: WebhookFaults;
  /** What goes wrong with requests. */
  readonly requestFaults: ChaosHooks;
  /** Tells who follows the merchant. */
  readonly onStep: Changes['onStep'];
  readonly onAttempt: Changes['onAttempt'];
  /** Disconnects those who follow, and takes no more. */
  readonly endStreams: () => void;
  addRoutes(app: FastifyInstance, options: RouteOptions): Promise<void>;
}

export interface RouteOptions extends Admission {
  readonly services: Omit<SandboxServices, 'world' | 'clocks' | 'requests' | 'changes' | 'forgetMerchant'>;
}

export interface SandboxSettings {
  /** Wakes the workers. */
  readonly wake: () => void;
  /** The limit that a 429 reports. */
  readonly requestsPerSecond: number;
}

/** Reads what merchants have set, and follows it until the signal is aborted. */
export async function openSandbox(
  store: Store,
  clock: Clock,
  { wake, requestsPerSecond }: SandboxSettings,
  stopped: AbortSignal,
): Promise<Sandbox> {
  const world = await World.open(store, clock, stopped);
  const changes = new Changes(world);
  world.onChange((merchantId) => changes.onSettings(merchantId));
  return {
    time: world,
    onStep: (transaction, eventId) => changes.onStep(transaction, eventId),
    onAttempt: (attempt) => changes.onAttempt(attempt),
    endStreams: () => changes.close(),
    condition: (channel) => conditioned(channel, world),
    webhookFaults: new WebhookFaults(world, wake),
    requestFaults: new Chaos(world, requestsPerSecond).hooks,
    async addRoutes(app, { services, ...admission }) {
      const { deliveries } = services;
      const clocks = new MerchantClocks({ world, store, wake, isAttempted: (id) => deliveries.isClaimed(id) });
      const { forgetMerchant } = admission.authentication;
      const mask = masksOf(services.bundle, readSandboxDocument().bundle);
      const requests = new RequestLog({
        store,
        clock,
        world,
        mask,
        onRequest: (exchange) => changes.onRequest(exchange),
      });
      app.addHook('onSend', (request, reply, payload, done) => {
        requests.record(request, reply, payload);
        done();
      });
      app.addHook('preClose', async () => changes.close());
      app.addHook('onClose', () => requests.close());
      const all = { ...services, world, clocks, requests, changes, forgetMerchant };
      await app.register(sandboxRoutes, { ...admission, services: all });
    },
  };
}
