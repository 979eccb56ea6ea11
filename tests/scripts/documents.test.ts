/** Links in the documents for contributors and operators resolve. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryFiles } from '../../scripts/tools/files.ts';
import { ROOT } from '../../scripts/tools/process.ts';

const DOCUMENTS = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'gateway/GROWTH.md'].concat(
  repositoryFiles('docs').filter((file) => file.endsWith('.md')),
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

it('the list of decisions is complete', () => {
  const listed = [...read('docs/decisions/README.md').matchAll(/\]\((\d{4}-[^)]+)\)/g)].map(([, file]) => file);
  const decisions = repositoryFiles('docs/decisions').map((file) => basename(file));
  expect(listed).toEqual(decisions.filter((name) => /^\d.*\.md$/.test(name)));
});
