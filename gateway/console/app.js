/** The console: its frame, and the page that the address names. */
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Announcer } from './announce.js';
import { logOut, returnToPlace } from './api.js';
import { deviation, RunningTime, useClock } from './clock.js';
import { EventPage, Events } from './events.js';
import { Explorer } from './explorer.js';
import { Ledger } from './ledger.js';
import { Overview } from './overview.js';
import { Empty, Head } from './parts.js';
import { takeRestored } from './places.js';
import { RequestPage, Requests } from './requests.js';
import { useResource } from './resource.js';
import { useRoute } from './router.js';
import { Sandbox } from './sandbox.js';
import { Search, SearchField } from './search.js';
import { Shortcuts } from './shortcuts.js';
import { useLive } from './stream.js';
import { Transaction } from './transaction.js';
import { Transactions } from './transactions.js';
import { html } from './view.js';

/** @type {[path: string, title: string][]} */
const NAVIGATION = [
  ['', 'Overview'],
  ['payments', 'Payments'],
  ['payouts', 'Payouts'],
  ['events', 'Events'],
  ['requests', 'Requests'],
  ['ledger', 'Ledger'],
  ['sandbox', 'Sandbox'],
  ['explorer', 'Explorer'],
];

/** @typedef {(id: string | undefined, filters: Record<string, string>) => any} PageFunction */

/** @type {Record<string, PageFunction>} */
const PAGES = {
  '': () => html`<${Overview} />`,
  payments: (id, filters) =>
    id
      ? html`<${Transaction} key=${id} kind="payment" id=${id} />`
      : html`<${Transactions} key="payments" kind="payment" filters=${filters} />`,
  payouts: (id, filters) =>
    id
      ? html`<${Transaction} key=${id} kind="payout" id=${id} />`
      : html`<${Transactions} key="payouts" kind="payout" filters=${filters} />`,
  events: (id, filters) => (id ? html`<${EventPage} key=${id} id=${id} />` : html`<${Events} filters=${filters} />`),
  requests: (id, filters) =>
    id ? html`<${RequestPage} key=${id} id=${id} />` : html`<${Requests} filters=${filters} />`,
  ledger: (_id, filters) => html`<${Ledger} filters=${filters} />`,
  sandbox: (id) => html`<${Sandbox} tab=${id} />`,
  explorer: (id) => html`<${Explorer} id=${id} />`,
  search: (_id, filters) => html`<${Search} filters=${filters} />`,
};

/** @type {PageFunction} */
const notFound = () =>
  html`<${Head} title="Not found" /><${Empty} title="There is nothing at this address">Go to the <a href="#/">overview</a>.</${Empty}>`;

function App() {
  const { path, query } = useRoute();
  const [first = '', id] = path;
  const [menu, setMenu] = useState(false);
  const [help, setHelp] = useState(false);
  const place = path.join('/');
  useEffect(() => {
    setMenu(false);
    // A list to which somebody has returned shows its row.
    if (takeRestored()) return;
    scrollTo(0, 0);
    // Screen readers read the heading of the new page; the very first page is read from its beginning anyway.
    if (opened) document.querySelector('h1')?.focus({ preventScroll: true });
    opened = true;
  }, [place]);
  return html`<a class="skip" href="#main" onClick=${skip}>Skip to content</a>
    <${Top} search=${first === 'search' ? (query['search'] ?? '') : ''} menu=${menu} onMenu=${() => setMenu(!menu)} onHelp=${() => setHelp(true)} />
    <div class="frame">
      <nav class=${`side ${menu ? 'open' : ''}`} id="side" aria-label="Console">
        <ul>${NAVIGATION.map(([name, title]) => html`<li><a href=${`#/${name}`} aria-current=${name === first ? 'page' : undefined}>${title}</a></li>`)}
          <li class="narrowonly"><a href="#/search" aria-current=${first === 'search' ? 'page' : undefined}>Search</a></li>
          <li class="narrowonly"><button type="button" class="plain" onClick=${logOut}>Log out</button></li></ul>
      </nav>
      <main class="page" id="main" tabindex="-1">${(PAGES[first] ?? notFound)(id, query)}</main>
    </div>
    <${Announcer} />
    <${Shortcuts} open=${help} onOpen=${setHelp} />`;
}

let opened = false;

/** The fragment names the page, so it can't be used to jump. @param {Event} event */
function skip(event) {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

/** @param {{ search: string, menu: boolean, onMenu: () => void, onHelp: () => void }} props */
function Top({ search, menu, onMenu, onHelp }) {
  const live = useLive();
  const clock = useClock();
  const merchant = useResource('/sandbox/merchant');
  const away = clock.data && deviation(clock.data);
  return html`<header class="top">
    <button type="button" class="menu" aria-expanded=${String(menu)} aria-controls="side" onClick=${onMenu}>Menu</button>
    <a class="brand" href="#/">Console</a>
    <span class="chip sandbox" title="Channels are simulated, and no money moves">Sandbox</span>
    <span class="merchant">${/** @type {any} */ (merchant.data)?.name}</span>
    <span class="space"></span>
    <div class="roomy"><${SearchField} key=${search} text=${search} /></div>
    ${clock.data && html`<a class=${`chip ${away ? 'moved' : ''}`} href="#/sandbox/clock" title="The clock of this merchant, in UTC"><${RunningTime} clock=${clock.data} />${away && html`<span class="roomy">${away}</span>`}</a>`}
    <span class="chip roomy" title=${live ? 'Changes appear as they happen' : 'Changes appear once the gateway is reached'}><span class=${`dot ${live ? 'good' : ''}`}></span>${live ? 'Updating' : 'Connecting'}</span>
    <button type="button" class="plain roomy" onClick=${onHelp} aria-label="Keyboard shortcuts">?</button>
    <button type="button" class="plain roomy" onClick=${logOut}>Log out</button>
  </header>`;
}

returnToPlace();
const root = document.getElementById('app');
if (root) {
  root.textContent = '';
  render(html`<${App} />`, root);
}
