/** Lists as CSV files (RFC 4180), in the format of `payments-gateway export`. */
import { announce } from './announce.js';
import { call, query } from './api.js';
import { useAction } from './resource.js';
import { html } from './view.js';

const PAGE = 200;
/** More rows than this are for `payments-gateway export`. */
const ROWS_MAX = 10_000;

/** Texts that a spreadsheet would compute. An integer, such as a negative sum, is none. */
const FORMULA = /^(?!-\d+$)[=+\-@\t\r]/;

/** @param {unknown} value */
function cell(value) {
  if (typeof value !== 'string') return value === undefined ? '' : String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** @param {string[]} columns @param {Record<string, unknown>[]} rows */
export function csv(columns, rows) {
  const lines = [columns, ...rows.map((row) => columns.map((name) => row[name]))];
  return lines.map((values) => `${values.map(cell).join(',')}\r\n`).join('');
}

/**
 * Downloads all pages of a list that the filters select.
 * @param {{ path: string, filters: Record<string, string | undefined>, columns: string[], name: string }} props
 */
export function Download({ path, filters, columns, name }) {
  const action = useAction(async () => {
    /** @type {Record<string, unknown>[]} */
    const rows = [];
    let cursor;
    do {
      const page = await call('GET', `${path}${query({ ...filters, limit: PAGE, cursor })}`);
      rows.push(...page.data);
      cursor = page.next_cursor;
    } while (cursor && rows.length < ROWS_MAX);
    save(`${name}.csv`, csv(columns, rows.slice(0, ROWS_MAX)));
    announce(
      cursor
        ? `Downloaded the newest ${ROWS_MAX.toLocaleString('en')} rows. There are more.`
        : `Downloaded ${rows.length} rows`,
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
