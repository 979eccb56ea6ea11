/** Sandbox settings, one tab each. */
import { useState } from 'preact/hooks';
import { announce } from '../shared/announce.js';
import { call } from '../shared/api.js';
import { duration, money, words } from '../shared/format.js';
import { Copy, Empty, Facts, Failure, Head, Loaded, Status, Time } from '../shared/parts.js';
import { useAction, useResource } from '../shared/resource.js';
import { href } from '../shared/router.js';
import { Table } from '../shared/table.js';
import { html } from '../shared/view.js';
import { ClockCard } from './clock.js';
import { Credentials } from './credentials.js';
import { OperationForm } from './operation-form.js';
import { TestData } from './test-data.js';

/** @typedef {import('../../../generated/sandbox/types.ts').Channel} Channel */

const CONDITIONS = ['up', 'down', 'overloaded', 'slow', 'lost_response', 'manual'];

/** @type {Record<string, { title: string, content: () => any }>} */
const TABS = {
  clock: { title: 'Clock', content: () => html`<${ClockCard} />` },
  channels: { title: 'Channels', content: () => html`<${Channels} />` },
  chaos: { title: 'Chaos', content: () => html`<${Rules} kind="chaos" />` },
  'webhook-faults': { title: 'Webhook faults', content: () => html`<${Rules} kind="webhook-faults" />` },
  wallets: { title: 'Wallets', content: () => html`<${Wallets} />` },
  customers: { title: 'Customers', content: () => html`<${Forms} of=${CUSTOMER_FORMS} />` },
  'test-data': { title: 'Test data', content: () => html`<${TestData} />` },
  merchant: { title: 'Merchant', content: () => html`<${MerchantTab} />` },
};

/** @param {{ tab?: string }} props */
export function Sandbox({ tab = 'clock' }) {
  return html`<${Head} title="Sandbox" />
    <nav class="tabs" aria-label="Settings">${Object.entries(TABS).map(
      ([name, { title }]) =>
        html`<a href=${href(['sandbox', name])} aria-current=${name === tab ? 'page' : undefined}>${title}</a>`,
    )}</nav>
    ${(TABS[tab] ?? TABS['clock'])?.content()}`;
}

function Channels() {
  /** @type {import('../shared/resource.js').Resource<{ data: Channel[] }>} */
  const resource = useResource('/sandbox/channels', ['settings']);
  const set = useAction(async (/** @type {Channel} */ { kind, method }, /** @type {string} */ condition) => {
    await call('PUT', `/sandbox/channels/${kind}/${encodeURIComponent(method)}`, { condition });
    announce(`${method} is now: ${condition}`);
    resource.reload();
  });
  /** @type {import('../shared/table.js').Column[]} */
  const columns = [
    { name: 'Method', of: (row) => html`${row.method} <span class="quiet small">${row.kind}</span>` },
    {
      name: 'Condition',
      of: (row) =>
        html`<${Status} value=${row.condition} />${row.delay_ms !== undefined && html` <span class="quiet small">${duration(row.delay_ms)}</span>`}`,
    },
    {
      name: 'Set',
      of: (
        row,
      ) => html`<select aria-label=${`Condition of ${row.method}`} value=${row.condition} onChange=${(/** @type {any} */ event) => set.run(row, event.target.value)}>
        ${CONDITIONS.map((condition) => html`<option value=${condition} selected=${condition === row.condition}>${words(condition)}</option>`)}
      </select>`,
      wide: true,
    },
  ];
  return html`<p class="quiet small">Down and overloaded channels decline, slow ones respond late, and with a lost response the work is done but the reply is lost. Manual channels wait until you simulate an event.</p>
    <${Failure} error=${set.error} />
    <section class="card flush" aria-label="Channels"><${Loaded} resource=${resource}>${(/** @type {any} */ { data }) => html`<${Table} label="Channels" rows=${data.map((/** @type {Channel} */ one) => ({ ...one, id: `${one.kind} ${one.method}` }))} columns=${columns} empty=${html`<${Empty} title="No channels" />`} />`}</${Loaded}></section>
    <section class="card" aria-labelledby="set-channel"><h2 id="set-channel">Slow a channel down</h2><${OperationForm} id="setChannel" initial=${{ condition: 'slow' }} onDone=${resource.reload} /></section>`;
}

/** @type {Record<string, { path: string, add: string, title: string, none: string, about: (rule: any) => [string, any][] }>} */
const RULES = {
  chaos: {
    path: '/sandbox/chaos',
    add: 'addChaos',
    title: 'chaos rule',
    none: 'Requests are served as ever.',
    about: (rule) => [
      ['Operation', rule.operation ?? 'all'],
      ['Latency', rule.latency_ms !== undefined && duration(rule.latency_ms)],
      ['Rate', rule.rate !== undefined && `${Math.round(rule.rate * 100)} %`],
      ['Requests left', rule.requests_left],
      ['Ends', rule.ends_at && html`<${Time} at=${rule.ends_at} />`],
    ],
  },
  'webhook-faults': {
    path: '/sandbox/webhook-faults',
    add: 'addWebhookFault',
    title: 'webhook fault',
    none: 'Webhooks are sent as ever.',
    about: (rule) => [
      ['Address', rule.address ?? 'all'],
      ['Transaction', rule.transaction_id],
      ['Delay', rule.delay_ms !== undefined && duration(rule.delay_ms)],
      ['Attempts', rule.attempts],
      ['Events left', rule.events_left],
    ],
  },
};

