/** The home page: money, traffic, and open problems. */

import { money, words } from '../shared/format.js';
import { Empty, Head, Loaded, Status, Time } from '../shared/parts.js';
import { useResource } from '../shared/resource.js';
import { href } from '../shared/router.js';
import { Table } from '../shared/table.js';
import { html } from '../shared/view.js';
import { Chart } from './chart.js';
import { ClockCard } from './clock.js';

/** @typedef {import('../../../generated/sandbox/types.ts').Overview} OverviewData */

export function Overview() {
  /** @type {import('../shared/resource.js').Resource<OverviewData>} */
  const resource = useResource('/sandbox/overview', ['transaction', 'event', 'attempt', 'settings']);
  const clock = {
    ...resource,
    data: resource.data?.clock,
  };
  return html`<${Head} title="Overview" />
    <${Loaded} resource=${resource}>${(/** @type {OverviewData} */ data) => html`
      <${Balances} balance=${data.balance} />
      <div class="columns">
        <${Chart} kind="payment" title="Payments" hours=${data.hours} statuses=${data.statuses} now=${data.clock.now} />
        <${Chart} kind="payout" title="Payouts" hours=${data.hours} statuses=${data.statuses} now=${data.clock.now} />
      </div>
      <div class="columns">
        <${ClockCard} resource=${clock} />
        <${Faults} chaos=${data.chaos} faults=${data.webhook_faults} />
      </div>
      <section class="card flush" aria-labelledby="failing">
        <div class="cardhead"><h2 id="failing">Failing deliveries</h2>${data.failing.length > 0 && html`<a href="#/events">All events</a>`}</div>
        <${Table} label="Failing deliveries" rows=${data.failing} columns=${FAILING} to=${(/** @type {any} */ row) => href(['events', row.id])}
          empty=${html`<${Empty} title="No failing deliveries">Events whose last attempt failed appear here.</${Empty}>`} />
      </section>`}</${Loaded}>`;
}

/** @type {import('../shared/table.js').Column[]} */
const FAILING = [
  { name: 'Event', of: (row) => `${words(row.kind)} ${row.status}`, short: true },
  { name: 'State', of: (row) => html`<${Status} value=${row.state} />`, short: true, wide: true },
  { name: 'Last result', of: (row) => row.last_result, short: true },
  { name: 'URL', of: (row) => row.url, wide: true, clip: true },
  { name: 'Created', of: (row) => html`<${Time} at=${row.created_at} />`, right: true, wide: true, short: true },
];

/** @param {{ balance: any }} props */
function Balances({ balance }) {
  /** @type {{ currency: string, available: number, pending: number }[]} */
  const wallets = balance.balances;
  if (wallets.length === 0)
    return html`<${Empty} title="No wallets">Fund a wallet in <a href="#/sandbox/wallets">Sandbox</a>.</${Empty}>`;
  return html`<section aria-label="Balances" class="balances">${wallets.map(
    ({ currency, available, pending }) => html`<div>
      <a class="quiet small" href=${href(['ledger'], { currency })}>${currency} available</a>
      <p class="amount number">${money(available, currency)}</p>
      <p class="quiet small number">${money(pending, currency)} pending</p>
    </div>`,
  )}</section>`;
}

/** @param {{ chaos: any[], faults: any[] }} props */
function Faults({ chaos, faults }) {
  return html`<section class="card" aria-labelledby="faults">
    <div class="cardhead"><h2 id="faults">Active faults</h2><a href="#/sandbox/chaos">Add</a></div>
    ${
      chaos.length + faults.length === 0
        ? html`<p class="quiet">None. Requests and webhooks are served as ever.</p>`
        : html`<ul class="stack tight">
            ${chaos.map((rule) => html`<li key=${rule.id}><${Status} value=${rule.fault} tone="warn" /> on ${rule.operation ?? 'all operations'}${rule.ends_at && html`<span class="quiet">, until </span><${Time} at=${rule.ends_at} />`}</li>`)}
            ${faults.map((rule) => html`<li key=${rule.id}><${Status} value=${rule.fault} tone="warn" /> on webhooks to ${rule.address ?? rule.transaction_id ?? 'all addresses'}</li>`)}
          </ul>`
    }
  </section>`;
}
