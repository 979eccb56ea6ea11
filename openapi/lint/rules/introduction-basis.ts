/** Each statement of the introduction says where it comes from, as everything else in the document does. */
import { type Assumption, follow, locateKey, type Maybe, type Root } from '../document.ts';
import type { Context, Rule } from '../redocly.ts';
import { BASIS_MARK } from '../text.ts';

interface Options {
  /** The sections of the specification. */
  sections: string[];
}

/** The rule `contract/introduction-basis`. */
export const introductionBasis: Rule<Options> = ({ sections }) => {
  const known = { source: new Set(sections), assumption: new Set<string>() };
  return {
    Assumption: ({ id = '' }: Assumption) => void known.assumption.add(id),
    Root: {
      leave: (root: Root, context: Context) => {
        const info: { description?: Maybe<string> } = root.info ?? {};
        const text = follow(context, info.description, context.location.child('info'))?.node;
        if (typeof text !== 'string') return;
        const location = locateKey(info, 'description', context.location.child('info'));
        for (const message of splitStatements(text).flatMap((line) => findProblems(line, known))) {
          context.report({ message, location });
        }
      },
    },
  };
};

/** Lines of running text and items of lists; rows of tables have a mark where they need one. */
function splitStatements(markdown: string): string[] {
  return markdown
    .replace(/^```[\s\S]*?^```/gm, '')
    .replace(/<!--[\s\S]*?-->/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s*#/.test(line));
}

function findProblems(line: string, known: Record<'source' | 'assumption', Set<string>>): string[] {
  const marks = [...line.matchAll(BASIS_MARK)].map(([, mark = '']) => mark);
  const isRow = line.trimStart().startsWith('|');
  if (!isRow && (marks.length !== 1 || !line.trimEnd().endsWith('}'))) {
    return [
      `line '${line.slice(0, 60)}' does not end with where it comes from; write {source 4.1} or {assumption flow}`,
    ];
  }
  return marks.flatMap((mark) => findUnknown(mark, known));
}

function findUnknown(mark: string, known: Record<'source' | 'assumption', Set<string>>): string[] {
  if (mark === 'about') return [];
  return mark.split('; ').flatMap((part) => {
    const [kind = '', ...names] = part.split(/,? /);
    const list = known[kind as keyof typeof known];
    return names
      .filter((name) => !list?.has(name))
      .map((name) => `{${mark}} names ${kind} ${name}, which there is not`);
  });
}
