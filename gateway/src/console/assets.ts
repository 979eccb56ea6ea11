/**
 * The console's files for browsers. Their paths contain a hash of all files, so browsers cache them forever. Nothing is
 * compiled: Preact and htm are served as published and imported by relative path.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { type StaticFile, staticFile } from '../server/static-file.ts';

export interface Assets {
  /** A hash of all files. */
  readonly version: string;
  readonly files: ReadonlyMap<string, StaticFile>;
}

const FOLDER = new URL('../../console/', import.meta.url);

/** Browsers find no packages by their names. */
const PACKAGES: Readonly<Record<string, readonly [name: string, url: URL]>> = {
  preact: ['preact.js', new URL('../../../node_modules/preact/dist/preact.module.js', import.meta.url)],
  'preact/hooks': [
    'preact-hooks.js',
    new URL('../../../node_modules/preact/hooks/dist/hooks.module.js', import.meta.url),
  ],
  htm: ['htm.js', new URL('../../../node_modules/htm/dist/htm.module.js', import.meta.url)],
};

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

/** Browsers request the files again once their address has changed, and only this origin may load them. */
const HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'cross-origin-resource-policy': 'same-origin',
};

/** Reads the files of the console and the packages that they import. */
export function readAssets(): Assets {
  const own = readdirSync(FOLDER).map((name) => [name, new URL(name, FOLDER)] as const);
  const contents = [...own, ...Object.values(PACKAGES)]
    .map(([name, url]) => ({ name, type: name.slice(name.lastIndexOf('.') + 1), text: readFileSync(url, 'utf8') }))
    .map((file) => (file.type === 'js' ? { ...file, text: prepareModule(file.text) } : file));
  const hash = createHash('sha256');
  for (const { name, text } of contents) hash.update(`${name}\n${text}\n`);
  const files = contents.map(
    ({ name, type, text }) => [name, staticFile(TYPES[type] ?? '', () => Buffer.from(text), HEADERS)] as const,
  );
  return { version: hash.digest('base64url').slice(0, 16), files: new Map(files) };
}

const IMPORT = /(\bfrom\s*)(["'])([^"']+)\2/g;

/** Comments on separate lines, and type comments of casts and parameters, which precede code. */
const COMMENTS = /^[ \t]*\/\*\*(?:(?!\*\/)[\s\S])*\*\/[ \t]*\n|^[ \t]*\/\/.*\n|\/\*\* @(?:type|param) [^*]*\*\/ ?/gm;

/** Replaces names of packages, and removes comments, which are a sixth of the bytes, and source maps, which aren't served. */
function prepareModule(source: string): string {
  return source
    .replaceAll(COMMENTS, '')
    .replaceAll(IMPORT, (whole, from: string, _quote, name: string) => {
      const [file] = PACKAGES[name] ?? [];
      return file ? `${from}'./${file}'` : whole;
    })
    .replaceAll(/^\/\/# sourceMappingURL=.*$/gm, '');
}
