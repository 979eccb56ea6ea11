/** The workspace packages by name. In a clone, the names resolve to sources, so no build is needed. */
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import tsconfig from '../../tsconfig.json' with { type: 'json' };
import { ROOT } from './process.ts';

/** Files that the compiler, too, takes for the names. */
const SOURCES = new Map(
  Object.entries(tsconfig.compilerOptions.paths).map(([name, [file = '']]) => [
    name,
    pathToFileURL(join(ROOT, file)).href,
  ]),
);

/** Resolves imports of the packages, from now on, to their sources. */
export function importPackagesFromSource(): void {
  registerHooks({ resolve: (name, context, next) => next(SOURCES.get(name) ?? name, context) });
}
