/** Lists of payments and payouts, failing transactions, and the search over both kinds. */
import { apiPath, canSimulate, facts, query, session } from './api.js';
import { Empty, Head, html, Loaded, Status } from './components.js';
import { count, money, words } from './format.js';
import { SearchField } from './frame.js';
import {
  CREATED_FILTERS,
  Download,
  Filters,
  List,
  MERCHANT_FILTER,
  Table,
  timeColumn,
  toParameters,
  withMerchant,
} from './list.js';
import { useResource } from './resource.js';
import { href, idHref } from './router.js';

/**
 * @typedef {import('./api.js').Kind} Kind
 * @typedef {import('./list.js').Column} Column
 * @typedef {import('./list.js').Page} Page
 */

/** @type {Column} */
const AMOUNT = {
  name: 'Amount',
  cell: (row) => html`<span class="number">${money(row.amount, row.currency)}</span>`,
  short: true,
};
/** @type {Column} */
const STATUS = {
  name: 'Status',
  cell: (row) =>
    html`<${Status} value=${row.status} />${row.decline_reason && html` <span class="quiet small">${row.decline_reason}</span>`}`,
  short: true,
};
const CREATED = timeColumn('Created', (row) => row.created_at);

const COLUMNS = withMerchant([
  AMOUNT,
  STATUS,
  { name: 'Order', cell: (row) => row.merchant_order_id, wide: true, clip: true },
  {
    name: 'Customer',
    cell: (row) =>
      html`<a class="plainlink" title=${row.customer_id} href=${href([`${row.kind}s`], { customer_id: row.customer_id })}>${row.customer_id}</a>`,
    wide: true,
    clip: true,
  },
  { name: 'Method', cell: (row) => row.payment_method_type, wide: true, short: true },
  CREATED,
]);

export const FAILING_COLUMNS = withMerchant([
  AMOUNT,
  STATUS,
  { name: 'Last error', cell: (row) => row.failing?.error ?? 'Stuck: no next step', wide: true },
  { name: 'Failures', cell: (row) => row.failing?.failures, right: true, wide: true, short: true },
  CREATED,
]);

const EXPORTED = [
  ...(session.operator ? ['merchant_id'] : []),
  ...['transaction_id', 'merchant_order_id', 'kind', 'status', 'decline_reason', 'amount', 'amount_paid', 'currency'],
  ...['payment_method_type', 'customer_id', 'created_at'],
];

/** More are not counted. */
const COUNT_MAX = 1_000;
/** Rows of each kind in search results. */
const FOUND = 10;

/** @param {{ kind: Kind, filters: Record<string, string> }} props */
export function Transactions({ kind, filters }) {
  const { cursor, ...chosen } = filters;
  const parameters = toParameters(chosen);
  const title = words(`${kind}s`);
  const path = apiPath(`${kind}s`);
  const wanted = query({ ...parameters, cursor, count: cursor ? undefined : 'true' });
  /** @type {import('./resource.js').Resource<Page>} */
  const resource = useResource(path + wanted, cursor ? [] : ['transaction']);
  const total = resource.data?.total;
  const create = `#/explorer/create${words(kind)}`;
  return html`<${Head} title=${title} beside=${total !== undefined && html`<span class="quiet number">${total >= COUNT_MAX ? `${count(COUNT_MAX)} or more` : count(total)}</span>`}>
      <${Download} path=${path} parameters=${parameters} columns=${EXPORTED} name=${`${kind}s`} />
      ${canSimulate && html`<a class="button" href=${create}>Create ${kind}</a>`}
    </${Head}>
    <${Filters} fields=${[
      { name: 'search', label: 'ID, order or customer' },
      { name: 'reference', label: 'Phone, account or bank reference' },
      { name: 'amount', label: 'Amount in minor units' },
      { name: 'status', label: 'Status', options: facts.statuses[kind] },
      { name: 'decline_reason', label: 'Decline reason', options: Object.keys(facts.declines[kind]) },
      { name: 'method', label: 'Method', options: facts.methods[kind] },
      ...MERCHANT_FILTER,
      // Links set these two.
      ...(chosen['customer_id'] ? [{ name: 'customer_id', label: 'Customer' }] : []),
      ...(chosen['merchant_order_id'] ? [{ name: 'merchant_order_id', label: 'Order' }] : []),
      ...CREATED_FILTERS,
    ]} />
    <${List} resource=${resource} label=${title} columns=${COLUMNS} to=${(/** @type {any} */ row) => href([`${kind}s`, row.transaction_id])}>
      ${canSimulate ? html`Create one with the API, in the <a href=${create}>explorer</a>, or from the <a href="#/sandbox/test-data">test data</a>.` : 'Merchants create them with the API.'}
    </${List}>`;
}

/** Transactions whose next step fails, and open ones without a next step. */
export function Failing() {
  return html`<${Head} title="Failing and stuck" />
    <${List} path=${apiPath('failing')} label="Failing transactions" columns=${FAILING_COLUMNS} none="No transaction is failing or stuck"
      to=${(/** @type {any} */ row) => idHref(row.transaction_id)}>Transactions whose next step fails, and those without a next step, appear here.</${List}>`;
}

/** @param {{ filters: Record<string, string> }} props */
export function Search({ filters }) {
  const text = filters['search'] ?? '';
  return html`<${Head} title="Search" />
    <div class="narrowonly"><${SearchField} text=${text} /></div>
    ${
      text === ''
        ? html`<${Empty} title="Search payments and payouts">By a part of an ID, of an order or of a customer. A whole ID opens its page, including those of events.</${Empty}>`
        : ['payment', 'payout'].map((kind) => html`<${Found} key=${`${kind} ${text}`} kind=${kind} text=${text} />`)
    }`;
}

/** @param {{ kind: string, text: string }} props */
function Found({ kind, text }) {
  const title = words(`${kind}s`);
  const found = query({ search: text, limit: FOUND, count: 'true' });
  const id = `found-${kind}s`;
  return html`<section class="card flush" aria-labelledby=${id}>
    <${Loaded} path=${apiPath(`${kind}s`) + found} live=${['transaction']}>${(
      /** @type {Page} */ { data, total = 0 },
    ) => html`
      <div class="cardhead"><h2 id=${id}>${title} <span class="quiet number">${count(total)}</span></h2>${total > data.length && html`<a href=${href([`${kind}s`], { search: text })}>All ${kind}s that match</a>`}</div>
      <${Table} label=${title} rows=${data} columns=${COLUMNS} to=${(/** @type {any} */ row) => href([`${kind}s`, row.transaction_id])}
        empty=${html`<${Empty} title=${`No ${kind}s match`}>No ID, order or customer contains “${text}”.</${Empty}>`} />`}</${Loaded}>
  </section>`;
}
