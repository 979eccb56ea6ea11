/** Simulation and test data of a merchant in test mode, one tab each. */
import { useState } from 'preact/hooks';
import { apiPath, BASE, call, session } from './api.js';
import { ClockCard } from './clock.js';
import {
  announce,
  Card,
  Copy,
  Empty,
  Facts,
  Failure,
  Head,
  html,
  Loaded,
  Prose,
  Status,
  Tabs,
  Time,
} from './components.js';
import { useEnum } from './documents.js';
import { duration, words } from './format.js';
import { Action, OperationForm } from './forms.js';
import { Table } from './list.js';
import { useAction } from './resource.js';
import { go, href } from './router.js';
import { Secrets, Wallets } from './wallets.js';

/**
 * @typedef {import('../../generated/sandbox/types.ts').Channel} Channel
 * @typedef {import('../../generated/sandbox/types.ts').Credentials} RevealedCredentials
 * @typedef {import('../../generated/sandbox/types.ts').TestDatum} TestDatum
 * @typedef {import('./components.js').Fact} Fact
 * @typedef {import('./list.js').Column} Column
 */

const OWN_ID = session.merchant?.id ?? '';

/** @type {Record<string, { title: string, content: () => any }>} */
const TABS = {
  clock: { title: 'Clock', content: () => html`<${ClockCard} />` },
  channels: { title: 'Channels', content: () => html`<${Channels} />` },
  chaos: { title: 'Chaos', content: () => html`<${Rules} key="chaos" ...${CHAOS} />` },
  'webhook-faults': { title: 'Webhook faults', content: () => html`<${Rules} key="faults" ...${WEBHOOK_FAULTS} />` },
  wallets: { title: 'Wallets', content: () => html`<${Wallets} id=${OWN_ID} /><${Forms} forms=${WALLET_FORMS} />` },
  customers: { title: 'Customers', content: () => html`<${Forms} forms=${CUSTOMER_FORMS} />` },
  'test-data': { title: 'Test data', content: () => html`<${TestData} />` },
  merchant: { title: 'Merchant', content: () => html`<${Merchant} />` },
};

/** @param {{ id?: string }} props */
export function Sandbox({ id = 'clock' }) {
  return html`<${Head} title="Sandbox" />
    <${Tabs} label="Settings" links=${Object.entries(TABS).map(([name, { title }]) => [title, href(['sandbox', name]), name === id])} />
    ${(TABS[id] ?? TABS['clock'])?.content()}`;
}

/** @param {{ forms: string[][] }} props Operations with a title for each */
function Forms({ forms }) {
  return html`<div class="columns">${forms.map(
    ([id = '', title]) => html`<${Card} key=${id} title=${title}><${OperationForm} id=${id} /></${Card}>`,
  )}</div>`;
}

const CUSTOMER_FORMS = [
  ['blockCustomer', 'Block a customer'],
  ['unblockCustomer', 'Unblock a customer'],
  ['useCustomerLimits', 'Use up limits'],
];

function Channels() {
  const conditions = useEnum('Condition');
  const set = useAction(async (/** @type {Channel} */ { kind, method }, /** @type {string} */ condition) => {
    await call('PUT', `/sandbox/channels/${kind}/${encodeURIComponent(method)}`, { condition });
    announce(`${method} is now: ${condition}`);
  });
  /** @type {Column[]} */
  const columns = [
    { name: 'Method', cell: (row) => html`${row.method} <span class="quiet small">${row.kind}</span>` },
    {
      name: 'Condition',
      cell: (row) =>
        html`<${Status} value=${row.condition} />${row.delay_ms !== undefined && html` <span class="quiet small">${duration(row.delay_ms)}</span>`}`,
    },
    {
      name: 'Set',
      cell: (
        row,
      ) => html`<select aria-label=${`Condition of ${row.method}`} value=${row.condition} onChange=${(/** @type {any} */ event) => set.run(row, event.target.value)}>
        ${conditions.map((condition) => html`<option value=${condition} selected=${condition === row.condition}>${words(condition)}</option>`)}
      </select>`,
      wide: true,
    },
  ];
  return html`<p class="quiet small">Down and overloaded channels decline, slow ones respond late, and with a lost response the work is done but the reply is lost. Manual channels wait until you simulate an event.</p>
    <${Failure} error=${set.error} />
    <section class="card flush" aria-label="Channels"><${Loaded} path="/sandbox/channels" live=${['settings']}>${(/** @type {any} */ { data }) => html`<${Table} label="Channels" rows=${data} columns=${columns} empty=${html`<${Empty} title="No channels" />`} />`}</${Loaded}></section>
    <${Card} title="Slow a channel down"><${OperationForm} id="setChannel" initial=${{ condition: 'slow' }} /></${Card}>`;
}

