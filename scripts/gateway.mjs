/**
 * `npm run gateway -- COMMAND`: the gateway's commands, run from a clone. Plain JavaScript with Node's compile cache, so that only the first start loads the TypeScript loader, which takes 30 MB and a third of the start time. Config files import the gateway by package name.
 */
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/node', import.meta.url)));
(await import('./tools/packages.ts')).importPackagesFromSource();
process.env['PAYMENTS_REVISION'] ??= (await import('./tools/revision.ts')).revision() ?? '';
await import('../gateway/src/cli.ts');
