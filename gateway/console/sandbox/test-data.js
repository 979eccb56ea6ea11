/** Customers and accounts that select an outcome: each row creates the transaction that it describes. */
import { useState } from 'preact/hooks';
import { announce } from '../shared/announce.js';
import { BASE, call } from '../shared/api.js';
import { Empty, Failure, Loaded, Prose } from '../shared/parts.js';
import { useAction, useResource } from '../shared/resource.js';
import { go, href } from '../shared/router.js';
import { Table } from '../shared/table.js';
import { html } from '../shared/view.js';

/** @typedef {import('../../../generated/sandbox/types.ts').TestDatum} TestDatum */

const CALLBACK = 'console-callback';

/** URL of the demo's own receiver. Without the demo, another address has to be entered. */
const OWN_RECEIVER = `${BASE}/demo/webhooks`;

export function TestData() {
  /** @type {import('../shared/resource.js').Resource<{ data: TestDatum[] }>} */
  const resource = useResource('/sandbox/test-data');
  const [search, setSearch] = useState('');
  const [callback, setCallback] = useState(localStorage.getItem(CALLBACK) ?? OWN_RECEIVER);
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
  /** @type {import('../shared/table.js').Column[]} */
  const columns = [
    {
      name: 'Value',
      of: (row) =>
        html`<span class="mono">${row.value}</span><br /><span class="quiet small">${row.kind} · ${row.field}</span>`,
    },
    { name: 'What happens', of: (row) => html`<span><${Prose} text=${row.summary} /></span>`, wide: true },
    {
      name: 'Try it',
      of: (row) =>
        html`<button type="button" disabled=${create.busy} onClick=${() => create.run(row)} aria-label=${`Create a ${row.kind} with ${row.value}`}>Create</button>`,
      right: true,
      wide: true,
    },
  ];
  return html`<form class="filters" onSubmit=${(/** @type {Event} */ event) => event.preventDefault()}>
      <label class="field"><span>Search</span><input type="search" name="search" placeholder="LIMIT_EXCEEDED" value=${search} onInput=${(/** @type {any} */ event) => setSearch(event.target.value)} /></label>
      <label class="field roomier"><span>Callback URL of what is created</span><input type="url" name="callback" value=${callback} onInput=${change} /></label>
    </form>
    <${Failure} error=${create.error} />
    <section class="card flush" aria-label="Test data"><${Loaded} resource=${resource}>${(
      /** @type {any} */ { data },
    ) => html`<${Table} label="Test data" columns=${columns}
      rows=${matching(data, search).map((one) => ({ ...one, id: `${one.kind} ${one.field} ${one.value}` }))} empty=${html`<${Empty} title="No test data matches">Change the search.</${Empty}>`} />`}</${Loaded}></section>`;
}

/** @param {TestDatum[]} data @param {string} search */
function matching(data, search) {
  const parts = search.toLowerCase().split(/\s+/);
  return data.filter(({ kind, field, value, summary }) => {
    const text = `${kind} ${field} ${value} ${summary}`.toLowerCase();
    return parts.every((part) => text.includes(part));
  });
}
