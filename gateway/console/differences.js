/** Transactions of which the ledger and a channel's statements differ. */
import { apiPath, query } from './api.js';
import { Head, html, Person, Status, Time } from './components.js';
import { useEnum } from './documents.js';
import { duration, words } from './format.js';
import { Action } from './forms.js';
import { Filters, List, MERCHANT } from './list.js';
import { useResource } from './resource.js';
import { idHref } from './router.js';

/** @typedef {import('../../generated/management/types.ts').Difference} Difference */

/** @type {import('./list.js').Column[]} */
const COLUMNS = [
  { name: 'Transaction', cell: (row) => html`<span class="mono">${row.transaction_id}</span>` },
  { name: 'Kind', cell: (row) => html`<${Status} value=${words(row.kind)} tone="warn" />`, short: true },
  { name: 'Difference', cell: (row) => row.difference, wide: true },
  { ...MERCHANT, cell: (row) => row.merchant_id !== undefined && MERCHANT.cell(row) },
  { name: 'Channel', cell: (row) => row.channel, wide: true },
  { name: 'Method', cell: (row) => row.payment_method_type, wide: true, short: true },
  { name: 'Age', cell: (row) => html`<${Age} ...${row} />`, wide: true },
  { name: 'Actions', cell: (row) => row.state === 'open' && html`<${Accept} difference=${row} />`, wide: true },
];

/** How long it has been open, or how it was closed. @param {Difference} props */
function Age({ found_at: found, closed_at: closed, accepted_by: by, reason }) {
  if (closed === undefined) return html`<span title=${found}>${duration(Date.now() - Date.parse(found))}</span>`;
  return by ? html`<${Person} by=${{ name: by }} at=${closed} reason=${reason} />` : html`<${Time} at=${closed} />`;
}

/** @param {{ difference: Difference }} props */
function Accept({ difference: { id, transaction_id, difference } }) {
  return html`<${Action} id="acceptDifference" button="Accept" parameters=${{ difference_id: id }} about=${[
    ['Transaction', transaction_id],
    ['Difference', difference],
  ]} />`;
}

/** Lists the open differences unless the filters select others. @param {{ filters: Record<string, string> }} props */
export function Differences({ filters }) {
  /** @type {import('./resource.js').Resource<import('./list.js').Page>} */
  const resource = useResource(apiPath('differences') + query({ state: 'open', ...filters }));
  const closed = useEnum('DifferenceState').filter((state) => state !== 'open');
  return html`<${Head} title="Differences" />
    <${Filters} fields=${[
      { name: 'state', label: 'State', options: closed, all: 'open' },
      { name: 'channel', label: 'Channel' },
    ]} />
    <${List} resource=${resource} label="Differences" columns=${COLUMNS} none="No difference is open"
      to=${(/** @type {Difference} */ row) => row.merchant_id && idHref(row.transaction_id)}>The command <code>payments-gateway reconcile</code> imports a channel's statement, and finds what differs from the ledger.</${List}>`;
}
