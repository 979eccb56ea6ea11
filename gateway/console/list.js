/** Lists: filters, tables with a link in each row, pages, and CSV files. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { call, query, session } from './api.js';
import { announce, Empty, html, IdLink, Loaded, Time } from './components.js';
import { count } from './format.js';
import { useAction } from './resource.js';
import { currentRoute, href, useRestoredRow } from './router.js';

/**
 * @typedef {import('./components.js').Children} Children
 * @typedef {{ name: string, cell: (row: any) => Children, wide?: boolean, right?: boolean, short?: boolean,
 *   clip?: boolean }} Column All but the first and one other are `wide`: separate lines in narrow windows. `short` ones
 *   never break, and `clip` ones share the rest of the width. The first column is the link to the row.
 * @typedef {{ name: string, label: string, options?: readonly (string | [value: string, label: string])[], all?: string,
 *   type?: 'search' | 'date' | 'datetime-local', fallback?: string }} FilterField `options` are the known values, `all` is the
 *   name of no choice, and `fallback` the value that is shown without one. Times are in UTC.
 * @typedef {{ data: any[], next_cursor?: string, total?: number }} Page
 */

/** The column and the filter that operators have in lists of all merchants. @type {Column} */
export const MERCHANT = {
  name: 'Merchant',
  cell: (row) => html`<a class="plainlink" href=${href(['merchants', String(row.merchant_id)])}>${row.merchant_id}</a>`,
  short: true,
  wide: true,
};

/** @type {Column} */
export const TRANSACTION = {
  name: 'Transaction',
  cell: (row) => row.transaction_id && html`<${IdLink} id=${row.transaction_id} />`,
  wide: true,
  clip: true,
};

/** @param {string} name @param {(row: any) => string} read @returns {Column} */
export function timeColumn(name, read) {
  return { name, cell: (row) => html`<${Time} at=${read(row)} />`, right: true, short: true, wide: true };
}

/** @type {FilterField[]} */
export const MERCHANT_FILTER = session.operator ? [{ name: 'merchant_id', label: 'Merchant' }] : [];

/** @type {FilterField[]} */
export const CREATED_FILTERS = [
  { name: 'since', label: 'From (UTC)', type: 'datetime-local' },
  { name: 'before', label: 'Before (UTC)', type: 'datetime-local' },
];

/** Adds the merchant to the columns of a list, for operators. @param {Column[]} columns */
export function withMerchant(columns) {
  return session.operator ? columns.toSpliced(2, 0, MERCHANT) : columns;
}

/** A time of an address, such as `2026-11-25T14:30`, as the API takes it. @param {string | undefined} minute */
export function toTimestamp(minute) {
  return minute && `${minute.slice(0, 16)}:00Z`;
}

/** The API's parameters for the filters of an address. @param {Record<string, string>} filters */
export function toParameters({ since, before, ...others }) {
  return { ...others, created_from: toTimestamp(since), created_before: toTimestamp(before) };
}

/** @param {Column} column */
function listClasses({ wide, right, short, clip }) {
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
  useRestoredRow(table);
  return html`<table ref=${table} role="table">
    <caption class="unseen">${label}</caption>
    <thead role="rowgroup"><tr role="row">${columns.map((column) => html`<th scope="col" role="columnheader" class=${listClasses(column)}>${column.name}</th>`)}</tr></thead>
    <tbody role="rowgroup">${rows.map((row, position) => {
      const address = to?.(row);
      return html`<tr role="row" key=${row.id ?? row.transaction_id ?? position} class=${address && 'linked'}>
        ${columns.map((column, index) => html`<${Cell} key=${column.name} column=${column} address=${index === 0 ? address : undefined} content=${column.cell(row)} />`)}
      </tr>`;
    })}</tbody>
  </table>`;
}

/** @param {{ column: Column, address: string | undefined, content: Children }} props */
function Cell({ column, address, content }) {
  const isEmpty = content === undefined || content === '' || content === false;
  const title = column.clip && typeof content === 'string' ? content : undefined;
  return html`<td role="cell" class=${`${listClasses(column) ?? ''}${isEmpty ? ' none' : ''}`} title=${title} data-label=${column.name}>
    ${address ? html`<a class="row" href=${address}>${content}</a>` : content}
  </td>`;
}

/**
 * A page of a list, with links to the others.
 * @param {import('./components.js').Source & { label: string, columns: Column[], to?: (row: any) => string | undefined,
 *   rows?: (page: Page) => any[], none?: string, children?: Children }} props `none` is the title of a list without entries,
 *   and the children say how the first entry appears
 */
