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
type TemplateValue = string | number | Html | readonly Html[] | undefined | false;

/** Puts the values between the strings, escaped for text and for attributes in double quotes. */
export function html(strings: TemplateStringsArray, ...values: TemplateValue[]): Html {
  return new Html(strings.reduce((text, string, index) => text + rendered(values[index - 1]) + string));
}

/** Marks text as HTML. Only for this gateway's own files and drawings, never for outside input. */
export function trustedHtml(text: string): Html {
  return new Html(text);
}

function rendered(value: TemplateValue): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(({ text }) => text).join('');
  return String(value).replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}

/** Headers of every HTML page of the gateway, with a policy that allows only what the page needs. */
export function pageHeaders(policy: readonly string[]): Readonly<Record<string, string>> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': [
      "default-src 'none'",
      "connect-src 'self'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      ...policy,
    ].join('; '),
    // Isolates the page from windows that open it, and from windows it opens.
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    // With `no-referrer`, browsers send `Origin: null` with our own forms.
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'x-robots-tag': 'noindex',
  };
}
