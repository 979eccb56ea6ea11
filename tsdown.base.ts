/** Shared build settings of the packages: ESM for the oldest Node that they support, assets included. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import type { Rolldown, UserConfig } from 'tsdown';

/** Not what an editor or a desktop has left in the folder. */
const OWN_FILE = /^[\w@][\w@.-]*$/;
const ASSET_URL = /new URL\(\s*'([^']+)',\s*import\.meta\.url\s*,?\s*\)/g;

/**
 * Sources name the files that they read as `new URL('path', import.meta.url)`, a folder with a slash at its end. This
 * copies what is named to dist/assets and adapts the path, so that the same code finds its files here and in a package.
 */
export function copyAssets(): Rolldown.Plugin {
  const sources = new Map<string, string>();
  return {
    name: 'copy-assets',
    transform(code, id) {
      if (!code.includes('import.meta.') || !isAbsolute(id) || id.includes('node_modules')) return;
      const changed = code.replaceAll(ASSET_URL, (_, path: string) => {
        const source = resolve(dirname(id), path);
        const name = basename(path);
        if ((sources.get(name) ?? source) !== source) this.error(`two assets are named ${name}`);
        sources.set(name, source);
        for (const [from, to] of listFiles(source, name)) {
          this.emitFile({ type: 'asset', fileName: `assets/${to}`, source: readFileSync(from) });
        }
        return `new URL('./assets/${name}${path.endsWith('/') ? '/' : ''}', import.meta.url)`;
      });
      if (/import\.meta\.(url|dirname|filename)/.test(changed.replaceAll(ASSET_URL, ''))) {
        this.error(`${id} has to name its files as new URL('path', import.meta.url), or they are not packed`);
      }
      return changed;
    },
  };
}

function listFiles(source: string, name: string): [from: string, to: string][] {
  if (!statSync(source).isDirectory()) return [[source, name]];
  const own = readdirSync(source).filter((file) => OWN_FILE.test(file));
  return own.flatMap((file) => listFiles(join(source, file), `${name}/${file}`));
}

/** Copies guides of the repository to dist/docs, with what is in their folders, so that who installs a package has them. */
export function copyGuides(guides: readonly string[]): Rolldown.Plugin {
  const docs = join(import.meta.dirname, 'docs');
  return {
    name: 'copy-guides',
    buildStart() {
      for (const guide of guides) {
        for (const [from, to] of listFiles(join(docs, guide), guide)) {
          this.emitFile({ type: 'asset', fileName: `docs/${to}`, source: readFileSync(from) });
        }
      }
    },
  };
}

/**
 * Writes the licenses of the packages that are bundled to a file, as they demand. Packages of which a file is copied as an
 * asset are given by their names.
 */
export function listLicenses(copied: readonly string[] = [], fileName = 'THIRD-PARTY-LICENSES.txt'): Rolldown.Plugin {
  return {
    name: 'list-licenses',
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((output) => (output.type === 'chunk' ? output.moduleIds : []));
      const folders = new Set(modules.flatMap((id) => /.*\/node_modules\/(@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []));
      for (const name of copied) folders.add(join(import.meta.dirname, 'node_modules', name));
      const licenses = [...folders].map(findLicense).sort();
      this.emitFile({
        type: 'asset',
        fileName,
        source: licenses.join(`\n${'-'.repeat(80)}\n\n`),
      });
    },
  };
}

function findLicense(folder: string): string {
  const { name, version, license, licenses } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
  const text = file ? readFileSync(join(folder, file), 'utf8') : `License: ${license ?? licenses?.[0]?.type}`;
  return `${name} ${version}\n\n${text.trim()}\n`;
}

export const base: UserConfig = {
  format: 'esm',
  platform: 'node',
  target: 'node22.13',
  fixedExtension: false,
  logLevel: 'warn',
  plugins: [copyAssets()],
  define: { 'process.env.PAYMENTS_REVISION': JSON.stringify(process.env['PAYMENTS_REVISION'] ?? '') },
  // Plugin timings lead to no action.
  checks: { pluginTimings: false },
};
