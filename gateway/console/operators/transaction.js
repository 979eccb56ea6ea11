/** Everything about one payment or payout. */
import { Decline } from '../shared/decline.js';
import { money, words } from '../shared/format.js';
import { Code, Copy, Facts, Head, Loaded, Status, Time } from '../shared/parts.js';
import { listAddress } from '../shared/places.js';
import { useResource } from '../shared/resource.js';
import { href } from '../shared/router.js';
import { Timeline } from '../shared/timeline.js';
import { html } from '../shared/view.js';
import { facts } from './admin-facts.js';
import { Commands } from './command-list.js';
import { describeResult } from './exceptions.js';
import { decisionsOf, OF_TRANSACTION, ProposalTable } from './proposals.js';
import { MERCHANT } from './transaction-list.js';

/**
 * @typedef {import('../../../generated/management/types.ts').TransactionDetails} Details
 * @typedef {import('../shared/contract-facts.js').Kind} Kind
 */

/** @param {{ kind: Kind, id: string }} props */
export function Transaction({ kind, id }) {
  /** @type {import('../shared/resource.js').Resource<Details>} */
  const resource = useResource(`/${kind}s/${encodeURIComponent(id)}`);
  return html`<p class="crumbs"><a href=${listAddress(`${kind}s`)}>${kind === 'payment' ? 'Payments' : 'Payouts'}</a></p>
    <${Loaded} title=${kind === 'payment' ? 'Payment' : 'Payout'} resource=${resource}>${(/** @type {Details} */ found) => html`<${Detail} found=${found} />`}</${Loaded}>`;
}

/** @param {{ found: Details }} props */
function Detail({ found }) {
  const { transaction_id: id, kind, currency, amount, decline_reason: reason, failing } = found;
  return html`<${Head} title=${money(amount, currency)}
      beside=${html`<${Status} value=${found.status} />${reason && html`<span class="quiet">${reason}</span>`}`} />
    ${
      failing &&
      html`<div class="notice warn"><p>The next step fails: ${failing.error}</p>
        <p>Failed attempts in a row: ${failing.failures}. The next one is at <${Time} at=${failing.next_attempt_at} />.</p></div>`
    }
    ${found.exceptions.length > 0 && html`<${Contradictions} found=${found} />`}
    ${reason && html`<${Decline} decline=${{ ...facts.declines[kind][reason], reason }} amount=${amount} currency=${currency} />`}
    <div class="columns detail">
      <div class="stack">
        <section class="card" aria-labelledby="timeline">
          <h2 id="timeline">Timeline</h2>
          <${Timeline} entries=${timeline(found)} />
        </section>
        ${
          found.proposals.length > 0 &&
          html`<section class="card flush" aria-labelledby="proposals"><div class="cardhead"><h2 id="proposals">Proposals</h2></div>
          <${ProposalTable} rows=${found.proposals} columns=${OF_TRANSACTION} /></section>`
        }
        ${(isOpen(found) || !facts.finalStatuses.includes(found.status)) && html`<${Commands} of=${changesOf(found)} />`}
      </div>
      <div class="stack">
        <section class="card" aria-labelledby="facts">
          <div class="cardhead"><h2 id="facts">Details</h2><${Copy} text=${id} label="Copy ID" /></div>
          <${Facts} items=${[
            ['ID', html`<span class="mono">${id}</span>`],
            ['Merchant', MERCHANT.of(found)],
            [
              'Order',
              html`<a href=${href([`${kind}s`], { search: found.merchant_order_id })}>${found.merchant_order_id}</a>`,
            ],
            [
              'Customer',
              html`<a href=${href([`${kind}s`], { customer_id: found.customer_id })}>${found.customer_id}</a>`,
            ],
            ['Method', found.payment_method_type],
            ['Channel', found.channel && html`<a href="#/channels">${found.channel}</a>`],
            ['Created', html`<${Time} at=${found.created_at} />`],
            ['Collected', found.amount_paid !== undefined && money(found.amount_paid, currency)],
            [
              'Related',
              html`<a href=${href(['events'], { transaction_id: id })}>webhooks</a>, <a href=${href(['merchants', String(found.merchant_id), currency])}>ledger</a>`,
            ],
            ['Next step', found.next_step_at ? html`<${Time} at=${found.next_step_at} />` : 'Nothing is due'],
          ]} />
        </section>
        <section class="card" aria-labelledby="resource">
          <div class="cardhead"><h2 id="resource">${words(kind)} as its merchant reads it</h2><${Copy} text=${JSON.stringify(found.resource, null, 2)} label="Copy JSON" /></div>
          <${Code} value=${found.resource} label=${`${words(kind)} as JSON`} />
        </section>
      </div>
    </div>`;
}

