/** Documents in a package: the targets of their links are in the package. */
import { readFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { expect, it } from 'vitest';
import rootPackage from '../../package.json' with { type: 'json' };
import { ROOT } from '../../scripts/tools/process.ts';
import { packagesToPack } from './install.ts';

const LINK = /\]\(([^)\s]+)\)|(?:href|src)="([^"]+)"/g;

const packages = await packagesToPack();

it.each(rootPackage.workspaces.map((name, index) => [name, packages[index]] as const))(
  "the package of %s has all targets of its documents' links",
  async (workspace, packed) => {
    const files = packed?.files ?? [];
    const documents = files.filter((file) => file.endsWith('.md') && !file.startsWith('dist/'));
    expect(documents).toContain('README.md');
    const dead: string[] = [];
    for (const document of documents) {
      const text = await readFile(join(ROOT, workspace, document), 'utf8');
      for (const [, inText, inTag] of text.matchAll(LINK)) {
        const link = inText ?? inTag ?? '';
        if (!isThere(link, dirname(document), files)) dead.push(`${document}: ${link}`);
      }
    }
    expect(dead).toEqual([]);
  },
);

it('a link to a file outside of a package is dead', () => {
  expect(isThere('examples/vitest', '.', ['examples/vitest/fixtures.ts'])).toBe(true);
  expect(isThere('../docs/operations.md', '.', ['README.md'])).toBe(false);
});

/** A file or a folder of the package, a heading, or another site. Repositories aren't public. */
function isThere(link: string, folder: string, files: readonly string[]): boolean {
  if (/^https?:/.test(link)) return !/\/\/([\w-]+\.)*(github|gitlab|bitbucket)\./.test(link);
  const [path = ''] = link.split('#');
  if (path === '') return true;
  const target = posix.join(folder, path).replace(/\/$/, '');
  return files.some((file) => file === target || file.startsWith(`${target}/`));
}
