/**
 * The whole reference as one plain page for printing, made from the Markdown pages. Redoc draws an operation when a reader
 * comes to it, so its own page prints only what was visited.
 */
import { Marked, type Tokens } from 'marked';
import type { Bundle } from '../../contract/src/model.ts';

/** The page's file, in the folder of the Markdown pages. */
export const PRINT_PAGE = 'print.html';

/** A Markdown page that is printed. */
export interface Printed {
  /** The name of its file, without the extension. */
  name: string;
  title: string;
  markdown: string;
}

/** Turns the pages into one, in their order, with a table of contents. Links between them become links inside of it. */
export function printPage({ info }: Bundle, pages: readonly Printed[], style: string): string {
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
      (page) => `<section id="${page.name}"><h2>${escapeText(page.title)}</h2>${render(page, names)}</section>`,
    ),
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

/** A page's headings are below its title, and their ids begin with its name, since two pages can have the same heading. */
function render({ name, markdown }: Printed, names: ReadonlySet<string>): string {
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading): string {
        const level = Math.min(depth + 1, 6);
        return `<h${level} id="${name}.${slug(text)}">${this.parser.parseInline(tokens)}</h${level}>`;
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
  const [, page = '', part] = /^(\w[\w-]*)\.md(?:#(.+))?$/.exec(href) ?? [];
  if (!names.has(page)) return href;
  return part ? `#${page}.${part}` : `#${page}`;
}

function slug(title: string): string {
  return title
    .toLowerCase()
    .replace(/`/g, '')
    .replace(/[^a-z0-9_]+/g, '-');
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
