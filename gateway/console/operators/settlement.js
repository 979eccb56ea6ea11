/** The settlement of a day: each wallet with its movements. */
import { query } from '../shared/api.js';
import { Download } from '../shared/csv.js';
import { money, words } from '../shared/format.js';
import { Empty, Head, Loaded } from '../shared/parts.js';
import { useResource } from '../shared/resource.js';
import { Filters, Pager, Table } from '../shared/table.js';
import { html } from '../shared/view.js';
import { facts } from './admin-facts.js';
import { MERCHANT, MERCHANT_FILTER } from './transaction-list.js';

/** @typedef {import('../../../generated/management/types.ts').Settlement} Settlement */

const DAY_MS = 86_400_000;

/** The amounts whose names begin so, but zero. @param {string} prefix @returns {import('../shared/table.js').Column['of']} */
const amounts = (prefix) => (row) => {
  const names = facts.settlement.filter((name) => name.startsWith(prefix) && row[name] !== '0');
  if (names.length === 0) return html`<span class="quiet">None</span>`;
  return html`<ul>${names.map((name) => html`<li key=${name}>${words(name.slice(prefix.length))} <span class="number">${money(row[name], row.currency)}</span></li>`)}</ul>`;
};

/** @type {import('../shared/table.js').Column[]} */
const COLUMNS = [
  { name: 'Wallet', of: (row) => row.currency, short: true },
  { ...MERCHANT, wide: false },
  { name: 'At the beginning', of: amounts('opening_'), wide: true },
  { name: 'Moved', of: amounts('moved_'), wide: true },
  { name: 'At the end', of: amounts('closing_'), wide: true },
];

/** @param {{ filters: Record<string, string> }} props */
export function Settlements({ filters }) {
  const { date = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10), ...others } = filters;
  const wanted = { ...others, date };
  /** @type {import('../shared/resource.js').Resource<import('../../../generated/management/types.ts').SettlementList>} */
  const resource = useResource(`/settlements${query(wanted)}`);
  return html`<${Head} title="Settlement" beside=${html`<span class="quiet number">${date}, UTC</span>`}>
      <${Download} path="/settlements" filters=${{ date, merchant_id: others['merchant_id'] }} columns=${facts.settlement} name=${`settlement-${date}`} />
    </${Head}>
    <${Filters} fields=${[{ name: 'date', label: 'Day (UTC)', type: 'date', fallback: date }, MERCHANT_FILTER]} />
    <section class="card flush" aria-label="Wallets">
      <${Loaded} resource=${resource}>${(/** @type {{ data: Settlement[], next_cursor?: string }} */ page) => html`
        <${Table} label="Wallets" rows=${page.data.map((row) => ({ ...row, id: `${row.merchant_id} ${row.currency}` }))} columns=${COLUMNS}
          empty=${html`<${Empty} title="No wallets">A merchant has a wallet for each of its currencies.</${Empty}>`} />
        <${Pager} next=${page.next_cursor} />`}</${Loaded}>
    </section>`;
}
