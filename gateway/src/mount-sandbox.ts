/** The sandbox and its console as the guest of a gateway. Nothing else of the gateway imports the sandbox. */
import type { Guest, GuestSettings } from './guest.ts';
import type { Clock } from './platform/clock.ts';
import type { Store } from './store/engine/store.ts';

/**
 * Opens the sandbox, and follows what other processes change in it until the signal is aborted. Its modules are loaded here:
 * gateways without a sandbox start faster, and take less memory.
 */
export async function mountSandbox(
  store: Store,
  clock: Clock,
  settings: GuestSettings,
  stopped: AbortSignal,
): Promise<Guest> {
  const [{ openSandbox }, { consolePages }] = await Promise.all([
    import('./sandbox/sandbox.ts'),
    import('./console/plugin.ts'),
  ]);
  const { addRoutes, endStreamsOf, ...sandbox } = await openSandbox(store, clock, settings, stopped);
  return {
    ...sandbox,
    async addPages(app, pages) {
      const { services, rates, demo } = pages;
      await addRoutes(app, pages);
      await app.register(consolePages, { prefix: '/console', services, rates, demo, onSessionEnd: endStreamsOf });
    },
  };
}
