/**
 * The whole reference as one plain page, for printing and for reading in one go, made from the Markdown pages.
 */
import { Marked, type Tokens } from 'marked';
import type { Bundle } from '../../contract/src/model.ts';
import { slug } from './addresses.ts';
import type { Reference } from './markdown-pages.ts';
import type { Page } from './page.ts';

/** The page's file, in the folder of the Markdown pages. */
export const PRINT_PAGE = 'print.html';

/** Turns the pages into one, in their order, with a table of contents. Links between them become links inside of it. */
export function printPage({ info }: Bundle, { groups, drawings }: Reference, style: string): string {
  const pages = groups.flatMap((group) => group.pages);
  const names = new Set(pages.map(({ name }) => name));
  const summary = escapeText(String(info['summary']));
  return [
    '<!DOCTYPE html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<title>${escapeText(info.title)}, for printing</title>`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<style>${style}</style>`,
    '</head>',
    '<body>',
    `<header><h1>${escapeText(info.title)}</h1><p>${summary}. Version ${escapeText(info.version)}.</p></header>`,
    `<nav><h2>Contents</h2><ol>${pages.map(({ name, title }) => `<li><a href="#${name}">${escapeText(title)}</a></li>`).join('')}</ol></nav>`,
    ...pages.map(
      (page) =>
        `<section id="${page.name}"><h2>${escapeText(page.title)}</h2>${render(page, names, drawings)}</section>`,
    ),
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

/** A page's headings are below its title, and their ids begin with its name, since two pages can have the same heading. */
function render({ name, markdown }: Page, names: ReadonlySet<string>, drawings: Reference['drawings']): string {
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading): string {
        const level = Math.min(depth + 1, 6);
        return `<h${level} id="${name}.${slug(text)}">${this.parser.parseInline(tokens)}</h${level}>`;
      },
      image({ href }: Tokens.Image): string {
        return drawings[href] ?? '';
      },
      link({ href, tokens }: Tokens.Link): string {
        return `<a href="${escapeText(address(href, names))}">${this.parser.parseInline(tokens)}</a>`;
      },
    },
  });
  return marked.parse(markdown, { async: false });
}

/** `createPayment.md` and `states.md#payment` as places of this page. */
function address(href: string, names: ReadonlySet<string>): string {
  const [, page = '', part] = /^(\w[\w-]*)\.md(?:\?[^#]*(?:#.*)?|#(.+))?$/.exec(href) ?? [];
  if (!names.has(page)) return href;
  return part ? `#${page}.${part}` : `#${page}`;
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
