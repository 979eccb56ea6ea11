/** HTML as a tagged template: everything that is put in is escaped, unless this template made it. */

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A piece of HTML; only `html` makes one. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Insert = string | number | Html | readonly Html[] | undefined | false;

/** Puts the values between the strings, for text and for attributes in double quotes. */
export function html(strings: TemplateStringsArray, ...values: Insert[]): Html {
  return new Html(strings.reduce((text, string, index) => text + rendered(values[index - 1]) + string));
}

function rendered(value: Insert): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(({ text }) => text).join('\n');
  return String(value).replaceAll(/[&<>"]/g, (character) => ESCAPES[character] ?? '');
}
