/** Comments that begin with a question word. They read as riddles. */
import { extname } from 'node:path';
import { type Range, typescriptComments } from './text.ts';
import { EXEMPT, type Finding } from './vocabulary.ts';

const QUESTION = /^(?:\/\*|\/\/|--|#)[\s*]*((?:What|Who|Whose|Where|When|However|How|Which|Why)\b.*?)(?= *\*\/|\n|$)/;
const WRITE = 'a noun phrase, a verb such as "Returns", or a sentence with its subject';
const WORDS_SHOWN = 5;

type ReadComments = (source: string) => readonly Range[];

const afterHash = matches(/(?<=^|\s)#[^\n]*/gm);
const READERS: Readonly<Record<string, ReadComments>> = {
  ...{ '.ts': typescriptComments, '.js': typescriptComments, '.mjs': typescriptComments },
  ...{ '.yaml': afterHash, '.yml': afterHash, '.py': afterHash },
  ...{ '.css': matches(/\/\*.*?\*\//gs), '.sql': matches(/--[^\n]*/g) },
};

/** The endings of the files whose comments `findOpenings` can read. */
export const COMMENTED = Object.keys(READERS);

/** Finds the comments of a file that begin with a question word, in the order of its lines. */
export function findOpenings(file: string, source: string): Finding[] {
  const comments = READERS[extname(file)]?.(source) ?? [];
  return comments.flatMap(([start, end], index) => {
    const text = source.slice(start, end);
    const [, opening] = QUESTION.exec(text) ?? [];
    if (opening === undefined || text.includes(EXEMPT)) return [];
    if (isContinued(source, comments[index - 1], start)) return [];
    const line = source.slice(0, end - text.length + text.indexOf(opening)).split('\n').length;
    const found = opening.split(' ').slice(0, WORDS_SHOWN).join(' ');
    return [{ file, line, found, write: WRITE }];
  });
}

/** Whether the comment before is the line before, so that this one continues it. */
function isContinued(source: string, before: Range | undefined, start: number): boolean {
  if (before === undefined || source.startsWith('/*', before[0])) return false;
  return /^\n[ \t]*$/.test(source.slice(before[1], start));
}

function matches(pattern: RegExp): ReadComments {
  return (source) => [...source.matchAll(pattern)].map(({ index, 0: { length } }): Range => [index, index + length]);
}
