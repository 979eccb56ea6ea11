/** The operators' console: its pages, and the parts of its header. */
import { tellUnknown } from '../shared/changes.js';
import { openConsole } from '../shared/frame.js';
import { Search } from '../shared/search.js';
import { html } from '../shared/view.js';
import { Transaction } from './transaction.js';
import { COLUMNS, TransactionList } from './transaction-list.js';

/** @type {Record<string, string>} */
const FOUND = { pay_: 'payments', out_: 'payouts' };

/** @type {Record<string, import('../shared/frame.js').PageFunction>} */
const PAGES = {
  '': (_id, filters) => html`<${TransactionList} key="payments" kind="payment" filters=${filters} />`,
  payments: (id, filters) =>
    id
      ? html`<${Transaction} key=${id} kind="payment" id=${id} />`
      : html`<${TransactionList} key="payments" kind="payment" filters=${filters} />`,
  payouts: (id, filters) =>
    id
      ? html`<${Transaction} key=${id} kind="payout" id=${id} />`
      : html`<${TransactionList} key="payouts" kind="payout" filters=${filters} />`,
  search: (_id, filters) =>
    html`<${Search} filters=${filters} api="" found=${FOUND} columns=${COLUMNS} hint="Whole IDs open their pages." />`,
};

function Lead() {
  return html`<span class="chip" title="This console changes nothing. It shows the commands that do.">Read-only</span>`;
}

function Trail() {
  return html`<button type="button" class="plain" onClick=${tellUnknown}>Refresh</button>`;
}

// Nothing reports changes to this console: what was read may be old when somebody returns to it.
document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && tellUnknown());
openConsole({
  name: 'Operators',
  navigation: [
    ['payments', 'Payments', 'p'],
    ['payouts', 'Payouts', 'u'],
  ],
  pages: PAGES,
  found: FOUND,
  Lead,
  Trail,
});