/** Whether an exception is open. @param {Details} found */
function isOpen({ exceptions }) {
  return exceptions.some(({ resolution }) => !resolution);
}

/** The results of the channel that contradict the status. @param {{ found: Details }} props */
function Contradictions({ found }) {
  const { exceptions, correction, kind, currency } = found;
  return html`<div class=${`notice ${isOpen(found) ? 'warn' : ''}`}>
    <p>The channel contradicts how this ${kind} has ended:</p>
    <ul>${exceptions.map(
      (exception) =>
        html`<li key=${exception.at}><${Time} at=${exception.at} /> ${describeResult(exception, currency)} <${Status} value=${exception.resolution ?? 'open'} /></li>`,
    )}</ul>
    ${correction && html`<p>${words(correction.direction)} to book it: ${money(correction.amount, currency)}.</p>`}
  </div>`;
}

/** The changes that can be made now. @param {Details} found @returns {import('./command-list.js').Listed[]} */
function changesOf(found) {
  const { kind, transaction_id, amount, proposals } = found;
  const open = proposals.find(({ state }) => state === 'open');
  if (open) return decisionsOf(open);
  if (isOpen(found)) return [['proposeExceptionResolution', { transaction_id, kind }]];
  return [[kind === 'payment' ? 'proposePaymentOutcome' : 'proposePayoutOutcome', { transaction_id, amount }]];
}

/** Causes of the changes to which a result of the channel leads. @param {string} result */
function causesOf(result) {
  if (result === 'unavailable') return ['declined by channel'];
  if (result === 'cancelled') return ['declined by gateway'];
  return [`${result} by channel`, ...(result === 'succeeded' ? ['found_paid by channel'] : [])];
}

/** The past of a transaction, causes before their effects. @param {Details} found @returns {import('../shared/timeline.js').Entry[]} */
function timeline({ statuses, channel_calls: calls, ledger_entries: entries, events, currency }) {
  // A gateway of an earlier version, which runs next to this one during an upgrade, doesn't say them.
  const rest = [...(calls ?? [])];
  const ofCall = (/** @type {Details['channel_calls'][number]} */ call) => ({
    type: /** @type {const} */ ('channel'),
    at: call.at,
    detail: call,
  });
  const callsUpTo = (/** @type {Details['statuses'][number]} */ { cause }) =>
    rest.splice(0, 1 + rest.findIndex(({ result = '' }) => causesOf(result).includes(cause ?? ''))).map(ofCall);
  /** @type {import('../shared/timeline.js').Entry[]} */
  const all = [
    ...statuses.flatMap((change) => [...callsUpTo(change), { type: /** @type {const} */ ('status'), ...change }]),
    ...rest.map(ofCall),
    ...entries.map((entry) => ({
      type: /** @type {const} */ ('ledger'),
      at: entry.at,
      id: entry.id,
      detail: { ...entry, currency },
    })),
    ...events.map((event) => ({
      type: /** @type {const} */ ('event'),
      at: event.created_at,
      id: event.id,
      detail: event,
    })),
    ...events.flatMap(({ id, deliveries }) =>
      deliveries.map((attempt) => ({ type: /** @type {const} */ ('attempt'), at: attempt.at, id, detail: attempt })),
    ),
  ];
  return all.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}
