/** The package as it is published: the command. */
import { defineConfig } from 'tsdown';
import { base } from '../tsdown.base.ts';

export default defineConfig({ ...base, entry: { 'payments-conformance': 'src/main.ts' } });
