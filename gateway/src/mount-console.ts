/** The sandbox with its console as the guest of a gateway. */
import type { MountGuest } from './guest.ts';
import { mountSandbox } from './mount-sandbox.ts';

/** Opens both. The console's modules are loaded here, as those of the sandbox are. */
export const mountSandboxWithConsole: MountGuest = async (...options) => {
  const [sandbox, { consoleRoutes }] = await Promise.all([mountSandbox(...options), import('./console/routes.ts')]);
  return {
    ...sandbox,
    async open(opened) {
      const { services, rates, demo } = opened;
      const pages = await sandbox.open(opened);
      const routes = consoleRoutes({ services, rates, demo, onSessionEnd: sandbox.endStreamsOf });
      return { ...pages, routes: [...pages.routes, ...routes] };
    },
  };
};
