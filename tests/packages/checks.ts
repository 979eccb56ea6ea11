/** What other people's tools say about a package. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { ROOT, run } from '../../scripts/tools/process.ts';
import type { Packed } from './install.ts';

/** All that publint finds. */
export async function publintProblems({ tarball }: Packed): Promise<(string | undefined)[]> {
  const buffer = (await readFile(tarball)).buffer as ArrayBuffer;
  const { messages, pkg } = await publint({ pack: { tarball: buffer }, strict: true });
  return messages.map((message) => formatMessage(message, pkg));
}

/** What arethetypeswrong prints, if an import of one of the package's entries doesn't work; otherwise nothing. */
export async function brokenImports({ tarball }: Packed, data: readonly string[] = []): Promise<string> {
  const attw = join(ROOT, 'node_modules/@arethetypeswrong/cli/dist/index.js');
  const exclude = data.length > 0 ? ['--exclude-entrypoints', ...data] : [];
  const args = [attw, tarball, '--profile', 'esm-only', '--no-emoji', '--format', 'ascii', ...exclude];
  const { code, stdout, stderr } = await run(process.execPath, args, { allowFailure: true });
  return code === 0 ? '' : `${stdout}${stderr}`;
}
