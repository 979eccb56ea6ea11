/** The frame of every checkout page, and its Content-Security-Policy. */
import { readText } from '../../../contract/src/files.ts';
import { type Html, html, pageHeaders, trustedHtml } from '../http/html.ts';
import { LANGUAGES, type Language, languageQuery } from './language.ts';

export interface Page {
  readonly title: string;
  readonly language: Language;
  /** Name of the payment's merchant; absent on pages without a payment. */
  readonly merchant?: string;
  readonly main: Html;
  readonly footer?: string;
  /** Navigation without a click: a redirect, or a reload after some seconds in browsers without scripts. */
  readonly next?: { readonly goTo: string } | { readonly reloadAfter: number };
}

export interface PageFiles {
  readonly style: string;
  readonly script: string;
}

/** The document around each page, and its headers. */
export interface PageFrame {
  readonly headers: Readonly<Record<string, string>>;
  readonly render: (page: Page) => string;
}

/**
 * Creates the frame. The policy allows only the style and script with these hashes. form-action also covers redirects
 * after a form, so a form leads to one of our pages, which redirects to the shop.
 */
export async function pageFrame({ style, script }: PageFiles): Promise<PageFrame> {
  const [styleHash, scriptHash] = await Promise.all([style, script].map(hashSource));
  const files = { style: trustedHtml(style), script: trustedHtml(script) };
  return {
    headers: pageHeaders([`style-src '${styleHash}'`, `script-src '${scriptHash}'`, 'img-src data:']),
    render: (page) => render(page, files),
  };
}

/** A source of a Content-Security-Policy. */
async function hashSource(content: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(content));
  return `sha256-${btoa(String.fromCharCode(...new Uint8Array(hash)))}`;
}

function render(
  { title, language, merchant, main, footer, next }: Page,
  { style, script }: Readonly<Record<keyof PageFiles, Html>>,
): string {
  const { code, direction, texts } = language;
  return html`<!doctype html>
<html lang="${code}"${direction === 'rtl' && html` dir="rtl"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${refresh(next, language)}<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<header class="shop">${merchant !== undefined && html`<span class="mark" aria-hidden="true">${initial(merchant)}</span><bdi>${merchant}</bdi>`}${languageSwitch(language)}</header>
${main}
${footer !== undefined && html`<footer>${footer}</footer>`}
<p id="announcement" class="unseen" role="status" data-sending="${texts.sending}" data-left="${texts.leftToPay}"></p>
<script>${script}</script>
</body>
</html>
`.toString();
}

/** Works without a script, and takes a single tab stop before the form. */
function languageSwitch({ code, texts }: Language): Html {
  const current = LANGUAGES.find((one) => one.code === code)?.name;
  return html`<details class="languages"><summary><span class="unseen">${texts.language}: </span>${current}</summary>
<ul>${LANGUAGES.map(
    (one) =>
      html`<li><a href="?lang=${one.code}" lang="${one.code}" hreflang="${one.code}"${one.code === code && html` aria-current="true"`}>${one.name}</a></li>`,
  )}</ul></details>`;
}

function refresh(next: Page['next'], language: Language): Html | undefined {
  if (!next) return undefined;
  if ('goTo' in next) return html`<meta http-equiv="refresh" content="0; url=${next.goTo}">\n`;
  // The same address without its fragment, which a link to a field may have left. With a fragment, the browser would
  // not reload.
  return html`<noscript><meta http-equiv="refresh" content="${next.reloadAfter}; url=${languageQuery(language) || '?'}"></noscript>\n`;
}

function initial(name: string): string {
  return (name.match(/\p{L}|\p{N}/u)?.[0] ?? '').toUpperCase();
}

export function readPageFiles(): PageFiles {
  return {
    style: readText(new URL('./page.css', import.meta.url)),
    script: readText(new URL('./page.js', import.meta.url)),
  };
}
