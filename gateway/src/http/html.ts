/** HTML of the gateway's pages, and their headers. */
import { html as escapingTemplate, raw } from 'hono/html';

/** A piece of HTML, in which every value but other pieces is escaped. Only `html` and `trustedHtml` make one. */
export interface Html {
  readonly isEscaped: true;
  toString(): string;
}

/** Undefined and false render as an empty string. */
type TemplateValue = string | number | Html | readonly Html[] | undefined | false;

/** Hono's template is asynchronous for promises only. */
export const html = escapingTemplate as unknown as (strings: TemplateStringsArray, ...values: TemplateValue[]) => Html;

/** Marks text as HTML. Only for this gateway's own files and drawings, never for outside input. */
export function trustedHtml(text: string): Html {
  return raw(text);
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
