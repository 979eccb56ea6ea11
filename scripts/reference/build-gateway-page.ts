/** Builds the reference of the sandbox with low priority, for a gateway that runs already. */
import { setPriority } from 'node:os';
import { buildGatewayPage } from './gateway-page.ts';

setPriority(10);
await buildGatewayPage(['sandbox']).catch((error: unknown) => {
  console.error(`The reference could not be built: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
});
