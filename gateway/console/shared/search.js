/** One search over payments and payouts by their ids, orders and customers; ids of events and requests lead there. */
import { query } from './api.js';
import { count } from './format.js';
import { Empty, Head, Loaded } from './parts.js';
import { useResource } from './resource.js';
import { go, href } from './router.js';
import { Table } from './table.js';
import { COLUMNS } from './transactions.js';
import { html } from './view.js';

/** Rows of each kind. */
const SHOWN = 10;

/** Field that starts a search from every page. @param {{ text: string, found: Record<string, string> }} props */
export function SearchField({ text, found }) {
  /** @param {any} event */
  const search = (event) => {
    event.preventDefault();
    const wanted = event.currentTarget.elements.search.value.trim();
    const folder = found[wanted.slice(0, 4)];
    if (wanted !== '') go(folder ? href([folder, wanted]) : href(['search'], { search: wanted }));
  };
  return html`<form class="search" role="search" aria-label="Search" onSubmit=${search}>
    <input type="search" name="search" aria-label="ID, order or customer" placeholder="ID, order or customer" autocomplete="off" spellcheck=${false} value=${text} />
  </form>`;
}

/**
 * `found` are pages by the beginning of their ids, which `hint` says.
 * @param {{ filters: Record<string, string>, api: string, found: Record<string, string>, hint: string,
 *   columns?: import('./table.js').Column[] }} props
 */
export function Search({ filters, api, found, hint, columns = COLUMNS }) {
  const text = filters['search'] ?? '';
  return html`<${Head} title="Search" />
    <div class="narrowonly"><${SearchField} text=${text} found=${found} /></div>
    ${
      text === ''
        ? html`<${Empty} title="Search payments and payouts">By a part of an ID, of an order or of a customer. ${hint}</${Empty}>`
        : ['payment', 'payout'].map(
            (kind) =>
              html`<${Found} key=${`${kind} ${text}`} kind=${kind} text=${text} api=${api} columns=${columns} />`,
          )
    }`;
}

/** @param {{ kind: string, text: string, api: string, columns: import('./table.js').Column[] }} props */
function Found({ kind, text, api, columns }) {
  /** @type {import('./resource.js').Resource<import('./transactions.js').Page>} */
  const resource = useResource(`${api}/${kind}s${query({ search: text, limit: SHOWN, count: 'true' })}`, [
    'transaction',
  ]);
  const title = kind === 'payment' ? 'Payments' : 'Payouts';
  return html`<section class="card flush" aria-labelledby=${`found-${kind}s`}>
    <${Loaded} resource=${resource}>${(/** @type {import('./transactions.js').Page} */ { data, total = 0 }) => html`
      <div class="cardhead"><h2 id=${`found-${kind}s`}>${title} <span class="quiet number">${count(total)}</span></h2>${total > data.length && html`<a href=${href([`${kind}s`], { search: text })}>All ${kind}s that match</a>`}</div>
      <${Table} label=${title} rows=${data} columns=${columns} to=${(/** @type {any} */ row) => href([`${kind}s`, row.transaction_id])}
        empty=${html`<${Empty} title=${`No ${kind}s match`}>No ID, order or customer contains “${text}”.</${Empty}>`} />`}</${Loaded}>
  </section>`;
}
