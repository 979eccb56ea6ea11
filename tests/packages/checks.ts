/** What other people's tools say about a package. */
import { readFile } from 'node:fs/promises';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import type { Packed } from './install.ts';

/** All that publint finds. */
export async function publintProblems({ tarball }: Packed): Promise<(string | undefined)[]> {
  const buffer = (await readFile(tarball)).buffer as ArrayBuffer;
  const { messages, pkg } = await publint({ pack: { tarball: buffer }, strict: true });
  return messages.map((message) => formatMessage(message, pkg));
}
