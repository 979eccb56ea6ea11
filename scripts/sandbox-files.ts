/** The gateway in a page, as files: `sandbox.js` and `sqlite3.wasm`. */
import { build } from 'tsdown';
import { page } from '../tsdown.page.ts';
import { ROOT } from './tools/process.ts';

/** Builds the files into a folder without removing others. Takes about a second. */
export async function buildSandboxFiles(folder: string): Promise<void> {
  await build({ ...page, cwd: ROOT, config: false, dts: false, clean: false, outDir: folder });
}
