/** The published package: the command, the gateway as a library and in a page, and the tests of channels. */
import { defineConfig } from 'tsdown';
import { base, copyAssets, copyGuides, listLicenses } from '../tsdown.base.ts';
import { page } from '../tsdown.page.ts';

/** Packages of which files, or parts of scripts of the reference, are copied. */
const COPIED = [
  ...['preact', 'htm', 'vitepress', 'vue', 'minisearch', 'mark.js'],
  ...['@vueuse/core', '@vueuse/integrations', 'focus-trap', 'tabbable'],
];

/** Guides for operators. */
const GUIDES = ['operations.md', 'operations', 'configuration.md', 'channels.md', 'faults.md'];

const onNode = {
  ...base,
  entry: { 'payments-gateway': 'src/cli.ts', index: 'src/index.ts', 'channel-tests': 'src/channel-tests.ts' },
  plugins: [copyAssets(), copyGuides(GUIDES), listLicenses(COPIED)],
  dts: { entry: ['src/index.ts', 'src/channel-tests.ts'] },
  deps: { neverBundle: ['vitest'] },
};

// The second build must not remove what the first has built.
export default defineConfig([onNode, { ...page, clean: false, dts: true }]);
