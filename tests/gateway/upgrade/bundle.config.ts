/**
 * Bundles the gateway of this tree with all that it needs, as the release before the next one. Before a release that adds a
 * migration: `npm run build`, `npx tsdown --config tests/gateway/upgrade/bundle.config.ts`, and pack the folder that it writes as
 * gateway-N.tgz, with the number of the schema.
 */
import { join } from 'node:path';
import { defineConfig } from 'tsdown';
import { base, listLicenses } from '../../../tsdown.base.ts';

const ROOT = join(import.meta.dirname, '../../..');

export default defineConfig({
  ...base,
  cwd: ROOT,
  entry: { gateway: 'gateway/src/bin.ts' },
  outDir: 'tests/gateway/upgrade/gateway',
  plugins: [base.plugins, listLicenses()],
  dts: false,
  minify: true,
  deps: { alwaysBundle: [/.*/], neverBundle: ['vitest', 'pg-native'] },
});
