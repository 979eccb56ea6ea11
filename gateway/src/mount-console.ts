/** The consoles: that of a sandbox as the guest of a gateway, and that of operators. Their modules are loaded here. */
import type { OperatorsConsoleOptions } from './console/operators-console.ts';
import type { MountGuest } from './guest.ts';
import { mountSandbox } from './mount-sandbox.ts';

/** Opens the sandbox with its console. */
export const mountSandboxWithConsole: MountGuest = async (...options) => {
  const [sandbox, { sandboxConsoleRoutes }] = await Promise.all([
    mountSandbox(...options),
    import('./console/sandbox-console.ts'),
  ]);
  return {
    ...sandbox,
    async open(opened) {
      const { services, rates, demo } = opened;
      const pages = await sandbox.open(opened);
      const routes = sandboxConsoleRoutes({ services, rates, demo, onSessionEnd: sandbox.endStreamsOf });
      return { ...pages, routes: [...pages.routes, ...routes] };
    },
  };
};

/** Opens the operators' console, and returns its routes. */
export async function mountOperatorsConsole(options: OperatorsConsoleOptions) {
  const { operatorsConsoleRoutes } = await import('./console/operators-console.ts');
  return operatorsConsoleRoutes(options);
}
