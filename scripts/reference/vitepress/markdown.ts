/** Changes of how Markdown is rendered. The pages stay plain Markdown, which is offered next to each page. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { MarkdownRenderer } from 'vitepress';
import { MARK } from '../basis.ts';
import { LANGUAGES } from '../declines.ts';
import { PLAY } from '../home.ts';
import type { SiteData } from '../site.ts';

/** Pages of operations and webhooks have the name of one, such as `createPayment`. */
export const isOperation = (path: string) => /^[a-z]+[A-Z]\w+\.md$/.test(path);

type Token = ReturnType<MarkdownRenderer['parse']>[number];

/** Basis marks are small. */
export function addMarks(markdown: MarkdownRenderer): void {
  markdown.core.ruler.after('normalize', 'marks', (state) => {
    state.src = state.src.replace(MARK, (mark) => `<sup class="basis">${mark.slice(1, -1)}</sup>`);
  });
}

/** Texts in other languages say so, for screen readers and fonts. Each is an item that begins with its language. */
export function addLanguages(markdown: MarkdownRenderer): void {
  markdown.core.ruler.after('normalize', 'languages', (state) => {
    state.src = state.src.replace(/^( +- (\w+): )(.+)$/gm, (item, start: string, name: string, text: string) => {
      const language = LANGUAGES.get(name);
      return language ? `${start}<span lang="${language}" dir="auto">${text}</span>` : item;
    });
  });
}

/** The label of a fenced block, such as `curl` of `sh [curl]`. */
const LABEL = /\[([^\]]+)\]\s*$/;

/** Labelled blocks of code that follow one another become tabs, which work without scripts. */
export function addTabs(markdown: MarkdownRenderer): void {
  markdown.core.ruler.after('block', 'tabs', (state) => {
    const html = (content: string) => Object.assign(new state.Token('html_block', '', 0), { content });
    const grouped: Token[] = [];
    for (let index = 0; index < state.tokens.length; index++) {
      const run = takeRun(state.tokens, index);
      if (run.length === 0) grouped.push(state.tokens[index] as Token);
      else {
        grouped.push(...renderTabs(run, html));
        index += run.length - 1;
      }
    }
    state.tokens = grouped;
  });
}

/** Requests and responses are separate tabs. The label of a response ends with its status. */
function takeRun(tokens: readonly Token[], start: number): Token[] {
  const kind = (token: Token | undefined) => {
    const label = token?.type === 'fence' ? LABEL.exec(token.info)?.[1] : undefined;
    return label && (/\d{3}$/.test(label) ? 'response' : 'request');
  };
  const first = kind(tokens[start]);
  const end = tokens.findIndex((token, index) => index >= start && (!first || kind(token) !== first));
  return tokens.slice(start, end < 0 ? tokens.length : end);
}

function renderTabs(run: readonly Token[], html: (content: string) => Token): Token[] {
  const labels = run.map(({ info }) => LABEL.exec(info)?.[1] ?? '');
  const panels = run.flatMap((fence, index) => {
    const input = `<input type="radio" name="tab"${index === 0 ? ' checked' : ''}>`;
    return [
      html(`<label>${input}${escapeText(labels[index] ?? '')}</label><div class="panel">`),
      fence,
      html('</div>'),
    ];
  });
  // Tabs exclude each other only within a form. So tabs in a search result don't change the tabs of the page.
  return [
    html(`<form method="dialog"><div class="tabs" role="group" aria-label="${escapeText(labels.join(', '))}">`),
    ...panels,
    html('</div></form>\n'),
  ];
}

const SAMPLES = 'Samples';
const ERRORS = 'Error responses';

/**
 * The samples of a page are in a box. Its examples have a menu, which needs a script; without one, readers open them.
 * `further` has the operations whose examples have further languages in a file.
 */
