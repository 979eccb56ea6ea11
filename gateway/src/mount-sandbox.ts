/** Connects the sandbox to the gateway. No other module imports the sandbox. */
import type { MountGuest } from './guest.ts';

/** Opens it. Its modules are loaded here: gateways without a sandbox start faster, and take less memory. */
export async function mountSandbox(...options: Parameters<MountGuest>) {
  const { openSandbox } = await import('./sandbox/sandbox.ts');
  return openSandbox(...options);
}
