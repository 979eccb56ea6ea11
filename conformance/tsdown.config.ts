/** The published package: the command, the library, and the checks as tests of vitest. */
import { defineConfig } from 'tsdown';
import { base } from '../tsdown.base.ts';

export default defineConfig({
  ...base,
  entry: { 'payments-conformance': 'src/bin.ts', index: 'src/index.ts', vitest: 'src/vitest.ts' },
  dts: { entry: ['src/index.ts', 'src/vitest.ts'] },
  deps: { neverBundle: ['vitest'] },
  outputOptions: { chunkFileNames: '[name].js' },
});