export function List({ label, columns, to, rows = ({ data }) => data, none, children, ...source }) {
  const { path, query: filters, hash } = currentRoute();
  const { cursor, ...others } = filters;
  const noun = label.toLowerCase();
  const isFiltered = Object.keys(others).length > 0;
  const empty = isFiltered
    ? html`<${Empty} title=${`No ${noun} match`}>Change the filters, or <a href=${href(path)}>clear them</a>.</${Empty}>`
    : html`<${Empty} title=${none ?? `No ${noun} yet`}>${children}</${Empty}>`;
  return html`<section class="card flush" aria-label=${label}>
    <${Loaded} ...${source}>${(/** @type {Page} */ page) => html`
      <${Table} key=${hash} label=${label} columns=${columns} rows=${rows(page)} to=${to} empty=${empty} />
      ${
        (page.next_cursor || cursor) &&
        html`<nav class="pager" aria-label="Pages">
          <span>${cursor && html`<a href=${href(path, others)}>← Newest</a>`}</span>
          <span>${page.next_cursor && html`<a href=${href(path, { ...others, cursor: page.next_cursor })}>Older →</a>`}</span>
        </nav>`
      }`}</${Loaded}>
  </section>`;
}

/** Fields that filter a list. The address contains their values. @param {{ fields: FilterField[] }} props */
export function Filters({ fields }) {
  const { path, query: current } = currentRoute();
  /** @param {Event} event */
  const apply = (event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.currentTarget);
    const values = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value).trim()]));
    const { cursor: _, ...others } = current;
    location.hash = href(path, { ...others, ...values });
  };
  // A time field fires a change for each typed part.
  /** @param {any} event */
  const change = (event) => !isTime(event.target) && apply(event);
  /** @param {any} event */
  const leave = (event) =>
    isTime(event.target) && event.target.value !== (current[event.target.name] ?? '') && apply(event);
  const isFiltered = fields.some(({ name }) => current[name]);
  return html`<form class="filters" role="search" aria-label="Filters" onSubmit=${apply} onChange=${change} onFocusOut=${leave}>
    ${fields.map(
      (field) =>
        html`<label key=${field.name} class="field"><span>${field.label}</span><${FilterControl} field=${field} value=${current[field.name] ?? field.fallback ?? ''} /></label>`,
    )}
    ${isFiltered && html`<a class="button" href=${href(path)}>Clear</a>`}
  </form>`;
}

/** @param {HTMLInputElement} input */
function isTime({ type }) {
  return type.startsWith('date');
}

/** @param {{ field: FilterField, value: string }} props */
function FilterControl({ field: { name, options, all = 'All', type = 'search' }, value }) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  // The text stays while the list reloads.
  if (!options)
    return html`<input type=${type} name=${name} value=${text} autocomplete="off" spellcheck=${false} onInput=${(/** @type {any} */ event) => setText(event.target.value)} />`;
  const known = options.map((one) => (typeof one === 'string' ? [one, one] : one));
  // An unknown value in the address filters, too.
  const shown = value === '' || known.some(([one]) => one === value) ? known : [...known, [value, value]];
  return html`<select name=${name} value=${value}>
    <option value="">${all}</option>
    ${shown.map(([one, label]) => html`<option key=${one} value=${one} selected=${value === one}>${label}</option>`)}
  </select>`;
}

const DOWNLOADED_PAGE = 200;
/** For more rows there is `payments-gateway export`. */
const ROWS_MAX = 10_000;

/** Text that a spreadsheet would evaluate. An integer, such as a negative sum, is harmless. */
const FORMULA = /^(?!-\d+$)[=+\-@\t\r]/;

/** @param {unknown} value */
function toCell(value) {
  if (typeof value !== 'string') return value === undefined ? '' : String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Downloads the filtered list as a CSV file (RFC 4180), in the format of `payments-gateway export`.
 * @param {{ path: string, parameters: Record<string, string | undefined>, columns: string[], name: string }} props
 */
export function Download({ path, parameters, columns, name }) {
  const action = useAction(async () => {
    /** @type {Record<string, unknown>[]} */
    const rows = [];
    let cursor;
    do {
      const page = await call('GET', `${path}${query({ ...parameters, limit: DOWNLOADED_PAGE, cursor })}`);
      rows.push(...page.data);
      cursor = page.next_cursor;
    } while (cursor && rows.length < ROWS_MAX);
    const lines = [columns, ...rows.slice(0, ROWS_MAX).map((row) => columns.map((column) => row[column]))];
    save(`${name}.csv`, lines.map((values) => `${values.map(toCell).join(',')}\r\n`).join(''));
    announce(
      cursor ? `Downloaded the newest ${count(ROWS_MAX)} rows. There are more.` : `Downloaded ${rows.length} rows`,
    );
  });
  return html`<button type="button" disabled=${action.busy} onClick=${action.run}>${action.busy ? 'Collecting…' : 'CSV'}</button>
    ${action.error && html`<span role="alert" class="small">The list can't be read: ${action.error.message}</span>`}`;
}

/** @param {string} name @param {string} text */
function save(name, text) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
