/** Sentences and lines of the document's prose. */

/** Abbreviations, whose full stop doesn't end a sentence. */
const ABBREVIATION = /\b(?:e\.g|i\.e|etc|cf)$/;

/** The line that holds more than one sentence, if there is one. */
export function crowdedLine(text: string): string | undefined {
  return text
    .split('\n')
    .find((line) =>
      [...line.matchAll(/[.!?]['")\]*`]*\s+(?=["'(*[]*[A-Z`])/g)].some(
        ({ index }) => !ABBREVIATION.test(line.slice(0, index)),
      ),
    );
}

/** Whether a text ends like a sentence. */
export function endsWithStop(text: string): boolean {
  return text.trimEnd().endsWith('.');
}

/** The words of a text. */
export function words(text: string): string[] {
  return text.trim().split(/\s+/);
}

/** The basis of a statement in the introduction: `{source 4.1; assumption flow}`, or `{about}` the document itself. */
export const BASIS_MARK = /\s*\{((?:source|assumption) [^{}]+|about)\}/g;

/**
 * The running text of a Markdown page, paragraph by paragraph.
 * Code fences, tables, lists, headings and comments follow other rules and are left out.
 */
export function paragraphs(markdown: string): string[] {
  return markdown
    .replace(/^```[\s\S]*?^```/gm, '')
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(BASIS_MARK, '')
    .split(/\n\s*\n/)
    .map((block) =>
      block
        .split('\n')
        .filter((line) => !/^\s*(?:\||#|[-*]\s|\d+\.\s)/.test(line))
        .join('\n')
        .trim(),
    )
    .filter((block) => block !== '');
}
