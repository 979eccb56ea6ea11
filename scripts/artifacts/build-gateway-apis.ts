/** Writes generated/management and generated/sandbox. `scripts/tools/gateway-apis.mjs` runs it when they are stale. */
import { writeArtifacts } from './artifact.ts';
import { gatewayApiArtifacts } from './gateway-api.ts';

await writeArtifacts(await gatewayApiArtifacts());
