/** Opens the console with the pages that the session may see. */
import { render } from 'preact';
import { canSimulate, facts, returnToPage, session } from './api.js';
import { html, lazy } from './components.js';
import { EventPage, Events, StoppedUrls } from './events.js';
import { Frame } from './frame.js';
import { Ledger, Settlement } from './ledger.js';
import { AuditLog, Channels } from './operators.js';
import { Overview } from './overview.js';
import { Exceptions, ProposalPage, Proposals } from './proposals.js';
import { RequestPage, Requests } from './requests.js';
import { followChanges, reloadAll } from './resource.js';
import { Sandbox } from './sandbox.js';
import { TransactionPage } from './transaction.js';
import { Failing, Search, Transactions } from './transactions.js';

const Differences = lazy(async () => (await import('./differences.js')).Differences);
const Explorer = lazy(async () => (await import('./explorer.js')).Explorer);
const Merchants = lazy(async () => (await import('./merchants.js')).Merchants);
const MerchantPage = lazy(async () => (await import('./merchants.js')).MerchantPage);

/**
 * Pages in the order of the navigation. `for` is who sees one, both by default; `test` pages exist only in test mode.
 * @type {(import('./frame.js').Page & { for?: 'merchant' | 'operator', test?: true })[]}
 */
const PAGES = [
  { path: '', title: 'Overview', key: 'o', list: Overview },
  {
    path: 'payments',
    title: 'Payments',
    key: 'p',
    list: Transactions,
    one: TransactionPage,
    props: { kind: 'payment' },
  },
  { path: 'payouts', title: 'Payouts', key: 'u', list: Transactions, one: TransactionPage, props: { kind: 'payout' } },
  { path: 'events', title: 'Events', key: 'e', list: Events, one: EventPage },
  { path: 'requests', title: 'Requests', key: 'r', list: Requests, one: RequestPage, for: 'merchant', test: true },
  { path: 'ledger', title: 'Ledger', key: 'l', list: Ledger },
  { path: 'sandbox', title: 'Sandbox', key: 's', list: Sandbox, one: Sandbox, for: 'merchant', test: true },
  { path: 'explorer', title: 'Explorer', key: 'x', list: Explorer, one: Explorer, for: 'merchant', test: true },
  { path: 'merchants', title: 'Merchants', key: 'm', list: Merchants, one: MerchantPage, for: 'operator' },
  { path: 'channels', title: 'Channels', key: 'c', list: Channels, for: 'operator' },
  { path: 'failing', title: 'Failing', key: 'f', list: Failing, for: 'operator' },
  { path: 'exceptions', title: 'Exceptions', key: 'x', list: Exceptions, for: 'operator' },
  { path: 'differences', title: 'Differences', key: 'd', list: Differences, for: 'operator' },
  { path: 'proposals', title: 'Proposals', key: 'a', list: Proposals, one: ProposalPage, for: 'operator' },
  { path: 'settlement', title: 'Settlement', key: 's', list: Settlement, for: 'operator' },
  { path: 'audit-log', title: 'Audit log', key: 't', list: AuditLog, for: 'operator' },
  { path: 'stopped-urls', title: 'Stopped URLs', list: StoppedUrls, for: 'operator' },
  { path: 'search', title: 'Search', list: Search },
];

const role = session.operator ? 'operator' : 'merchant';
const pages = PAGES.filter((page) => (page.for ?? role) === role && (facts.sandbox || !page.test));

returnToPage();
if (canSimulate) followChanges();
// Without a stream, the data are read again when the tab becomes visible.
else document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && reloadAll());

const root = document.getElementById('app');
if (root) {
  root.textContent = '';
  render(html`<${Frame} pages=${pages} />`, root);
}
