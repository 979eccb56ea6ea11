/** A payment or payout in full, with buttons to simulate its next events. */
import { useState } from 'preact/hooks';
import { announce } from '../shared/announce.js';
import { BASE, call } from '../shared/api.js';
import { Decline } from '../shared/decline.js';
import { money, words } from '../shared/format.js';
import { Code, Copy, Facts, Failure, Head, Loaded, Status, Time } from '../shared/parts.js';
import { listAddress } from '../shared/places.js';
import { useAction, useResource } from '../shared/resource.js';
import { href } from '../shared/router.js';
import { curl } from '../shared/shell.js';
import { Timeline } from '../shared/timeline.js';
import { html } from '../shared/view.js';
import { useDocument } from './documents.js';
import { OperationForm, pathOf } from './operation-form.js';

/**
 * @typedef {import('../../../generated/sandbox/types.ts').Inspection} Inspection
 * @typedef {import('../shared/contract-facts.js').Kind} Kind
 */

/** @param {{ kind: Kind, id: string }} props */
export function Transaction({ kind, id }) {
  const path = `/sandbox/${kind}s/${encodeURIComponent(id)}`;
  /** @type {import('../shared/resource.js').Resource<Inspection>} */
  const resource = useResource(path, ({ type, data }) => concerns(type, data, id));
  return html`<p class="crumbs"><a href=${listAddress(`${kind}s`)}>${kind === 'payment' ? 'Payments' : 'Payouts'}</a></p>
    <${Loaded} title=${kind === 'payment' ? 'Payment' : 'Payout'} resource=${resource}>${(/** @type {Inspection} */ found) => html`<${Detail} kind=${kind} id=${id} found=${found} reload=${resource.reload} />`}</${Loaded}>`;
}

/** @param {string} type @param {any} data @param {string} id */
function concerns(type, data, id) {
  if (type === 'settings') return false;
  return data.id === id || data.transaction_id === id || (data.id === undefined && data.transaction_id === undefined);
}

/** @param {{ kind: Kind, id: string, found: Inspection, reload: () => void }} props */
function Detail({ kind, id, found, reload }) {
  const resource = /** @type {any} */ (found.resource);
  const request = /** @type {any} */ (found.request);
  return html`<${Head} title=${money(resource.amount, resource.currency)}
      beside=${html`<${Status} value=${resource.status} />${resource.decline_reason && html`<span class="quiet">${resource.decline_reason}</span>`}`}>
      ${found.checkout_url && html`<a class="button" href=${found.checkout_url} target="_blank" rel="noopener">Open payment page</a>`}
    </${Head}>
    <${Simulations} kind=${kind} id=${id} legal=${found.legal_events} reload=${reload} />
    ${found.decline && html`<${Decline} decline=${found.decline} amount=${resource.amount} currency=${resource.currency} />`}
    <div class="columns detail">
      <section class="card" aria-labelledby="timeline">
        <h2 id="timeline">Timeline</h2>
        <${Timeline} entries=${found.timeline} />
      </section>
      <div class="stack">
        <section class="card" aria-labelledby="facts">
          <div class="cardhead"><h2 id="facts">Details</h2><${Copy} text=${id} label="Copy ID" /></div>
          <${Facts} items=${[
            ['ID', html`<span class="mono">${id}</span>`],
            [
              'Order',
              html`<a href=${href([`${kind}s`], { search: resource.merchant_order_id })}>${resource.merchant_order_id}</a>`,
            ],
            [
              'Customer',
              request.customer?.id &&
                html`<a href=${href([`${kind}s`], { customer_id: request.customer.id })}>${request.customer.id}</a>`,
            ],
            ['Method', request.payment_method_type],
            ['Collected', resource.amount_paid !== undefined && money(resource.amount_paid, resource.currency)],
            ['Callback URL', request.callback_url],
            ['Next step', found.next_step_at && html`<${Time} at=${found.next_step_at} />`],
            [
              'Related',
              html`<a href=${href(['requests'], { transaction_id: id })}>requests</a>, <a href=${href(['events'], { transaction_id: id })}>events</a>, <a href=${href(['ledger'], { currency: resource.currency })}>ledger</a>`,
            ],
          ]} />
        </section>
        <${Json} title=${words(kind)} value=${found.resource} command=${curl('GET', `${BASE}/${kind}s/${id}`)} />
        <${Json} title="Request" value=${found.request} command=${curl('POST', `${BASE}/${kind}s`, found.request)} />
      </div>
    </div>`;
}

/** @param {{ title: string, value: unknown, command: string }} props */
function Json({ title, value, command }) {
  return html`<section class="card" aria-label=${`${title} as JSON`}>
    <div class="cardhead"><h2>${title}</h2><span class="buttons"><${Copy} text=${JSON.stringify(value, null, 2)} label="Copy JSON" /><${Copy} text=${command} label="Copy as curl" /></span></div>
    <${Code} value=${value} label=${title} />
  </section>`;
}

/**
 * A button for each legal event. An event with a body opens a form.
 * @param {{ kind: Kind, id: string, legal: string[], reload: () => void }} props
 */
function Simulations({ kind, id, legal, reload }) {
  const document = useDocument('sandbox');
  const [open, setOpen] = useState('');
  const operations = legal.flatMap((event) => {
    const path = `/sandbox/${kind}s/{transaction_id}/${event}`;
    return document?.operations.find((one) => one.path === path) ?? [];
  });
  const send = useAction(async (/** @type {import('./documents.js').Operation} */ operation) => {
    await call(operation.method, pathOf(operation, { transaction_id: id }));
    announce(`${operation.summary}: done`);
    reload();
  });
  const chosen = operations.find((one) => one.id === open);
  const title = 'Simulate what happens next';
  if (legal.length === 0) return html`<p class="quiet">Nothing more can be simulated for this ${kind}.</p>`;
  return html`<section class="card stack tight" aria-label=${title}>
    <div class="buttons"><h2>${title}</h2>
      ${operations.map((one) =>
        one.body
          ? html`<button type="button" key=${one.id} aria-expanded=${String(open === one.id)} onClick=${() => setOpen(open === one.id ? '' : one.id)}>${one.summary}…</button>`
          : html`<button type="button" key=${one.id} disabled=${send.busy} title=${one.description.trim()} onClick=${() => send.run(one)}>${one.summary}</button>`,
      )}
    </div>
    <${Failure} error=${send.error} />
    ${
      chosen &&
      html`<${OperationForm} key=${chosen.id} id=${chosen.id} parameters=${{ transaction_id: id }} initial=${chosen.bodyRequired ? chosen.examples[0]?.value : {}}
        label=${chosen.summary} done=${`${chosen.summary}: done`} onDone=${() => {
          setOpen('');
          reload();
        }} />`
    }
  </section>`;
}
