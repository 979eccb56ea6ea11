/** Lists of payments and of payouts. */
import { query } from './api.js';
import { facts } from './contract-facts.js';
import { Download } from './csv.js';
import { count, money } from './format.js';
import { Empty, Head, Loaded, Status, Time } from './parts.js';
import { useResource } from './resource.js';
import { href } from './router.js';
import { Filters, Pager, Table } from './table.js';
import { html } from './view.js';

/**
 * @typedef {import('../../../generated/management/types.ts').TransactionSummary} Row
 * @typedef {{ data: Row[], next_cursor?: string, total?: number }} Page
 */

/** @type {import('./table.js').Column[]} */
export const COLUMNS = [
  { name: 'Amount', of: (row) => html`<span class="number">${money(row.amount, row.currency)}</span>`, short: true },
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

/** Columns of the CSV file. */
export const EXPORTED = [
  ...['transaction_id', 'merchant_order_id', 'kind', 'status', 'decline_reason', 'amount', 'amount_paid', 'currency'],
  ...['payment_method_type', 'customer_id', 'created_at'],
];

/** At most this many are counted. */
const LIST_COUNT_MAX = 1_000;

/** A time of the address, such as `2026-11-25T14:30`, as the API takes it. @param {string | undefined} minute */
export function timeOf(minute) {
  return minute && `${minute.slice(0, 16)}:00Z`;
}

/**
 * `api` is the address of the API, `empty` says how the first one comes, and `fields` are filters in addition.
 * @param {{ kind: import('./contract-facts.js').Kind, filters: Record<string, string>, api: string, methods: string[],
 *   columns?: import('./table.js').Column[], exported?: string[], fields?: import('./table.js').FilterField[],
 *   empty?: import('./view.js').Children, children?: import('./view.js').Children }} props
 */
export function Transactions(props) {
  const { kind, filters, api, methods, columns = COLUMNS, exported = EXPORTED, fields = [], empty, children } = props;
  const { cursor, since, before, ...chosen } = filters;
  const wanted = { ...chosen, created_from: timeOf(since), created_before: timeOf(before) };
  const path = `${api}/${kind}s`;
  /** @type {import('./resource.js').Resource<Page>} */
  const resource = useResource(
    `${path}${query({ ...wanted, cursor, count: cursor ? undefined : 'true' })}`,
    cursor ? [] : ['transaction'],
  );
  const title = kind === 'payment' ? 'Payments' : 'Payouts';
  const filtered = Object.values({ ...chosen, since, before }).some(Boolean);
  const total = resource.data?.total;
  return html`<${Head} title=${title} beside=${total !== undefined && html`<span class="quiet number">${total >= LIST_COUNT_MAX ? `${count(LIST_COUNT_MAX)} or more` : count(total)}</span>`}>
      <${Download} path=${path} filters=${wanted} columns=${exported} name=${`${kind}s`} />
      ${children}
    </${Head}>
    <${Filters} fields=${[
      { name: 'search', label: 'ID, order or customer' },
      { name: 'status', label: 'Status', options: facts.statuses[kind] },
      { name: 'decline_reason', label: 'Decline reason', options: facts.declineReasons[kind] },
      { name: 'method', label: 'Method', options: methods },
      ...fields,
      // Links lead to these two.
      ...(chosen['customer_id'] ? [{ name: 'customer_id', label: 'Customer' }] : []),
      ...(chosen['merchant_order_id'] ? [{ name: 'merchant_order_id', label: 'Order' }] : []),
      { name: 'since', label: 'From (UTC)', type: 'datetime-local' },
      { name: 'before', label: 'Before (UTC)', type: 'datetime-local' },
    ]} />
    <section class="card flush" aria-label=${title}>
      <${Loaded} resource=${resource}>${(/** @type {Page} */ page) => html`
        <${Table} key=${query(filters)} label=${title} rows=${page.data} columns=${columns} to=${(/** @type {Row} */ row) => href([`${kind}s`, row.transaction_id])}
          empty=${
            filtered
              ? html`<${Empty} title=${`No ${kind}s match`}>Change the filters, or <a href=${href([`${kind}s`])}>clear them</a>.</${Empty}>`
              : html`<${Empty} title=${`No ${kind}s yet`}>${empty}</${Empty}>`
          } />
        <${Pager} next=${page.next_cursor} />`}</${Loaded}>
    </section>`;
}
