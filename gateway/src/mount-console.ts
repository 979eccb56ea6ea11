/** The sandbox's console and the operators' console. Loads their modules on demand. */
import type { Hono } from 'hono';
import type { OperatorsConsoleOptions } from './console/operators-console.ts';
import type { MountGuest } from './guest.ts';
import type { HttpEnv } from './http/context.ts';
import { mountSandbox } from './mount-sandbox.ts';

/** Opens the sandbox with its console. */
export const mountSandboxWithConsole: MountGuest = async (...options) => {
  const [sandbox, { addSandboxConsole }] = await Promise.all([
    mountSandbox(...options),
    import('./console/sandbox-console.ts'),
  ]);
  return {
    ...sandbox,
    open(app, opened) {
      const { services, rates, demo } = opened;
      addSandboxConsole(app, { services, rates, demo, onSessionEnd: sandbox.endStreamsOf });
      return sandbox.open(app, opened);
    },
  };
};

/** Adds the operators' console. */
export async function mountOperatorsConsole(app: Hono<HttpEnv>, options: OperatorsConsoleOptions): Promise<void> {
  const { addOperatorsConsole } = await import('./console/operators-console.ts');
  addOperatorsConsole(app, options);
}
