/**
 * `npm run gateway -- COMMAND`: the gateway's own commands, from a clone. It is plain JavaScript and keeps what Node has
 * compiled, so that only the first start loads Node's compiler for types, which takes 30 MB and a third of the time. A config
 * file imports the gateway by name.
 */
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/node', import.meta.url)));
(await import('./tools/packages.ts')).importPackagesFromSource();
process.env['PAYMENTS_REVISION'] ??= (await import('./tools/revision.ts')).revision();
await import('../gateway/src/main.ts');
