/** The documents for contributors and operators point to what is there. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/tools/process.ts';

const DOCUMENTS = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'gateway/GROWTH.md'].concat(
  globSync('docs/**/*.md', { cwd: ROOT }),
);
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

describe.each(DOCUMENTS)('%s', (document) => {
  const text = read(document);

  it('links to files that exist', () => {
    const links = [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, file = '']) => file);
    expect(links.filter((file) => !existsSync(join(ROOT, dirname(document), file)))).toEqual([]);
  });

  it('names source files that exist', () => {
    const files = [...text.matchAll(/`((?:contract|client|conformance|gateway|openapi|scripts|tests)\/[\w./-]+)`/g)];
    expect(files.map(([, file = '']) => file).filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });
});

it('the list of decisions has each of them', () => {
  const listed = [...read('docs/decisions/README.md').matchAll(/\]\((\d{4}-[^)]+)\)/g)].map(([, file]) => file);
  expect(listed).toEqual(globSync('[0-9]*.md', { cwd: join(ROOT, 'docs/decisions') }).toSorted());
});

it('decisions that the code names exist', () => {
  const sources = globSync('{contract,client,conformance,gateway,scripts}/**/*.ts', {
    cwd: ROOT,
    exclude: (name) => name.includes('node_modules'),
  });
  const named = sources.flatMap((file) =>
    [...read(file).matchAll(/docs\/decisions\/[\w.-]+\.md/g)].map(([path]) => path),
  );
  expect(named.length).toBeGreaterThan(2);
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});
