import { describe, expect, it } from 'vitest';
import { findPhrases, readVocabulary } from '../../../scripts/prose/vocabulary.ts';

const { phrases } = readVocabulary();
const find = (file: string, source: string) => findPhrases(file, source, phrases);

describe.each(phrases)('$avoid', (phrase) => {
  const [file] = phrase.in ?? ['docs/'];

  it('is found once in the bad sentence, with its replacement, and not in the good one', () => {
    const path = `${file}sample.md`;
    const findings = findPhrases(path, `# Title\n\n${phrase.before}\n`, [phrase]);
    expect(findings).toMatchObject([{ file: path, line: 3, write: phrase.write }]);
    expect(find(path, phrase.after)).toEqual([]);
  });
});
