import { describe, expect, it } from 'vitest';
import { findOpenings } from '../../../scripts/prose/openings.ts';

const found = (file: string, ...lines: string[]) =>
  findOpenings(file, `${lines.join('\n')}\n`).map(({ line, found }) => `${line} ${found}`);

describe('a comment that begins with a question word', () => {
  it.each(['What', 'Who', 'Whose', 'Where', 'When', 'However', 'How', 'Which', 'Why'])('is found: %s', (word) => {
    expect(found('a.ts', `// ${word} it is.`)).toEqual([`1 ${word} it is.`]);
  });

  it('is reported with its first words, and how to rewrite it', () => {
    const [finding, ...others] = findOpenings('a.ts', '/** What the ledger must say of a transaction. */\n');
    expect(finding).toMatchObject({ file: 'a.ts', line: 1, found: 'What the ledger must say' });
    expect(finding?.write).toContain('noun phrase');
    expect(others).toEqual([]);
  });

  it('is found in blocks, documentation, lines, and after code', () => {
    const source = ['/**', ' * What a.', ' */', '/** How b. */', '/* Where c. */', 'd(); // Why d.'];
    expect(found('a.ts', ...source)).toEqual(['2 What a.', '4 How b.', '5 Where c.', '6 Why d.']);
  });

  it.each([
    ['a.js', '/** What a. */'],
    ['a.mjs', '// What a.'],
    ['a.yaml', '# What a.'],
    ['a.yml', 'run: b # What a.'],
    ['a.py', 'a = 1  # What a.'],
    ['a.sql', '-- What a.'],
    ['a.css', '/* What a. */'],
  ])('is found in %s', (file, source) => {
    expect(findOpenings(file, source)).toHaveLength(1);
  });

  it('ignores a marked line', () => {
    expect(found('a.ts', '// What is truth? prose-ok')).toEqual([]);
  });
});

describe('a question word', () => {
  it('may begin a later line of a comment', () => {
    const lines = ['// The time of the store', '// When the lease is over, another process takes it.'];
    expect(found('a.ts', ...lines, '/**', ' * The time', ' * When b.', ' */')).toEqual([]);
    expect(found('a.yaml', '# The time', '# When b.')).toEqual([]);
  });

  it('begins a comment after another kind of comment, or after an empty line', () => {
    expect(found('a.ts', '/** The a. */', '// What b.', '', '// What c.')).toEqual(['2 What b.', '4 What c.']);
  });

  it('may be within a comment, begin a longer word, or be in a string', () => {
    const lines = [
      '// The clock: When it stops.',
      '// Whatever comes.',
      "const a = '// What b.';",
      'c(`/* What d. */`);',
    ];
    expect(found('a.ts', ...lines)).toEqual([]);
  });
});
