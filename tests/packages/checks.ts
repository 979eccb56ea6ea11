/** Third-party checks of a package. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData, type ResolutionKind } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { expect, it } from 'vitest';
import { ROOT } from '../../scripts/tools/process.ts';
import type { Packed } from './install.ts';

/** The packages are ESM only, so they need not work with `require` or in Node 10. */
const KINDS: readonly ResolutionKind[] = ['node16-esm', 'bundler'];

/** Tests the requirements of every package. Data entries have no types. */
export function testPackage(workspace: string, packed: () => Packed, data: readonly string[] = []): void {
  it("holds the repository's license", async () => {
    const license = (folder: string) => readFile(join(ROOT, folder, 'LICENSE'), 'utf8');
    expect(packed().files).toContain('LICENSE');
    expect(await license(workspace)).toBe(await license('.'));
  });

  it('is clean for publint', async () => {
    expect(await publintProblems(packed())).toEqual([]);
  });

  it('is clean for arethetypeswrong', async () => {
    expect(await brokenImports(packed(), data)).toEqual([]);
  });
}

/** All findings of publint. */
async function publintProblems({ tarball }: Packed): Promise<(string | undefined)[]> {
  const buffer = (await readFile(tarball)).buffer as ArrayBuffer;
  const { messages, pkg } = await publint({ pack: { tarball: buffer }, strict: true });
  return messages.map((message) => formatMessage(message, pkg));
}

/** Returns arethetypeswrong's findings for the package's entries, except for data. */
async function brokenImports({ tarball }: Packed, data: readonly string[] = []): Promise<object[]> {
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
