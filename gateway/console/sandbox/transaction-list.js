/** Lists of the merchant's payments and payouts. */
import { useResource } from '../shared/resource.js';
import { Transactions } from '../shared/transactions.js';
import { html } from '../shared/view.js';

/** @param {{ kind: import('../shared/contract-facts.js').Kind, filters: Record<string, string> }} props */
export function TransactionList({ kind, filters }) {
  /** @type {import('../shared/resource.js').Resource<{ data: { kind: string, method: string }[] }>} */
  const channels = useResource('/sandbox/channels');
  const methods = channels.data?.data.filter((one) => one.kind === kind).map(({ method }) => method) ?? [];
  const create = `#/explorer/${kind === 'payment' ? 'createPayment' : 'createPayout'}`;
  const empty = html`Create one with the API, in the <a href=${create}>explorer</a>, or from the <a href="#/sandbox/test-data">test data</a>.`;
  return html`<${Transactions} kind=${kind} filters=${filters} api="/sandbox" methods=${methods} empty=${empty}>
    <a class="button" href=${create}>Create ${kind}</a>
  </${Transactions}>`;
}
