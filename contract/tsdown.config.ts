/**
 * The published package. Prism is bundled: installed, the mock's packages are 157 with 69 MB, one of them
 * reports its installation to its author, and they ask for a newer Node than they need.
 */
import { defineConfig, type Rolldown } from 'tsdown';
import { base, copyAssets, listLicenses } from '../tsdown.base.ts';

const GENERATED = [
  'types',
  'examples',
  'currencies',
  'methods',
  'decline-reasons',
  'statuses',
  'webhooks',
  'webhook-headers',
];

export default defineConfig({
  ...base,
  entry: {
    'payments-contract': 'src/bin.ts',
    index: 'src/index.ts',
    msw: 'src/msw.ts',
    validators: 'src/validators.ts',
    ...Object.fromEntries(GENERATED.map((name) => [name, `../generated/${name}.ts`])),
  },
  dts: true,
  deps: { neverBundle: ['msw'], alwaysBundle: [/./], onlyBundle: false },
  copy: [{ from: '../generated/openapi-generators.json', to: 'dist/assets' }],
  plugins: [copyAssets(), fixBundledPrism(), listLicenses()],
});

/** Two packages of Prism's need help to work within a bundle. */
function fixBundledPrism(): Rolldown.Plugin {
  return {
    name: 'fix-bundled-prism',
    resolveId: {
      filter: { id: /^jsonc-parser$/ },
      // Its default entry loads its parts with a `require` that no bundler can follow.
      handler(_source, importer) {
        return this.resolve('jsonc-parser/lib/esm/main.js', importer);
      },
    },
    transform: {
      filter: { id: /uri-template-lite/ },
      // In CommonJS `this` is `exports`; in the bundle, which is ESM, it is undefined.
      handler(code) {
        const fixed = code.replace('this.URI || (this.URI = {})', 'exports.URI = {}');
        if (fixed === code) this.error('uri-template-lite has changed: see whether it still needs this');
        return fixed;
      },
    },
  };
}
