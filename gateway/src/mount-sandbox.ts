/** The sandbox and its console as the guest of a gateway. Nothing else of the gateway imports the sandbox. */
import type { MountGuest } from './guest.ts';

/** Opens them. Their modules are loaded here: gateways without a sandbox start faster, and take less memory. */
export const mountSandbox: MountGuest = async (store, clock, settings, stopped) => {
  const [{ openSandbox }, { consoleRoutes }] = await Promise.all([
    import('./sandbox/sandbox.ts'),
    import('./console/routes.ts'),
  ]);
  const { endStreamsOf, ...sandbox } = await openSandbox(store, clock, settings, stopped);
  return {
    ...sandbox,
    async open(options) {
      const { services, rates, demo } = options;
      const pages = await sandbox.open(options);
      const routes = consoleRoutes({ services, rates, demo, onSessionEnd: endStreamsOf });
      return { ...pages, routes: [...pages.routes, ...routes] };
    },
  };
};
