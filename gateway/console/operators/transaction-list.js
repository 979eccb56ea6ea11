/** Lists of the payments and payouts of all merchants. */
import { href } from '../shared/router.js';
import { EXPORTED, COLUMNS as OF_MERCHANT, Transactions } from '../shared/transactions.js';
import { html } from '../shared/view.js';
import { facts } from './admin-facts.js';

/** @type {import('../shared/table.js').Column} */
export const MERCHANT = {
  name: 'Merchant',
  of: (row) => html`<a class="plainlink" href=${href(['merchants', String(row.merchant_id)])}>${row.merchant_id}</a>`,
  short: true,
  wide: true,
};

/** @type {import('../shared/table.js').FilterField} */
export const MERCHANT_FILTER = { name: 'merchant_id', label: 'Merchant' };

/** The columns of a merchant's list, and which merchant it is. */
export const COLUMNS = OF_MERCHANT.toSpliced(2, 0, MERCHANT);

/** @param {{ kind: import('../shared/contract-facts.js').Kind, filters: Record<string, string> }} props */
export function TransactionList({ kind, filters }) {
  return html`<${Transactions} kind=${kind} filters=${filters} api="" methods=${facts.methods[kind]} columns=${COLUMNS}
    exported=${['merchant_id', ...EXPORTED]} fields=${[MERCHANT_FILTER]} />`;
}
