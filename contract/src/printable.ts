/** Escapes untrusted text for a terminal, so that it can't move the cursor, set the title, or reorder other text. */

/** Control characters, including changes of the text's direction. */
const UNPRINTABLE = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;
/**
 * The same, after line ends and tabs, and after the sequences that commands write: colors, and the return to an empty
 * line.
 */
const SEQUENCE = new RegExp(`(\\r\\n|[\\n\\t])|(\\x1b\\[\\d*m|\\r\\x1b\\[2K)|${UNPRINTABLE.source}`, 'gu');

export interface PrintableOptions {
  /** Keeps the ends of lines. Without it, text of one line can't pass for two. */
  readonly lines?: boolean;
  /** Keeps colors, for output whose quotations were escaped before. */
  readonly styles?: boolean;
}

/** Returns the text with escapes, as in JSON, for characters that a terminal would act on. */
export function printable(text: string, { lines = false, styles = false }: PrintableOptions = {}): string {
  return text.replaceAll(SEQUENCE, (found: string, layout?: string, style?: string) => {
    const isKept = (lines && layout !== undefined) || (styles && style !== undefined);
    return isKept ? found : found.replaceAll(UNPRINTABLE, escapeCharacter);
  });
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
