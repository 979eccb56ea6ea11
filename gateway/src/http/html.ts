/** HTML as a tagged template that escapes every value except other templates. */

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A piece of HTML. Only `html` and `trusted` make one. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Template values. Undefined and false render as an empty string. */
export type TemplateValue = string | number | Html | readonly Html[] | undefined | false;

/** Puts the values between the strings, escaped for text and for attributes in double quotes. */
export function html(strings: TemplateStringsArray, ...values: TemplateValue[]): Html {
  return new Html(strings.reduce((text, string, index) => text + rendered(values[index - 1]) + string));
}

/** Marks text as HTML. Only for this gateway's own files, never for outside input. */
export function trustedHtml(text: string): Html {
  return new Html(text);
}

function rendered(value: TemplateValue): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(({ text }) => text).join('');
  return String(value).replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}
