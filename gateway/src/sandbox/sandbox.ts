/** The sandbox of a gateway, put together: what the gateway's own parts take from it, and its routes. */
import type { FastifyInstance } from 'fastify';
import type { Channel } from '../channel/channel.ts';
import type { Clock } from '../platform/clock.ts';
import type { MerchantTime } from '../platform/merchant-time.ts';
import type { Store } from '../store/store.ts';
import { conditioned } from './channels.ts';
import { MerchantClocks } from './merchant-clocks.ts';
import type { SandboxServices } from './operation.ts';
import { type Admission, sandboxRoutes } from './plugin.ts';
import { World } from './world.ts';

export interface Sandbox {
  readonly time: MerchantTime;
  /** The channel in the condition that each merchant has set. */
  readonly condition: (channel: Channel) => Channel;
  addRoutes(app: FastifyInstance, options: RouteOptions): Promise<void>;
}

export interface RouteOptions extends Admission {
  readonly services: Omit<SandboxServices, 'world' | 'clocks'>;
  /** Whether a webhook is being attempted in this process. */
  readonly isAttempted: (eventId: string) => boolean;
}

/** Reads what merchants have set, and follows it until the signal is aborted. */
export async function openSandbox(store: Store, clock: Clock, stopped: AbortSignal): Promise<Sandbox> {
  const world = await World.open(store, clock, stopped);
  return {
    time: world,
    condition: (channel) => conditioned(channel, world),
    async addRoutes(app, { services, isAttempted, ...admission }) {
      const clocks = new MerchantClocks({ world, store, wake: services.wake, isAttempted });
      await app.register(sandboxRoutes, { ...admission, services: { ...services, world, clocks } });
    },
  };
}
