/** Lists: one page of rows, newest first, with the address of each row's own page. */
import { useEffect, useState } from 'preact/hooks';
import { currentRoute, href } from './router.js';
import { html } from './view.js';

/**
 * @typedef {import('./view.js').Children} Children
 * @typedef {{ name: string, of: (row: any) => Children, wide?: boolean, right?: boolean, short?: boolean,
 *   clip?: boolean }} Column `wide` columns are left out on phones, `short` ones never break, and `clip` ones share the rest
 *   of the width. The first column is the link to the row.
 */

/** @param {Column} column */
function classOf({ wide, right, short, clip }) {
  return (
    [wide && 'wide', right && 'right number', short && 'short', clip && 'clip'].filter(Boolean).join(' ') || undefined
  );
}

/** @param {{ label: string, columns: Column[], rows: any[], to?: (row: any) => string | undefined, empty: Children }} props */
export function Table({ label, columns, rows, to, empty }) {
  if (rows.length === 0) return empty;
  return html`<table>
    <caption class="unseen">${label}</caption>
    <thead><tr>${columns.map((column) => html`<th scope="col" class=${classOf(column)}>${column.name}</th>`)}</tr></thead>
    <tbody>${rows.map((row) => {
      const address = to?.(row);
      return html`<tr key=${row.transaction_id ?? row.id} class=${address && 'linked'}>
        ${columns.map((column, index) => {
          const content = column.of(row);
          return html`<td class=${classOf(column)} title=${column.clip && typeof content === 'string' ? content : undefined}>${address && index === 0 ? html`<a class="row" href=${address}>${content}</a>` : content}</td>`;
        })}
      </tr>`;
    })}</tbody>
  </table>`;
}

/** Links to the newest page and to the next one. @param {{ next: string | undefined }} props */
export function Pager({ next }) {
  const { path, query } = currentRoute();
  const { cursor, ...filters } = query;
  if (!next && !cursor) return null;
  return html`<nav class="pager" aria-label="Pages">
    <span>${cursor && html`<a href=${href(path, filters)}>← Newest</a>`}</span>
    <span>${next && html`<a href=${href(path, { ...filters, cursor: next })}>Older →</a>`}</span>
  </nav>`;
}

/** A text filter. Its input stays while the list is read again. @param {{ name: string, value: string }} props */
function FilterText({ name, value }) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  return html`<input type="search" name=${name} value=${text} autocomplete="off" spellcheck=${false} onInput=${(/** @type {any} */ event) => setText(event.target.value)} />`;
}

/**
 * Fields that filter a list; what they contain is part of the address.
 * @param {{ fields: { name: string, label: string, options?: string[] }[] }} props
 */
export function Filters({ fields }) {
  const { path, query } = currentRoute();
  /** @param {Event} event */
  const apply = (event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.currentTarget);
    const values = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value).trim()]));
    const { cursor: _, ...others } = query;
    location.hash = href(path, { ...others, ...values });
  };
  const filtered = fields.some(({ name }) => query[name]);
  return html`<form class="filters" role="search" aria-label="Filters" onSubmit=${apply} onChange=${apply}>
    ${fields.map(
      ({ name, label, options }) =>
        html`<label class="field"><span>${label}</span>${
          options
            ? html`<select name=${name} value=${query[name] ?? ''}>
              <option value="">All</option>
              ${options.map((option) => html`<option value=${option} selected=${query[name] === option}>${option}</option>`)}
            </select>`
            : html`<${FilterText} name=${name} value=${query[name] ?? ''} />`
        }</label>`,
    )}
    ${filtered && html`<a class="button" href=${href(path)}>Clear</a>`}
  </form>`;
}
