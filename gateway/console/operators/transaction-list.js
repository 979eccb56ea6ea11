/** Lists of the payments and payouts of all merchants. */
import { useResource } from '../shared/resource.js';
import { href } from '../shared/router.js';
import { EXPORTED, COLUMNS as OF_MERCHANT, Transactions } from '../shared/transactions.js';
import { html } from '../shared/view.js';

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
  /** @type {import('../shared/resource.js').Resource<import('../../../generated/admin/types.ts').ChannelList>} */
  const channels = useResource('/channels');
  const methods = [...new Set(channels.data?.data.flatMap((one) => one.methods))];
  return html`<${Transactions} kind=${kind} filters=${filters} api="" methods=${methods} columns=${COLUMNS}
    exported=${['merchant_id', ...EXPORTED]} fields=${[MERCHANT_FILTER]} />`;
}
