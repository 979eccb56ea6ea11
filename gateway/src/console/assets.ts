/**
 * The files of the console as browsers get them. Their addresses contain a hash of them all, so browsers keep them forever.
 * Nothing compiles them: Preact and htm are taken as their packages publish them, and named relative to each other.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { type StaticFile, staticFile } from '../node/static-file.ts';

export interface Assets {
  /** A hash of all files. */
  readonly version: string;
  readonly files: ReadonlyMap<string, StaticFile>;
}

const FOLDER = new URL('../../console/', import.meta.url);
const VENDORED: Readonly<Record<string, URL>> = {
  'preact.js': new URL('../../../node_modules/preact/dist/preact.module.js', import.meta.url),
  'hooks.js': new URL('../../../node_modules/preact/hooks/dist/hooks.module.js', import.meta.url),
  'htm.js': new URL('../../../node_modules/htm/dist/htm.module.js', import.meta.url),
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

/** Browsers find no packages by their names. */
const ADDRESSES: Readonly<Record<string, string>> = { preact: 'preact.js', 'preact/hooks': 'hooks.js', htm: 'htm.js' };

/** Reads all files. */
export function readAssets(): Assets {
  // The folder of a clone also has what editors put there, such as `.#app.js`.
  const own = readdirSync(FOLDER).filter((name) => /^\w/.test(name) && TYPES[extension(name)] !== undefined);
  const urls = new Map([...own.map((name) => [name, new URL(name, FOLDER)] as const), ...Object.entries(VENDORED)]);
  const contents = [...urls].sort().map(([name, url]) => [name, browserReady(readFileSync(url, 'utf8'))] as const);
  const hash = createHash('sha256');
  for (const [name, content] of contents) hash.update(`${name}\n${content}\n`);
  const files = new Map(
    contents.map(([name, content]) => [
      name,
      staticFile(
        TYPES[extension(name)] ?? '',
        () => Buffer.from(content),
        () => HEADERS,
      ),
    ]),
  );
  return { version: hash.digest('base64url').slice(0, 16), files };
}

/** Comments with lines of their own. A cast has code after it, so it isn't one. */
const COMMENTS = /^[ \t]*\/\*\*(?:(?!\*\/)[\s\S])*\*\/[ \t]*\n|^[ \t]*\/\/.*\n/gm;

/**
 * Names packages by the address of their file, and leaves out the comments with their types, which are a sixth of the bytes,
 * and the source maps, which aren't served.
 */
function browserReady(source: string): string {
  return source
    .replaceAll(COMMENTS, '')
    .replaceAll(/(\bfrom\s*)(["'])([a-z/]+)\2/g, (whole, from: string, _quote, name: string) =>
      ADDRESSES[name] ? `${from}'./${ADDRESSES[name]}'` : whole,
    )
    .replaceAll(/^\/\/# sourceMappingURL=.*$/gm, '');
}

function extension(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
