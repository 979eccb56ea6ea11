/** Lists: one page of rows, newest first, with the address of each row's own page. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { useReturn } from './places.js';
import { currentRoute, href } from './router.js';
import { html } from './view.js';

/**
 * @typedef {import('./view.js').Children} Children
 * @typedef {{ name: string, of: (row: any) => Children, wide?: boolean, right?: boolean, short?: boolean,
 *   clip?: boolean }} Column All but the first and one other are `wide`: lines of their own in narrow windows, `short` ones never break, and `clip` ones share
 *   the rest of the width. The first column is the link to the row.
 * @typedef {{ name: string, label: string, options?: readonly (string | [value: string, label: string])[], all?: string,
 *   type?: 'search' | 'date' | 'datetime-local', fallback?: string }} FilterField `options` are the known values, `all` is the name of no choice, and
 *   `fallback` the value that is shown without one. Times are in UTC.
 */

/** @param {Column} column */
function classOf({ wide, right, short, clip }) {
  return (
    [wide && 'wide', right && 'right number', short && 'short', clip && 'clip'].filter(Boolean).join(' ') || undefined
  );
}

/**
 * In narrow windows each row becomes a block with one line per column, except for the first two. Table roles are kept.
 * @param {{ label: string, columns: Column[], rows: any[], to?: (row: any) => string | undefined, empty: Children }} props
 */
export function Table({ label, columns, rows, to, empty }) {
  if (rows.length === 0) return empty;
  return html`<${Rows} label=${label} columns=${columns} rows=${rows} to=${to} />`;
}

/** @param {{ label: string, columns: Column[], rows: any[], to?: (row: any) => string | undefined }} props */
function Rows({ label, columns, rows, to }) {
  const table = useRef(/** @type {HTMLTableElement | null} */ (null));
  useReturn(table);
  return html`<table ref=${table} role="table">
    <caption class="unseen">${label}</caption>
    <thead role="rowgroup"><tr role="row">${columns.map((column) => html`<th scope="col" role="columnheader" class=${classOf(column)}>${column.name}</th>`)}</tr></thead>
    <tbody role="rowgroup">${rows.map((row) => {
      const address = to?.(row);
      return html`<tr role="row" key=${row.transaction_id ?? row.id} class=${address && 'linked'}>
        ${columns.map((column, index) => html`<${Cell} key=${column.name} column=${column} address=${index === 0 ? address : undefined} content=${column.of(row)} />`)}
      </tr>`;
    })}</tbody>
  </table>`;
}

/** @param {{ column: Column, address: string | undefined, content: Children }} props */
function Cell({ column, address, content }) {
  const isEmpty = content === undefined || content === '' || content === false;
  const title = column.clip && typeof content === 'string' ? content : undefined;
  return html`<td role="cell" class=${`${classOf(column) ?? ''}${isEmpty ? ' none' : ''}`} title=${title} data-label=${column.name}>
    ${address ? html`<a class="row" href=${address}>${content}</a>` : content}
  </td>`;
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

/**
 * A text filter. Its input persists while the list reloads. @param {{ name: string, value: string, type: string }}
 * props
 */
function FilterInput({ name, value, type }) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  return html`<input type=${type} name=${name} value=${text} autocomplete="off" spellcheck=${false} onInput=${(/** @type {any} */ event) => setText(event.target.value)} />`;
}

/**
 * Fields that filter a list; what they contain is part of the address.
 * @param {{ fields: FilterField[] }} props
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
  // A time input fires a change for each part typed.
  /** @param {any} event */
  const change = (event) => !isTime(event.target) && apply(event);
  /** @param {any} event */
  const leave = (event) =>
    isTime(event.target) && event.target.value !== (query[event.target.name] ?? '') && apply(event);
  const filtered = fields.some(({ name }) => query[name]);
  return html`<form class="filters" role="search" aria-label="Filters" onSubmit=${apply} onChange=${change} onFocusOut=${leave}>
    ${fields.map(
      (field) =>
        html`<label key=${field.name} class="field"><span>${field.label}</span><${FilterControl} field=${field} value=${query[field.name] ?? field.fallback ?? ''} /></label>`,
    )}
    ${filtered && html`<a class="button" href=${href(path)}>Clear</a>`}
  </form>`;
}

/** @param {HTMLInputElement} input */
function isTime({ type }) {
  return type.startsWith('date');
}

/** @param {{ field: FilterField, value: string }} props */
function FilterControl({ field: { name, options, all = 'All', type = 'search' }, value }) {
  if (!options) return html`<${FilterInput} type=${type} name=${name} value=${value} />`;
  const known = options.map((one) => (typeof one === 'string' ? [one, one] : one));
  // A value of the address that isn't known here filters, too.
  const shown = value === '' || known.some(([one]) => one === value) ? known : [...known, [value, value]];
  return html`<select name=${name} value=${value}>
    <option value="">${all}</option>
    ${shown.map(([one, label]) => html`<option key=${one} value=${one} selected=${value === one}>${label}</option>`)}
  </select>`;
}
