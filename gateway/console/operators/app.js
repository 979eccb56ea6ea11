/** The operators' console: its pages, and the parts of its header. */
import { tellUnknown } from '../shared/changes.js';
import { openConsole } from '../shared/frame.js';
import { Search } from '../shared/search.js';
import { html } from '../shared/view.js';
import { Channels } from './channels.js';
import { Exceptions } from './exceptions.js';
import { LedgerPage, MerchantPage, Merchants } from './merchants.js';
import { Overview } from './overview.js';
import { ProposalPage, Proposals } from './proposals.js';
import { PAGES as FOUND, Record } from './record.js';
import { Settlements } from './settlement.js';
import { Transaction } from './transaction.js';
import { COLUMNS, TransactionList } from './transaction-list.js';
import { Stopped, WebhookPage, Webhooks } from './webhooks.js';

/** @type {Record<string, import('../shared/frame.js').PageFunction>} */
const PAGES = {
  '': () => html`<${Overview} />`,
  payments: (id, filters) =>
    id
      ? html`<${Transaction} key=${id} kind="payment" id=${id} />`
      : html`<${TransactionList} key="payments" kind="payment" filters=${filters} />`,
  payouts: (id, filters) =>
    id
      ? html`<${Transaction} key=${id} kind="payout" id=${id} />`
      : html`<${TransactionList} key="payouts" kind="payout" filters=${filters} />`,
  events: (id, filters) =>
    id ? html`<${WebhookPage} key=${id} id=${id} />` : html`<${Webhooks} filters=${filters} />`,
  stopped: (_id, filters) => html`<${Stopped} filters=${filters} />`,
  merchants: (id, filters, currency) => {
    if (id && currency) return html`<${LedgerPage} id=${id} currency=${currency} filters=${filters} />`;
    return id ? html`<${MerchantPage} key=${id} id=${id} />` : html`<${Merchants} filters=${filters} />`;
  },
  channels: () => html`<${Channels} />`,
  exceptions: (_id, filters) => html`<${Exceptions} filters=${filters} />`,
  proposals: (id, filters) =>
    id ? html`<${ProposalPage} key=${id} id=${id} />` : html`<${Proposals} filters=${filters} />`,
  settlement: (_id, filters) => html`<${Settlements} filters=${filters} />`,
  changes: (_id, filters) => html`<${Record} filters=${filters} />`,
  search: (_id, filters) =>
    html`<${Search} filters=${filters} api="" found=${FOUND} columns=${COLUMNS} hint="Whole IDs open their pages." />`,
};

function Lead() {
  return html`<span class="chip" title="This console changes nothing. It shows the commands that do.">Read-only</span>`;
}

function Trail() {
  return html`<button type="button" class="plain" onClick=${tellUnknown}>Refresh</button>`;
}

// No stream reports changes to this console, so it reads again when its window regains focus.
document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && tellUnknown());
openConsole({
  name: 'Operators',
  navigation: [
    ['', 'Overview', 'o'],
    ['payments', 'Payments', 'p'],
    ['payouts', 'Payouts', 'u'],
    ['events', 'Webhooks', 'w'],
    ['merchants', 'Merchants', 'm'],
    ['channels', 'Channels', 'c'],
    ['proposals', 'Proposals', 'a'],
    ['settlement', 'Settlement', 's'],
    ['changes', 'Changes', 'r'],
  ],
  pages: PAGES,
  found: FOUND,
  Lead,
  Trail,
});
