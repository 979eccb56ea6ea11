/** The console of a sandbox: its pages, and the parts of its header. */
import { openConsole } from '../shared/frame.js';
import { useResource } from '../shared/resource.js';
import { Search } from '../shared/search.js';
import { html } from '../shared/view.js';
import { deviation, RunningTime, useClock } from './clock.js';
import { EventPage, Events } from './events.js';
import { Explorer } from './explorer.js';
import { Ledger } from './ledger-page.js';
import { Overview } from './overview.js';
import { RequestPage, Requests } from './requests.js';
import { Sandbox } from './sandbox.js';
import { follow, useLive } from './stream.js';
import { Transaction } from './transaction.js';
import { TransactionList } from './transaction-list.js';

/** Ids of events and requests open their pages. */
const FOUND = { evt_: 'events', req_: 'requests' };

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
  events: (id, filters) => (id ? html`<${EventPage} key=${id} id=${id} />` : html`<${Events} filters=${filters} />`),
  requests: (id, filters) =>
    id ? html`<${RequestPage} key=${id} id=${id} />` : html`<${Requests} filters=${filters} />`,
  ledger: (_id, filters) => html`<${Ledger} filters=${filters} />`,
  sandbox: (id) => html`<${Sandbox} tab=${id} />`,
  explorer: (id) => html`<${Explorer} id=${id} />`,
  search: (_id, filters) =>
    html`<${Search} filters=${filters} api="/sandbox" found=${FOUND} hint="IDs of events and requests open their pages." />`,
};

function Lead() {
  const merchant = useResource('/sandbox/merchant');
  return html`<span class="chip sandbox" title="Channels are simulated, and no money moves">Sandbox</span>
    <span class="merchant">${/** @type {any} */ (merchant.data)?.name}</span>`;
}

function Trail() {
  const live = useLive();
  const clock = useClock();
  const away = clock.data && deviation(clock.data);
  return html`${clock.data && html`<a class=${`chip ${away ? 'moved' : ''}`} href="#/sandbox/clock" title="The clock of this merchant, in UTC"><${RunningTime} clock=${clock.data} />${away && html`<span class="roomy">${away}</span>`}</a>`}
    <span class="chip roomy" title=${live ? 'Changes appear as they happen' : 'Changes appear once the gateway is reached'}><span class=${`dot ${live ? 'good' : ''}`}></span>${live ? 'Updating' : 'Connecting'}</span>`;
}

follow();
openConsole({
  name: 'Console',
  navigation: [
    ['', 'Overview', 'o'],
    ['payments', 'Payments', 'p'],
    ['payouts', 'Payouts', 'u'],
    ['events', 'Events', 'e'],
    ['requests', 'Requests', 'r'],
    ['ledger', 'Ledger', 'l'],
    ['sandbox', 'Sandbox', 's'],
    ['explorer', 'Explorer', 'x'],
  ],
  pages: PAGES,
  found: FOUND,
  Lead,
  Trail,
});
