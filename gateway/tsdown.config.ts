/** The published package: the command, and the gateway as a library for tests. */
import { defineConfig } from 'tsdown';
import { base } from '../tsdown.base.ts';

export default defineConfig({
  ...base,
  entry: { 'payments-gateway': 'src/bin.ts', index: 'src/index.ts' },
  dts: { entry: 'src/index.ts' },
});
