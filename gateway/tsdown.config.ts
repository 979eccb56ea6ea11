/** The published package: the command, and the gateway as a library, and the tests of channels. */
import { defineConfig } from 'tsdown';
import { base, copyAssets, listLicenses } from '../tsdown.base.ts';

/** Packages of which files, or parts of scripts of the reference, are copied. */
const COPIED = [
  ...['preact', 'htm', 'vitepress', 'vue', 'minisearch', 'mark.js'],
  ...['@vueuse/core', '@vueuse/integrations', 'focus-trap', 'tabbable'],
];

export default defineConfig({
  ...base,
  entry: { 'payments-gateway': 'src/bin.ts', index: 'src/index.ts', 'channel-tests': 'src/channel-tests.ts' },
  plugins: [copyAssets(), listLicenses(COPIED)],
  dts: { entry: ['src/index.ts', 'src/channel-tests.ts'] },
  deps: { neverBundle: ['vitest'] },
});
