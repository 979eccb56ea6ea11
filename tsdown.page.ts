/** Build settings of the gateway in a page: one script for every runtime, with all that it reads, and SQLite next to it. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Rolldown, UserConfig } from 'tsdown';
import { emptyImage } from './gateway/src/database/empty-image.ts';
import { loadSqlite } from './gateway/src/database/wasm/load-sqlite.ts';
import type { SparseBytes } from './gateway/src/database/wasm/sparse-bytes.ts';
import { listLicenses } from './tsdown.base.ts';

const ROOT = import.meta.dirname;

/** Modules that need Node. The folder `page/` next to each has its replacement. */
const SWAPPED = ['crypto', 'cidr', 'sqlite-binary'].map((name) => `gateway/src/platform/${name}.ts`);

/** Files that are read, and folders of them. */
const EMBEDDED = [
  ...['generated/openapi.json', 'generated/sandbox/sandbox.json', 'generated/management/management.json'],
  ...['gateway/src/checkout/page.css', 'gateway/src/checkout/page.js', 'gateway/src/database/migrations/'],
];

/** Modules of which the build has other sources. */
const GENERATED: Readonly<Record<string, () => string | Promise<string>>> = {
  'contract/src/files.ts': embeddedFiles,
  'gateway/src/database/empty-image.ts': imageModule,
};

const BINARY = fileURLToPath(import.meta.resolve('@sqlite.org/sqlite-wasm/sqlite3.wasm'));
/** SQLite's own workers, which nothing starts. Bundlers of apps would look for their files, and fail. */
const WORKER_URL = /new URL\(("sqlite3-[\w-]+\.m?js"), import\.meta\.url\)/g;
const FILE_URL = /new URL\(\s*'([^']+)',\s*import\.meta\.url\s*,?\s*\)/g;

/** Reads and swaps at build time what a page can't at run time. */
function pageModules(): Rolldown.Plugin {
  const fromRoot = (id: string) => relative(ROOT, id).replaceAll('\\', '/');
  return {
    name: 'page-modules',
    resolveId: {
      order: 'pre',
      async handler(source, importer, options) {
        if (!importer || !/^\.\.?\//.test(source)) return;
        const file = resolve(dirname(importer), source);
        if (!SWAPPED.includes(fromRoot(file))) return;
        return this.resolve(join(dirname(file), 'page', basename(file)), importer, { ...options, skipSelf: true });
      },
    },
    async load(id) {
      const code = await GENERATED[fromRoot(id)]?.();
      return code === undefined ? undefined : { code, moduleType: 'js' };
    },
    transform(code, id) {
      if (id.includes('@sqlite.org/sqlite-wasm')) return { code: code.replaceAll(WORKER_URL, '$1') };
      if (!code.includes('import.meta.url') || id.includes('node_modules')) return;
      const changed = code.replaceAll(FILE_URL, (whole, path: string) =>
        path === './sqlite3.wasm'
          ? whole
          : `new URL('embedded:/${fromRoot(resolve(dirname(id), path))}${path.endsWith('/') ? '/' : ''}')`,
      );
      return { code: changed };
    },
    generateBundle(_options, bundle) {
      // After an address in a string, tools that tell modules from scripts take the rest of a line for a comment.
      for (const output of Object.values(bundle)) {
        if (output.type === 'chunk') output.code = output.code.replace(/export\{(?=[^{}]*\};?\s*$)/, '\nexport{');
      }
      this.emitFile({ type: 'asset', fileName: 'sqlite3.wasm', source: readFileSync(BINARY) });
    },
  };
}

/** The source of a module like `empty-image.ts` that has the database in it, so that starts need no migrations. */
async function imageModule(): Promise<string> {
  return `import { unpackSparse } from './wasm/sparse-bytes.ts';
const IMAGE = ${JSON.stringify(await packEmptyImage())};
export const emptyImage = async () => unpackSparse(IMAGE);`;
}

/** The database, as the script has it. */
export async function packEmptyImage(): Promise<SparseBytes> {
  return packSparse(await emptyImage(await loadSqlite()));
}

/** This many zeros in a row end a piece. Encoding the next piece takes about as much space. */
const GAP = 16;

function packSparse(bytes: Uint8Array): SparseBytes {
  const pieces: [number, string][] = [];
  let start = 0;
  let end = 0;
  const add = () => {
    if (end > start) pieces.push([start, String.fromCharCode(...bytes.subarray(start, end))]);
  };
  for (const [at, byte] of bytes.entries()) {
    if (byte === 0) continue;
    if (at - end >= GAP) {
      add();
      start = at;
    }
    end = at + 1;
  }
  add();
  return [bytes.length, ...pieces];
}

/** The source of a module like `contract/src/files.ts` that has the files in it. */
function embeddedFiles(): string {
  const paths = EMBEDDED.flatMap((path) =>
    path.endsWith('/') ? readdirSync(join(ROOT, path)).map((name) => path + name) : path,
  );
  const files = Object.fromEntries(paths.sort().map((path) => [`embedded:/${path}`, readContent(path)]));
  return `const FILES = new Map(Object.entries(${JSON.stringify(files)}));
export function readText(file) {
  const text = FILES.get(String(file));
  if (text === undefined) throw new Error(\`\${file} is not part of the script\`);
  return text;
}
export function readTexts(folder, isWanted) {
  const names = [...FILES.keys()].filter((url) => url.startsWith(folder)).map((url) => url.slice(String(folder).length));
  return new Map(names.filter(isWanted).map((name) => [name, readText(folder + name)]));
}`;
}

function readContent(path: string): string {
  const text = readFileSync(join(ROOT, path), 'utf8');
  return path.endsWith('.json') ? JSON.stringify(JSON.parse(text)) : text;
}

/** Settings of the build into `sandbox.js` and `sqlite3.wasm`, with the licenses of the packages in them. */
export const page: UserConfig = {
  entry: { sandbox: join(ROOT, 'gateway/src/page.ts') },
  format: 'esm',
  platform: 'browser',
  target: 'es2023',
  minify: true,
  fixedExtension: false,
  logLevel: 'warn',
  plugins: [pageModules(), listLicenses([], 'sandbox.licenses.txt')],
  deps: { alwaysBundle: [/.*/], onlyBundle: false },
  outputOptions: { codeSplitting: false },
  checks: { pluginTimings: false },
};
