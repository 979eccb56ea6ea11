/**
 * The console's files for browsers. Their paths contain a hash of all files, so browsers cache them forever. Nothing is
 * compiled: Preact and htm are served as published and imported by relative path.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ConsoleName } from '../http/console-session.ts';
import { type StaticFile, staticFile } from '../server/static-file.ts';

export interface Assets {
  /** A hash of all files. */
  readonly version: string;
  readonly files: ReadonlyMap<string, StaticFile>;
}

/** Has a folder for each console, with an `app.js`, which imports all that it needs. */
const FOLDER = new URL('../../console/', import.meta.url);

/** Browsers find no packages by their names. */
const PACKAGES: Readonly<Record<string, readonly [name: string, url: URL]>> = {
  preact: ['preact.js', new URL('../../../node_modules/preact/dist/preact.module.js', import.meta.url)],
  'preact/hooks': ['hooks.js', new URL('../../../node_modules/preact/hooks/dist/hooks.module.js', import.meta.url)],
  htm: ['htm.js', new URL('../../../node_modules/htm/dist/htm.module.js', import.meta.url)],
};

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

/** Browsers ask for the files again once their address has changed, and only this origin may load them. */
const HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'cross-origin-resource-policy': 'same-origin',
};

/** Reads the files of a console, and no module that it doesn't import. */
export function readAssets(console: ConsoleName): Assets {
  const contents = [...modulesOf(console), ...['shared/console.css', 'shared/icon.svg'].map(readFile)].sort();
  const hash = createHash('sha256');
  for (const [name, content] of contents) hash.update(`${name}\n${content}\n`);
  const files = new Map(
    contents.map(([name, content]) => [
      name,
      staticFile(TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? '', () => Buffer.from(content), HEADERS),
    ]),
  );
  return { version: hash.digest('base64url').slice(0, 16), files };
}

function readFile(path: string): [name: string, content: string] {
  return [nameOf(path), readFileSync(new URL(path, FOLDER), 'utf8')];
}

const IMPORT = /(\bfrom\s*)(["'])([^"']+)\2/g;

/** The modules of a console by their names. They are served from one folder, so no two have the same name. */
function modulesOf(console: ConsoleName): Map<string, string> {
  const urls = new Map([['app.js', new URL(`${console}/app.js`, FOLDER)]]);
  const contents = new Map<string, string>();
  // Iterating over a map visits entries added during the iteration.
  for (const [name, url] of urls) {
    const source = readFileSync(url, 'utf8');
    for (const [, , , specifier = ''] of source.matchAll(IMPORT)) {
      const [imported, address] = PACKAGES[specifier] ?? [nameOf(specifier), new URL(specifier, url)];
      if ((urls.get(imported) ?? address).href !== address.href) throw new Error(`two modules are named ${imported}`);
      urls.set(imported, address);
    }
    contents.set(name, browserReady(source));
  }
  return contents;
}

/** Comments on separate lines, and type comments of casts and parameters, which precede code. */
const COMMENTS = /^[ \t]*\/\*\*(?:(?!\*\/)[\s\S])*\*\/[ \t]*\n|^[ \t]*\/\/.*\n|\/\*\* @(?:type|param) [^*]*\*\/ ?/gm;

/**
 * Names modules by the address of their file, and leaves out the comments with their types, which are a sixth of the bytes,
 * and the source maps, which aren't served.
 */
function browserReady(source: string): string {
  return source
    .replaceAll(COMMENTS, '')
    .replaceAll(
      IMPORT,
      (_whole, from: string, _quote, name: string) => `${from}'./${PACKAGES[name]?.[0] ?? nameOf(name)}'`,
    )
    .replaceAll(/^\/\/# sourceMappingURL=.*$/gm, '');
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
