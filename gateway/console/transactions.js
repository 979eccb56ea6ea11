/** Lists of payments and of payouts. */
import { query } from './api.js';
import { facts } from './contract-facts.js';
import { money } from './format.js';
import { Empty, Head, Loaded, Status, Time } from './parts.js';
import { useResource } from './resource.js';
import { href } from './router.js';
import { Filters, Pager, Table } from './table.js';
import { html } from './view.js';

/** @typedef {import('../../generated/sandbox/types.ts').TransactionSummary} Row */

/** @type {import('./table.js').Column[]} */
const COLUMNS = [
  {
    name: 'Amount',
    of: (row) =>
      html`<span class="number">${money(row.amount, row.currency)}</span><span class="narrowonly quiet small clipped">${row.merchant_order_id}</span>`,
    short: true,
  },
  {
    name: 'Status',
    of: (row) =>
      html`<${Status} value=${row.status} />${row.decline_reason && html` <span class="quiet small">${row.decline_reason}</span>`}`,
    short: true,
  },
  { name: 'Order', of: (row) => row.merchant_order_id, wide: true, clip: true },
  {
    name: 'Customer',
    of: (row) =>
      html`<a class="plainlink" title=${row.customer_id} href=${href([`${row.kind}s`], { customer_id: row.customer_id })}>${row.customer_id}</a>`,
    wide: true,
    clip: true,
  },
  { name: 'Method', of: (row) => row.payment_method_type, wide: true, short: true },
  { name: 'Created', of: (row) => html`<${Time} at=${row.created_at} />`, right: true, wide: true, short: true },
];

/** @param {{ kind: import('./contract-facts.js').Kind, filters: Record<string, string> }} props */
export function Transactions({ kind, filters }) {
  const { cursor, ...chosen } = filters;
  /** @type {import('./resource.js').Resource<{ data: Row[], next_cursor?: string }>} */
  const resource = useResource(`/sandbox/${kind}s${query({ ...filters })}`, cursor ? [] : ['transaction']);
  const channels = useResource('/sandbox/channels');
  const methods = /** @type {any} */ (channels.data)?.data.filter((/** @type {any} */ one) => one.kind === kind) ?? [];
  const title = kind === 'payment' ? 'Payments' : 'Payouts';
  const filtered = Object.values(chosen).some((value) => value !== '');
  return html`<${Head} title=${title}><a class="button" href=${`#/explorer/${kind === 'payment' ? 'createPayment' : 'createPayout'}`}>Create ${kind}</a></${Head}>
    <${Filters} fields=${[
      { name: 'status', label: 'Status', options: facts.statuses[kind] },
      { name: 'method', label: 'Method', options: methods.map((/** @type {any} */ one) => one.method) },
      { name: 'merchant_order_id', label: 'Order' },
      { name: 'customer_id', label: 'Customer' },
    ]} />
    <section class="card flush" aria-label=${title}>
      <${Loaded} resource=${resource}>${(/** @type {{ data: Row[], next_cursor?: string }} */ page) => html`
        <${Table} label=${title} rows=${page.data} columns=${COLUMNS} to=${(/** @type {Row} */ row) => href([`${kind}s`, row.transaction_id])}
          empty=${
            filtered
              ? html`<${Empty} title=${`No ${kind}s match`}>Change the filters, or <a href=${href([`${kind}s`])}>clear them</a>.</${Empty}>`
              : html`<${Empty} title=${`No ${kind}s yet`}>Create one with the API, in the <a href=${`#/explorer/${kind === 'payment' ? 'createPayment' : 'createPayout'}`}>explorer</a>, or from the <a href="#/sandbox/test-data">test data</a>.</${Empty}>`
          } />
        <${Pager} next=${page.next_cursor} />`}</${Loaded}>
    </section>`;
}
