/** The published package: ESM for Node 20 and browsers, with the contract's types and constants inside. */
import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: ['src/index.ts', 'src/webhooks.ts', 'src/testing.ts'],
  format: 'esm',
  platform: 'neutral',
  target: 'es2022',
  dts: true,
  fixedExtension: false,
});
