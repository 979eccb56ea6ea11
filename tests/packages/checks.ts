/** Checks of a package by other people's tools. */
import { readFile } from 'node:fs/promises';
import { checkPackage, createPackageFromTarballData, type ResolutionKind } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import type { Packed } from './install.ts';

/** The packages are ESM only, so they are not required to work with `require` or in Node 10. */
const KINDS: readonly ResolutionKind[] = ['node16-esm', 'bundler'];

/** All that publint finds. */
export async function publintProblems({ tarball }: Packed): Promise<(string | undefined)[]> {
  const buffer = (await readFile(tarball)).buffer as ArrayBuffer;
  const { messages, pkg } = await publint({ pack: { tarball: buffer }, strict: true });
  return messages.map((message) => formatMessage(message, pkg));
}

/** All that arethetypeswrong finds about imports of the package's entries, but for those that are data. */
export async function brokenImports({ tarball }: Packed, data: readonly string[] = []): Promise<object[]> {
  const contents = createPackageFromTarballData(new Uint8Array(await readFile(tarball)));
  const analysis = await checkPackage(contents, { excludeEntrypoints: [...data] });
  if (!analysis.types) return [{ kind: 'NoTypes' }];
  const unresolved = Object.entries(analysis.entrypoints).flatMap(([entry, { resolutions }]) =>
    KINDS.filter((kind) => !resolutions[kind].resolution).map((kind) => ({ kind: 'NoResolution', entry, by: kind })),
  );
  const found = analysis.problems.filter((problem) => {
    if ('resolutionKind' in problem) return KINDS.includes(problem.resolutionKind);
    if ('resolutionOption' in problem) return problem.resolutionOption !== 'node10';
    return true;
  });
  return [...unresolved, ...found];
}
