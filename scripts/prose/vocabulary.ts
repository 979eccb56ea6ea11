/** Phrases that this project doesn't use, from vocabulary.yaml, and where a text uses them. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { extractProse } from './text.ts';

export interface Phrase {
  /**
   * The wording to avoid: the source of a regular expression, matched in any case between word boundaries.
   * A space matches any whitespace, and the start of the next line of a comment.
   */
  readonly avoid: string;
  readonly write: string;
  /** A sentence with the phrase, and the same in plain English. */
  readonly before: string;
  readonly after: string;
  /** Starts of the paths that the phrase is looked for in; everywhere by default. */
  readonly in?: readonly string[];
}

export interface Finding {
  readonly file: string;
  readonly line: number;
  readonly found: string;
  readonly write: string;
}

/** Exempts the line that it is on, for the rare sentence that means what the phrase says. */
export const EXEMPT = 'prose-ok';

const GAP = String.raw`\s+(?:(?:\*|//|#)\s+)?`;
const VOCABULARY = new URL('vocabulary.yaml', import.meta.url);

export function readVocabulary(): { phrases: Phrase[]; ignore: string[] } {
  return parse(readFileSync(VOCABULARY, 'utf8'));
}

/** Finds the phrases in the prose of a file, in the order of its lines. */
export function findPhrases(file: string, source: string, phrases: readonly Phrase[]): Finding[] {
  const prose = extractProse(file, source);
  const lines = source.split('\n');
  const lineAt = (index: number) => prose.slice(0, index).split('\n').length;
  const pattern = (avoid: string) => new RegExp(`\\b(?:${avoid.replaceAll(' ', GAP)})\\b`, 'gi');
  return phrases
    .filter((phrase) => phrase.in?.some((start) => file.startsWith(start)) ?? true)
    .flatMap(({ avoid, write }) =>
      [...prose.matchAll(pattern(avoid))].map(({ index, 0: found }) => ({
        ...{ file, write, line: lineAt(index) },
        found: found.replaceAll(/\s+/g, ' '),
      })),
    )
    .filter(({ line }) => !lines[line - 1]?.includes(EXEMPT))
    .toSorted((a, b) => a.line - b.line);
}
