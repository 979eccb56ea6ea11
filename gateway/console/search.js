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

/** Pages of what isn't searched, by the beginning of their ids. @type {Record<string, string>} */
const PAGES = { evt_: 'events', req_: 'requests' };

/** Field that starts a search from every page. @param {{ text: string }} props */
export function SearchField({ text }) {
  /** @param {any} event */
  const search = (event) => {
    event.preventDefault();
    const wanted = event.currentTarget.elements.search.value.trim();
    const folder = PAGES[wanted.slice(0, 4)];
    if (wanted !== '') go(folder ? href([folder, wanted]) : href(['search'], { search: wanted }));
  };
  return html`<form class="search" role="search" aria-label="Search" onSubmit=${search}>
    <input type="search" name="search" aria-label="ID, order or customer" placeholder="ID, order or customer" autocomplete="off" spellcheck=${false} value=${text} />
  </form>`;
}

/** @param {{ filters: Record<string, string> }} props */
export function Search({ filters }) {
  const text = filters['search'] ?? '';
  return html`<${Head} title="Search" />
    <div class="narrowonly"><${SearchField} text=${text} /></div>
    ${
      text === ''
        ? html`<${Empty} title="Search payments and payouts">By a part of an ID, of an order or of a customer. IDs of events and requests open their pages.</${Empty}>`
        : ['payment', 'payout'].map((kind) => html`<${Found} key=${`${kind} ${text}`} kind=${kind} text=${text} />`)
    }`;
}

/** @param {{ kind: string, text: string }} props */
function Found({ kind, text }) {
  /** @type {import('./resource.js').Resource<import('./transactions.js').Page>} */
  const resource = useResource(`/sandbox/${kind}s${query({ search: text, limit: SHOWN, count: 'true' })}`, [
    'transaction',
  ]);
  const title = kind === 'payment' ? 'Payments' : 'Payouts';
  return html`<section class="card flush" aria-labelledby=${`found-${kind}s`}>
    <${Loaded} resource=${resource}>${(/** @type {import('./transactions.js').Page} */ { data, total = 0 }) => html`
      <div class="cardhead"><h2 id=${`found-${kind}s`}>${title} <span class="quiet number">${count(total)}</span></h2>${total > data.length && html`<a href=${href([`${kind}s`], { search: text })}>All ${kind}s that match</a>`}</div>
      <${Table} label=${title} rows=${data} columns=${COLUMNS} to=${(/** @type {any} */ row) => href([`${kind}s`, row.transaction_id])}
        empty=${html`<${Empty} title=${`No ${kind}s match`}>No ID, order or customer contains “${text}”.</${Empty}>`} />`}</${Loaded}>
  </section>`;
}