export function addSamples(markdown: MarkdownRenderer, further: SiteData['samples']): void {
  markdown.core.ruler.push('samples', (state) => {
    const html = (content: string) => Object.assign(new state.Token('html_block', '', 0), { content });
    const page = String(state.env.relativePath).replace(/\.md$/, '');
    const all = [...state.tokens];
    const result: Token[] = [];
    let [level, boxes, titles, menu] = [0, 0, [] as string[], html('')];
    const end = () => {
      const file = Object.hasOwn(further, page) ? ` operation="${page}"` : '';
      if (titles.length > 1)
        menu.content = `<ExamplePicker :titles="${escapeText(JSON.stringify(titles))}"${file} />\n`;
      return level > 0 ? [html(`${result.includes(menu) ? '</details>' : ''}</div>\n`)] : [];
    };
    while (all.length > 0) {
      const token = all.shift() as Token;
      const depth = token.type === 'heading_open' ? Number(token.tag.slice(1)) : Number.POSITIVE_INFINITY;
      const title = all[0]?.content ?? '';
      if (depth <= level) {
        result.push(...end());
        level = 0;
      }
      if (level === 0 && depth < Number.POSITIVE_INFINITY && title === SAMPLES) {
        [level, boxes, titles, menu] = [depth, boxes + 1, [], html('')];
        result.push(html('<div class="samples">'), token);
      } else if (level > 0 && depth === level + 1) {
        result.push(...(result.includes(menu) ? [html('</details>')] : [menu]));
        if (title !== ERRORS) titles.push(title);
        const kind =
          title === ERRORS ? 'class="errors"' : `name="samples-${boxes}"${titles.length === 1 ? ' open' : ''}`;
        result.push(html(`<details ${kind}><summary>${escapeText(title)}</summary>`));
        all.splice(0, 2);
      } else result.push(token);
    }
    state.tokens = [...result, ...end()];
  });
}

/** Fields have addresses, such as `#request.customer.id`, and the fields of an object can be folded. */
export function addFields(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('fields', (state) => {
    let section = '';
    // Pages with several operations are long.
    const isOpen = isOperation(String(state.env.relativePath));
    const path: (string | undefined)[] = [];
    for (const [index, token] of state.tokens.entries()) {
      if (token.type === 'heading_open') section = token.attrGet('id') ?? '';
      if (token.type === 'list_item_close') path.pop();
      const isFolded = path.at(-1) ?? (!isOpen && section.startsWith('response'));
      if (token.type === 'bullet_list_open' && isFolded && fieldName(state.tokens, index + 1)) {
        // The closing token is the next one at the same level.
        const close = state.tokens
          .slice(index)
          .find(({ type, level }) => type === 'bullet_list_close' && level === token.level);
        const title = `Fields of ${path.at(-1) ?? 'the response'}`;
        const content = `<details class="fields"${isOpen ? ' open' : ''}><summary>${title}</summary><ul>`;
        Object.assign(token, { type: 'html_block', content });
        if (close) Object.assign(close, { type: 'html_block', content: '</ul></details>\n' });
      }
      if (token.type !== 'list_item_open') continue;
      const name = fieldName(state.tokens, index);
      path.push(name?.content);
      if (!name) continue;
      const id = [section, ...path].join('.');
      token.attrSet('class', 'field');
      token.attrSet('id', id);
      Object.assign(name, {
        type: 'html_inline',
        content: `<a class="field-name" href="#${id}"><code>${breakable(escapeText(name.content))}</code></a>`,
      });
    }
  });
}

/** The name of the field that a list item describes: it begins with strong code. */
function fieldName(tokens: readonly Token[], item: number): Token | undefined {
  const [first, open, name] = tokens[item + 2]?.children ?? [];
  const isField = tokens[item]?.type === 'list_item_open' && first?.type === 'text' && !first.content;
  return isField && open?.type === 'strong_open' && name?.type === 'code_inline' ? name : undefined;
}