/** @param {{ kind: string }} props */
function Rules({ kind }) {
  const { path = '', add = '', title = '', none = '', about = () => [] } = RULES[kind] ?? {};
  const resource = useResource(path, ['settings', 'request', 'attempt']);
  const remove = useAction(async (/** @type {string} */ address) => {
    await call('DELETE', address);
    announce('Removed');
    resource.reload();
  });
  return html`<section class="card" aria-labelledby="add"><h2 id="add">Add a ${title}</h2><${OperationForm} key=${add} id=${add} onDone=${resource.reload} /></section>
    <${Failure} error=${remove.error} />
    <section class="card flush" aria-label="Active rules"><${Loaded} resource=${resource}>${(
      /** @type {any} */ { data },
    ) =>
      data.length === 0
        ? html`<${Empty} title=${`No active ${title}`}>${none}</${Empty}>`
        : html`<div class="cardhead"><h2>Active</h2><button type="button" class="plain" onClick=${() => remove.run(path)}>Remove all</button></div>
          <ul>${data.map(
            (
              /** @type {any} */ rule,
            ) => html`<li key=${rule.id} class="pager"><div class="stack tight"><span><${Status} value=${rule.fault} tone="warn" /></span><${Facts} items=${about(rule)} /></div>
              <button type="button" onClick=${() => remove.run(`${path}/${encodeURIComponent(rule.id)}`)} aria-label=${`Remove ${rule.fault}`}>Remove</button></li>`,
          )}</ul>`}</${Loaded}></section>`;
}

function Wallets() {
  const resource = useResource('/merchant/balance', ['transaction', 'settings']);
  return html`<section class="card flush" aria-label="Wallets"><${Loaded} resource=${resource}>${(/** @type {any} */ { balances }) => html`<${Table} label="Wallets" rows=${balances.map((/** @type {any} */ one) => ({ ...one, id: one.currency }))} columns=${WALLET_COLUMNS} to=${(/** @type {any} */ row) => href(['ledger'], { currency: row.currency })} empty=${html`<${Empty} title="No wallets" />`} />`}</${Loaded}></section>
    <${Forms} of=${[['fundWallet', 'Fund a wallet'], ['drainWallet', 'Drain a wallet']]} onDone=${resource.reload} />`;
}

/** @type {import('../shared/table.js').Column[]} */
const WALLET_COLUMNS = [
  { name: 'Currency', of: (row) => row.currency },
  { name: 'Available', of: (row) => money(row.available, row.currency), right: true },
  { name: 'Pending', of: (row) => money(row.pending, row.currency), right: true, wide: true },
];

const CUSTOMER_FORMS = [
  ['blockCustomer', 'Block a customer'],
  ['unblockCustomer', 'Unblock a customer'],
  ['useCustomerLimits', 'Use up limits'],
];

/** @param {{ of: string[][], onDone?: () => void }} props */
function Forms({ of, onDone }) {
  return html`<div class="columns">${of.map(
    ([id = '', title]) =>
      html`<section class="card" aria-label=${title}><h2>${title}</h2><${OperationForm} key=${id} id=${id} onDone=${onDone} /></section>`,
  )}</div>`;
}

function MerchantTab() {
  const resource = useResource('/sandbox/merchant');
  return html`<section class="card" aria-labelledby="merchant"><h2 id="merchant">Merchant</h2><${Loaded} resource=${resource}>${(/** @type {any} */ { id, name, created_at }) => html`<${Facts} items=${[['Number', id], ['Name', name], ['Created', html`<${Time} at=${created_at} />`]]} />`}</${Loaded}></section>
    <${Credentials} />
    <div class="columns">
      <section class="card" aria-labelledby="rotate"><h2 id="rotate">Signing secret</h2><${Rotate} /></section>
      <section class="card" aria-labelledby="reset"><h2 id="reset">Reset</h2><${Reset} /></section>
    </div>`;
}

function Rotate() {
  const [secret, setSecret] = useState('');
  return html`<${OperationForm} id="rotateSigningSecret" onDone=${(/** @type {any} */ made) => setSecret(made.secret)} />
    ${secret && html`<div class="notice warn" role="status"><p>The new secret: <code>${secret}</code></p><${Copy} text=${secret} /></div>`}`;
}

function Reset() {
  const reset = useAction(async () => {
    if (!confirm('Delete all transactions, events and settings of this merchant?')) return;
    await call('POST', '/sandbox/merchant/reset');
    announce('The merchant is empty now.');
  });
  return html`<div class="stack tight">
    <p class="quiet small">Deletes the merchant's transactions, events, ledger and settings, and empties its wallets. Key and secret stay.</p>
    <${Failure} error=${reset.error} />
    <div class="buttons"><button type="button" class="danger" disabled=${reset.busy} onClick=${reset.run}>Reset the merchant</button></div>
  </div>`;
}
