/** The entries of a wallet, with the balance after each. */
import { money, words } from './format.js';
import { Empty, Loaded, Time } from './parts.js';
import { useResource } from './resource.js';
import { transactionHref } from './router.js';
import { Pager, Table } from './table.js';
import { html } from './view.js';

/** @typedef {import('../../../generated/management/types.ts').LedgerEntry} LedgerEntry */

/**
 * @param {{ path: string, currency: string, changes?: string[], empty?: import('./view.js').Children }} props
 *   `path` is the address of the page, and `empty` says how the first entry comes
 */
export function Entries({ path, currency, changes, empty }) {
  /** @type {import('./resource.js').Resource<{ data: LedgerEntry[], next_cursor?: string }>} */
  const resource = useResource(path, changes);
  return html`<section class="card flush" aria-label="Entries">
      <${Loaded} resource=${resource}>${(/** @type {any} */ page) => html`
        <${Table} label=${`Entries in ${currency}`} rows=${page.data} columns=${columns(currency)}
          empty=${html`<${Empty} title=${`No entries in ${currency}`}>${empty}</${Empty}>`} />
        <${Pager} next=${page.next_cursor} />`}</${Loaded}>
    </section>`;
}

/** @param {string} currency @returns {import('./table.js').Column[]} */
function columns(currency) {
  /** @param {'available' | 'pending' | 'reserved'} account @returns {import('./table.js').Column} */
  const balance = (account) => ({
    name: words(account),
    of: (row) => money(row.balance[account], currency),
    right: true,
    short: true,
    wide: true,
  });
  return [
    {
      name: 'Entry',
      of: (row) => html`${words(row.reason)}<span class="quiet small wide"> ${row.from} → ${row.to}</span>`,
      short: true,
    },
    { name: 'Amount', of: (row) => money(row.amount, currency), right: true, short: true },
    {
      name: 'Transaction',
      of: (row) =>
        row.transaction_id &&
        html`<a class="mono" href=${transactionHref(row.transaction_id)}>${row.transaction_id}</a>`,
      wide: true,
      clip: true,
    },
    balance('available'),
    balance('pending'),
    balance('reserved'),
    { name: 'At', of: (row) => html`<${Time} at=${row.at} />`, right: true, short: true, wide: true },
  ];
}