/** A table has a box that scrolls. Its cells have the titles of their columns, since phones show rows as cards. */
export function addTableBoxes(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('cell-labels', (state) => {
    let [titles, column] = [[] as string[], 0];
    for (const [index, { type }] of state.tokens.entries()) {
      if (type === 'table_open') titles = [];
      if (type === 'tr_open') column = 0;
      if (type === 'th_open') titles.push(state.tokens[index + 1]?.content ?? '');
      if (type === 'td_open') state.tokens[index]?.attrSet('data-label', titles[column++] ?? '');
    }
  });
  markdown.renderer.rules['table_open'] = (tokens, index) => {
    const head = tokens.slice(index).findIndex(({ type }) => type === 'thead_close');
    const columns = tokens.slice(index, index + head).filter(({ type }) => type === 'th_open').length;
    return `<div class="table-box${columns > 3 ? ' wide' : ''}" tabindex="0"><table>\n`;
  };
  markdown.renderer.rules['table_close'] = () => '</table></div>\n';
}

/** Long names can break after an underscore or a period, so that their column leaves room for the others. */
export function addBreaks(markdown: MarkdownRenderer): void {
  // Vue drops a line break between two elements.
  markdown.renderer.rules['softbreak'] = () => ' ';
  for (const rule of ['code_inline', 'text'] as const) {
    const render = markdown.renderer.rules[rule];
    markdown.renderer.rules[rule] = (...args) => breakable(render?.(...args) ?? '');
  }
}

function breakable(html: string): string {
  return html.replace(/[\w.]{20,}/g, (name) => name.replace(/(?<=\w[_.])(?=[a-zA-Z])/g, '<wbr>'));
}

/** Drawings are part of the page, so that they have its colors. */
export function addDrawings(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('drawings', (state) => {
    state.tokens.forEach((token, index) => {
      const [image] = token.children ?? [];
      const source = image?.attrGet('src') ?? '';
      if (image?.type !== 'image' || !/^[\w-]+\.svg$/.test(source)) return;
      const svg = readFileSync(join(dirname(String(state.env.path)), source), 'utf8');
      const [open, close] = [state.tokens[index - 1], state.tokens[index + 1]];
      if (open) Object.assign(open, { type: 'html_block', content: '<div class="drawing">' });
      Object.assign(token, { type: 'html_block', children: null, content: svg });
      if (close) Object.assign(close, { type: 'html_block', content: '</div>\n' });
    });
  });
}

/** Inserts operation panels before the marked section. The adjacent Markdown file has none. */
export function addPanels(markdown: MarkdownRenderer, panels: SiteData['panels']): void {
  markdown.core.ruler.push('panels', (state) => {
    const panel = panels[String(state.env.relativePath).replace(/\.md$/, '')];
    if (!panel) return;
    const sections = state.tokens.flatMap(({ type, tag }, index) =>
      type === 'heading_open' && tag === 'h2' ? index : [],
    );
    const content = `<TryIt id="${panel.operation}" />\n`;
    const before = sections[panel.section - 1] ?? state.tokens.length;
    state.tokens.splice(before, 0, Object.assign(new state.Token('html_block', '', 0), { content }));
  });
}

/** The players of walkthroughs, each before its first step or below its heading. The Markdown next to the page has none. */
export function addPlayers(markdown: MarkdownRenderer, walkthroughs: SiteData['walkthroughs']): void {
  markdown.core.ruler.push('players', (state) => {
    const all = walkthroughs[String(state.env.relativePath).replace(/\.md$/, '')] ?? [];
    const names = [...all];
    state.tokens = state.tokens.flatMap((token, index, tokens) => {
      const isFirstStep = token.type === 'paragraph_open' && tokens[index + 1]?.content.startsWith('**1. ');
      const isBelowHeading = tokens[index - 1]?.type === 'heading_close' && tokens[index - 2]?.content === PLAY;
      const name = isFirstStep || isBelowHeading ? names.shift() : undefined;
      if (name === undefined) return token;
      const content = `<PlayIt name="${name}" names="${all.join(' ')}" />\n`;
      return [Object.assign(new state.Token('html_block', '', 0), { content }), token];
    });
  });
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
