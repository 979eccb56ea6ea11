/** The published package. Its dependencies are bundled. */
import { defineConfig } from 'tsdown';
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
  plugins: [copyAssets(), listLicenses()],
});
