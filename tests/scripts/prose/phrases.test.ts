import { describe, expect, it } from 'vitest';
import { findPhrases, readVocabulary } from '../../../scripts/prose/vocabulary.ts';

const { phrases } = readVocabulary();
const find = (file: string, source: string) => findPhrases(file, source, phrases);

describe.each(phrases)('$avoid', (phrase) => {
  const [file] = phrase.in ?? ['docs/'];

  it('is found once in the bad sentence, with its replacement', () => {
    const path = `${file}sample.md`;
    const [finding, ...others] = findPhrases(path, `# Title\n\n${phrase.before}\n`, [phrase]);
    expect(finding).toMatchObject({ file: path, line: 3, write: phrase.write });
    expect(others).toEqual([]);
  });

  it('is not found in the good sentence, and neither is any other', () => {
    expect(find(`${file}sample.md`, phrase.after)).toEqual([]);
  });
});

describe('the places of a phrase', () => {
  const found = (file: string, source: string) => find(file, source).map(({ line, found }) => `${line} ${found}`);

  it('are comments, strings and templates of TypeScript, but not identifiers, patterns or module names', () => {
    const source = [
      "import { answer } from './answer.ts';",
      '/** Sends anew. */',
      `const answers = ['sent anew', \`\${answer} anew \${1} afresh\`];`,
      'answer(/anew/); // whoever',
      "const url = 'http://anew'; /* likewise",
      '*/',
    ].join('\n');
    expect(found('gateway/src/a.ts', source)).toEqual([
      ...['2 anew', '3 anew', '3 anew', '3 afresh', '4 whoever', '5 anew', '5 likewise'],
    ]);
  });

  it('are the text of Markdown, but not its code or addresses', () => {
    const source = 'Sent anew.\n\n```sh\necho anew\n```\n\n`anew` [whoever](anew.md)\n';
    expect(found('README.md', source)).toEqual(['1 anew', '7 whoever']);
  });

  it('are all lines of YAML', () => {
    expect(found('openapi/a.yaml', 'a: 1 # anew\ndescription: >\n  Sent afresh.\n')).toEqual(['1 anew', '3 afresh']);
  });

  it('span lines', () => {
    expect(found('a.ts', '/**\n * It brings\n * home what it found.\n */')).toEqual(['2 brings * home']);
    expect(found('a.md', 'It brings\nhome what it found.\n')).toEqual(['1 brings home']);
  });

  it('ignores a marked line', () => {
    expect(found('a.md', 'The answer to a riddle. <!-- prose-ok -->\nAn answer.\n')).toEqual(['2 answer']);
  });

  it('exclude parts of longer words', () => {
    expect(found('a.md', 'An unanswered question, renewed.\n')).toEqual([]);
  });
});