/** @typedef {{ path: string, add: string, title: string, none: string, about: (rule: any) => Fact[] }} RulesProps */

/** @type {RulesProps} */
const CHAOS = {
  path: '/sandbox/chaos',
  add: 'addChaos',
  title: 'chaos rule',
  none: 'Requests get normal responses.',
  about: (rule) => [
    ['Operation', rule.operation ?? 'all'],
    ['Latency', rule.latency_ms !== undefined && duration(rule.latency_ms)],
    ['Rate', rule.rate !== undefined && `${Math.round(rule.rate * 100)} %`],
    ['Requests left', rule.requests_left],
    ['Ends', rule.ends_at && html`<${Time} at=${rule.ends_at} />`],
  ],
};

/** @type {RulesProps} */
const WEBHOOK_FAULTS = {
  path: '/sandbox/webhook-faults',
  add: 'addWebhookFault',
  title: 'webhook fault',
  none: 'Webhooks are sent normally.',
  about: (rule) => [
    ['Address', rule.address ?? 'all'],
    ['Transaction', rule.transaction_id],
    ['Delay', rule.delay_ms !== undefined && duration(rule.delay_ms)],
    ['Attempts', rule.attempts],
    ['Events left', rule.events_left],
  ],
};

/** A form that adds a fault, and the list of active faults. @param {RulesProps} props */
function Rules({ path, add, title, none, about }) {
  const remove = useAction(async (/** @type {string} */ address) => {
    await call('DELETE', address);
    announce('Removed');
  });
  return html`<${Card} title=${`Add a ${title}`}><${OperationForm} id=${add} /></${Card}>
    <${Failure} error=${remove.error} />
    <section class="card flush" aria-label="Active rules"><${Loaded} path=${path} live=${['settings', 'request', 'attempt']}>${(
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

const WALLET_FORMS = [
  ['fundWallet', 'Fund a wallet'],
  ['drainWallet', 'Drain a wallet'],
];

/** Remembers the callback URL. */
const CALLBACK = 'console-callback';
/** URL of the demo's own receiver. Without the demo, another address has to be entered. */
const DEMO_RECEIVER = `${BASE}/demo/webhooks`;

/** Customers and accounts that select an outcome. Each row creates the transaction that it describes. */
function TestData() {
  const [search, setSearch] = useState('');
  const [callback, setCallback] = useState(localStorage.getItem(CALLBACK) ?? DEMO_RECEIVER);
  const create = useAction(async (/** @type {TestDatum} */ { kind, request }) => {
    const body = { ...request, merchant_order_id: `console-${Date.now().toString(36)}`, callback_url: callback };
    const { transaction_id: id } = await call('POST', `/${kind}s`, body);
    announce(`Created ${id}`);
    go(href([`${kind}s`, id]));
  });
  /** @param {any} event */
  const change = (event) => {
    setCallback(event.target.value);
    localStorage.setItem(CALLBACK, event.target.value);
  };
  /** @type {Column[]} */
  const columns = [
    {
      name: 'Value',
      cell: (row) =>
        html`<span class="mono">${row.value}</span><br /><span class="quiet small">${row.kind} · ${row.field}</span>`,
    },
    { name: 'Outcome', cell: (row) => html`<span><${Prose} text=${row.summary} /></span>`, wide: true },
    {
      name: 'Try it',
      cell: (row) =>
        html`<button type="button" disabled=${create.busy} onClick=${() => create.run(row)} aria-label=${`Create a ${row.kind} with ${row.value}`}>Create</button>`,
      right: true,
      wide: true,
    },
  ];
  return html`<form class="filters" onSubmit=${(/** @type {Event} */ event) => event.preventDefault()}>
      <label class="field"><span>Search</span><input type="search" name="search" placeholder="LIMIT_EXCEEDED" value=${search} onInput=${(/** @type {any} */ event) => setSearch(event.target.value)} /></label>
      <label class="field roomier"><span>Callback URL of the created transaction</span><input type="url" name="callback" value=${callback} onInput=${change} /></label>
    </form>
    <${Failure} error=${create.error} />
    <section class="card flush" aria-label="Test data"><${Loaded} path="/sandbox/test-data">${(
      /** @type {any} */ { data },
    ) => html`<${Table} label="Test data" columns=${columns} rows=${filterTestData(data, search)}
      empty=${html`<${Empty} title="No test data matches">Change the search.</${Empty}>`} />`}</${Loaded}></section>`;
}

/** Rows that contain each word. @param {TestDatum[]} data @param {string} search */
function filterTestData(data, search) {
  const wanted = search.toLowerCase().split(/\s+/);
  return data
    .filter(({ kind, field, value, summary }) => {
      const text = `${kind} ${field} ${value} ${summary}`.toLowerCase();
      return wanted.every((word) => text.includes(word));
    })
    .map((row) => ({ ...row, id: `${row.kind} ${row.field} ${row.value}` }));
}

function Merchant() {
  return html`<${Card} title="Merchant" beside=${html`<${Action} id="resetMerchant" button="Reset the merchant" danger />`}><${Loaded} path=${apiPath('merchants', OWN_ID)}>${(/** @type {any} */ { id, name, created_at }) => html`<${Facts} items=${[['Number', id], ['Name', name], ['Created', html`<${Time} at=${created_at} />`]]} />`}</${Loaded}></${Card}>
    <${Credentials} />
    <${Secrets} id=${OWN_ID} />`;
}

/** API keys and signing secrets, which are read on demand. */
function Credentials() {
  const [shown, setShown] = useState(/** @type {RevealedCredentials | undefined} */ (undefined));
  const reveal = useAction(async () => {
    setShown(await call('GET', '/sandbox/merchant/credentials'));
    announce('Key and secret are shown');
  });
  const toggle = () => (shown ? setShown(undefined) : reveal.run());
  return html`<${Card} title="Key and secret" kind="stack tight" beside=${html`<button type="button" aria-expanded=${String(shown !== undefined)} disabled=${reveal.busy} onClick=${toggle}>${shown ? 'Hide' : 'Reveal'}</button>`}>
    <${Failure} error=${reveal.error} />
    ${
      shown
        ? html`<${Facts} items=${[
            ...shown.keys.map(({ hint, key }) => [
              'API key',
              key
                ? html`<${Secret} text=${key} />`
                : html`<code>${hint}</code> <span class="quiet small">Only a hash of it is stored. It was shown when it was created.</span>`,
            ]),
            ...shown.secrets.map((secret, index) => [
              index === 0 ? 'Signing secret' : 'Replaced secret, still valid',
              html`<${Secret} text=${secret} />`,
            ]),
          ]} />`
        : html`<p class="quiet small">Your app sends the key, and verifies webhooks with the secret.</p>`
    }
  </${Card}>`;
}

/** @param {{ text: string }} props */
function Secret({ text }) {
  return html`<code>${text}</code> <${Copy} text=${text} />`;
}
