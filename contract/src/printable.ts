/** Text of others, made fit for a terminal: it must not move the cursor, set the title, or reorder what is around it. */

/** Control characters and characters that change the text direction. */
const UNPRINTABLE = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

interface PrintableOptions {
  /** The text may have several lines. Otherwise the ends of lines are escaped, too, so that it can't pass for two. */
  readonly lines?: boolean;
}

/** Escapes terminal control characters as JSON does. */
export function printable(text: string, { lines = false }: PrintableOptions = {}): string {
  return text.replaceAll(UNPRINTABLE, (character) =>
    lines && (character === '\n' || character === '\t') ? character : escaped(character),
  );
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
