/** Transactions whose channel contradicts how they have ended. */
import { query } from '../shared/api.js';
import { money, words } from '../shared/format.js';
import { Empty, Head, Loaded, Status, Time } from '../shared/parts.js';
import { useResource } from '../shared/resource.js';
import { transactionHref } from '../shared/router.js';
import { Pager, Table } from '../shared/table.js';
import { html } from '../shared/view.js';
import { MERCHANT } from './transaction-list.js';

/**
 * @typedef {import('../../../generated/management/types.ts').ExceptionalTransaction} Exceptional
 * @typedef {import('../../../generated/management/types.ts').Exception} Exception
 */

/** A result of the channel in a few words. @param {Exception} exception @param {string} currency */
export function describeResult({ result, amount, decline_reason: reason }, currency) {
  return result === 'succeeded' ? `Succeeded: ${money(amount, currency)}` : `Declined${reason ? `: ${reason}` : ''}`;
}

/** @type {import('../shared/table.js').Column[]} */
const COLUMNS = [
  { name: 'Ended', of: (row) => html`<${Status} value=${row.status} />`, short: true },
  { name: 'The channel says', of: (row) => describeResult(row.exceptions.at(-1), row.currency) },
  {
    name: 'To book',
    of: (row) => row.correction && `${words(row.correction.direction)} ${money(row.correction.amount, row.currency)}`,
    short: true,
  },
  MERCHANT,
  { name: 'Transaction', of: (row) => html`<span class="mono">${row.transaction_id}</span>`, wide: true, clip: true },
  { name: 'Since', of: (row) => html`<${Time} at=${row.exceptions[0].at} />`, right: true, short: true, wide: true },
];

/** @param {{ rows: Exceptional[] }} props */
export function ExceptionTable({ rows }) {
  return html`<${Table} label="Exceptions" rows=${rows} columns=${COLUMNS} to=${(/** @type {Exceptional} */ row) => transactionHref(row.transaction_id)}
    empty=${html`<${Empty} title="No exception is open">A result of a channel that contradicts how a transaction has ended appears here.</${Empty}>`} />`;
}

/** @param {{ filters: Record<string, string> }} props */
export function Exceptions({ filters }) {
  /** @type {import('../shared/resource.js').Resource<import('../../../generated/management/types.ts').ExceptionList>} */
  const resource = useResource(`/exceptions${query(filters)}`);
  return html`<${Head} title="Exceptions" />
    <section class="card flush" aria-label="Exceptions">
      <${Loaded} resource=${resource}>${(/** @type {{ data: Exceptional[], next_cursor?: string }} */ page) => html`
        <${ExceptionTable} rows=${page.data} /><${Pager} next=${page.next_cursor} />`}</${Loaded}>
    </section>`;
}
