/** The page of a payment or payout. The API's response contains only what the session may see. */
import { useState } from 'preact/hooks';
import { apiPath, BASE, call, canSimulate, facts, session } from './api.js';
import {
  announce,
  Card,
  Code,
  Copy,
  Empty,
  Facts,
  Failure,
  Head,
  HttpStatus,
  html,
  Loaded,
  Outcome,
  Status,
  Time,
  toTone,
} from './components.js';
import { fillPath, useDocument } from './documents.js';
import { curl, day, duration, instant, money, words } from './format.js';
import { Action, OperationForm } from './forms.js';
import { MERCHANT, Table } from './list.js';
import { DecisionActions, describeResult, PROPOSAL_COLUMNS } from './proposals.js';
import { useAction } from './resource.js';
import { href, listHref } from './router.js';

/**
 * @typedef {import('./api.js').Kind} Kind
 * @typedef {import('./components.js').Children} Children
 * @typedef {import('../../generated/management/types.ts').TimelineEntry} Entry
 * @typedef {import('../../generated/management/types.ts').TransactionDetails} Details
 */

/** @param {{ kind: Kind, id: string }} props */
export function TransactionPage({ kind, id }) {
  return html`<p class="crumbs"><a href=${listHref(`${kind}s`)}>${words(`${kind}s`)}</a></p>
    <${Loaded} title=${words(kind)} path=${apiPath(`${kind}s`, id)} live=${(/** @type {import('./resource.js').Change} */ change) => concerns(change, id)}>${(/** @type {Details} */ found) => html`<${Detail} kind=${kind} id=${id} found=${found} />`}</${Loaded}>`;
}

/** @param {import('./resource.js').Change} change @param {string} id */
function concerns({ type, data }, id) {
  if (type === 'settings') return false;
  return data.id === id || data.transaction_id === id || (data.id === undefined && data.transaction_id === undefined);
}

/** @param {{ kind: Kind, id: string, found: Details }} props */
function Detail({ kind, id, found }) {
  const { request, failing, exceptions = [], proposals = [], legal_events: legal } = found;
  /** @type {any} */
  const summary = { callback_url: request?.['callback_url'], ...found };
  const { amount, currency, decline_reason: reason, status } = summary;
  const decline = found.decline ?? (reason && { ...facts.declines[kind][reason], reason });
  const [exception] = exceptions.filter(({ resolution }) => !resolution);
  return html`<${Head} title=${money(amount, currency)}
      beside=${html`<${Status} value=${status} />${reason && html`<span class="quiet">${reason}</span>`}`}>
      ${found.checkout_url && html`<a class="button" href=${found.checkout_url} target="_blank" rel="noopener">Open payment page</a>`}
      <${Proposing} summary=${summary} exception=${exception} proposal=${proposals.find(({ state }) => state === 'open')} />
    </${Head}>
    ${
      failing &&
      html`<div class="notice warn"><p>The next step fails: ${failing.error}</p>
        ${failing.channel_error && html`<p>The channel's last error: ${failing.channel_error}</p>`}
        <p>Failed attempts in a row: ${failing.failures}. The next one is at <${Time} at=${failing.next_attempt_at} />.</p></div>`
    }
    ${exceptions.length > 0 && html`<${Exceptions} summary=${summary} exceptions=${exceptions} isOpen=${exception !== undefined} />`}
    ${legal && canSimulate && html`<${Simulations} kind=${kind} id=${id} legal=${legal} />`}
    ${decline && html`<${Decline} decline=${decline} amount=${amount} currency=${currency} />`}
    <div class="columns detail">
      <div class="stack">
        <${Card} title="Timeline"><${Timeline} entries=${found.timeline} /></${Card}>
        ${
          proposals.length > 0 &&
          html`<${Card} title="Proposals" kind="flush"><${Table} label="Proposals" rows=${proposals} columns=${OWN_PROPOSAL_COLUMNS} to=${(/** @type {any} */ row) => href(['proposals', row.id])} empty="" /></${Card}>`
        }
      </div>
      <div class="stack">
        <${Card} title="Details" beside=${html`<${Copy} text=${id} label="Copy ID" />`}><${Facts} items=${listFacts(summary)} /></${Card}>
        <${Json} title=${words(kind)} value=${found.resource} command=${curl('GET', `${BASE}/${kind}s/${id}`)} />
        ${request && html`<${Json} title="Request" value=${request} command=${curl('POST', `${BASE}/${kind}s`, request)} />`}
      </div>
    </div>`;
}

/** Columns that differ between the proposals of a transaction. */
const OWN_PROPOSAL_COLUMNS = PROPOSAL_COLUMNS.filter(({ name }) => name !== 'Merchant' && name !== 'Transaction');

/** @param {any} summary @returns {import('./components.js').Fact[]} */
function listFacts(summary) {
  const { kind, transaction_id: id, currency, merchant_id: merchant, status } = summary;
  /** @param {string} name */
  const filtered = (name) =>
    summary[name] && html`<a href=${href([`${kind}s`], { [name]: summary[name] })}>${summary[name]}</a>`;
  const ledger = session.merchant ? { currency } : { currency, merchant_id: String(merchant) };
  const isFinal = facts.finalStatuses.includes(status);
  return [
    ['ID', html`<span class="mono">${id}</span>`],
    ['Merchant', session.operator && MERCHANT.cell(summary)],
    ['Order', filtered('merchant_order_id')],
    ['Customer', filtered('customer_id')],
    ['Method', summary.payment_method_type],
    ['Channel', session.operator && summary.channel && html`<a href="#/channels">${summary.channel}</a>`],
    ['Created', summary.created_at && html`<${Time} at=${summary.created_at} />`],
    ['Collected', summary.amount_paid !== undefined && money(summary.amount_paid, currency)],
    ['Callback URL', summary.callback_url],
    ['Next step', summary.next_step_at ? html`<${Time} at=${summary.next_step_at} />` : !isFinal && 'None'],
    [
      'Related',
      html`${canSimulate && html`<a href=${href(['requests'], { transaction_id: id })}>requests</a>, `}<a href=${href(['events'], { transaction_id: id })}>events</a>, <a href=${href(['ledger'], ledger)}>ledger</a>`,
    ],
  ];
}

/** @param {{ title: string, value: unknown, command: string }} props */
function Json({ title, value, command }) {
  return html`<${Card} title=${title} beside=${html`<${Copy} text=${JSON.stringify(value, null, 2)} label="Copy JSON" /><${Copy} text=${command} label="Copy as curl" />`}>
    <${Code} value=${value} label=${`${title} as JSON`} />
  </${Card}>`;
}

/** The changes of money that an operator can make now. @param {{ summary: any, exception: any, proposal: any }} props */
function Proposing({ summary, exception, proposal }) {
  if (!session.operator) return null;
  const { kind, transaction_id, status, amount, currency } = summary;
  if (proposal) return html`<${DecisionActions} proposal=${proposal} />`;
  const parameters = { transaction_id };
  /** @type {import('./components.js').Fact[]} */
  const about = [
    [words(kind), html`<span class="mono">${transaction_id}</span>`],
    ['Amount', money(amount, currency)],
    ['Status', status],
  ];
  if (exception) {
    return html`<${Action} id="proposeExceptionResolution" button="Resolve the exception" parameters=${parameters}
      about=${[...about, ['The channel says', describeResult(exception, currency)]]} />`;
  }
  if (facts.finalStatuses.includes(status)) {
    const { merchant_id, customer_id, personal_data = {} } = summary;
    if (Object.keys(personal_data).length === 0) return null;
    return html`<${Action} id="eraseCustomer" button="Erase the customer" parameters=${{ merchant_id, cursor: '' }} body=${{ customer_id }} about=${[['Customer', customer_id]]} danger />`;
  }
  const initial = kind === 'payment' ? { amount_paid: amount } : {};
  return html`<${Action} id=${`propose${words(kind)}Outcome`} button="Propose the outcome" parameters=${parameters} initial=${initial} about=${about} currency=${currency} />`;
}

/** Results of the channel that contradict the status. @param {{ summary: any, exceptions: any[], isOpen: boolean }} props */
function Exceptions({ summary: { correction, kind, currency }, exceptions, isOpen }) {
  return html`<div class=${`notice ${isOpen ? 'warn' : ''}`}>
    <p>The channel contradicts the final status of this ${kind}:</p>
    <ul>${exceptions.map(
      (exception) =>
        html`<li key=${exception.at}><${Time} at=${exception.at} /> ${describeResult(exception, currency)} <${Status} value=${exception.resolution ?? 'open'} /></li>`,
    )}</ul>
    ${correction && html`<p>${words(correction.direction)} to book it: ${money(correction.amount, currency)}.</p>`}
  </div>`;
}

/**
 * A button for each legal event. An event with a body opens a form.
 * @param {{ kind: Kind, id: string, legal: string[] }} props
 */
function Simulations({ kind, id, legal }) {
  const document = useDocument('sandbox');
  const [open, setOpen] = useState('');
  const operations = legal.flatMap((event) => {
    const path = `/sandbox/${kind}s/{transaction_id}/${event}`;
    return document?.operations.find((one) => one.path === path) ?? [];
  });
  const simulate = useAction(async (/** @type {import('./documents.js').Operation} */ operation) => {
    await call(operation.method, fillPath(operation, { transaction_id: id }));
    announce(`${operation.summary}: done`);
  });
  const chosen = operations.find((one) => one.id === open);
  if (legal.length === 0) return html`<p class="quiet">No further event can be simulated for this ${kind}.</p>`;
  return html`<${Card} title="Simulate the next event" kind="stack tight">
    <div class="buttons">${operations.map((one) =>
      one.body
        ? html`<button type="button" key=${one.id} aria-expanded=${String(open === one.id)} onClick=${() => setOpen(open === one.id ? '' : one.id)}>${one.summary}…</button>`
        : html`<button type="button" key=${one.id} disabled=${simulate.busy} title=${one.description.trim()} onClick=${() => simulate.run(one)}>${one.summary}</button>`,
    )}</div>
    <${Failure} error=${simulate.error} />
    ${
      chosen &&
      html`<${OperationForm} key=${chosen.id} id=${chosen.id} parameters=${{ transaction_id: id }} initial=${chosen.bodyRequired ? chosen.examples[0]?.value : {}} onDone=${() => setOpen('')} />`
    }
  </${Card}>`;
}

/**
 * @typedef {'min' | 'max' | 'per_day' | 'per_month'} Limited
 * @typedef {{ limit: Limited, amount: number, value: number, exceeded: boolean }} LimitUse
 * @typedef {Partial<import('./api.js').DeclineText> & { reason: string, by?: string, limits?: LimitUse[], test_data?: { field: string, value: string } }} DeclineExplanation
 */

/** @type {Record<Limited, string>} */
const LIMITS = {
  min: 'Smallest amount',
  max: 'Largest amount',
  per_day: 'Customer per day',
  per_month: 'Customer per month',
};

/** @type {Record<NonNullable<DeclineExplanation['retry']>, string>} */
const RETRIES = { now: 'Immediately', later: 'Once the cause is gone', changed: 'With other data', never: 'No' };

/** @param {{ decline: DeclineExplanation, amount: number, currency: string }} props */
function Decline({ decline, amount, currency }) {
  const {
    reason,
    by,
    meaning,
    likely_cause: cause,
    suggested_action: action,
    retry,
    acts,
    limits = [],
    test_data: test,
  } = decline;
  return html`<${Card} title="Why it was declined" kind="stack tight" beside=${html`<${Status} value=${reason} tone="bad" />`}>
    <${Facts} items=${[
      ['Cause', test && html`The test data <code>${test.value}</code> in <code>${test.field}</code>`],
      ['Meaning', meaning ?? "The contract doesn't have this reason. Treat it as a decline like any other."],
      ['Likely cause', cause],
      ['Next step', action],
      ['Try again', retry && RETRIES[retry]],
      ['Acts first', acts && words(acts)],
      ['Decided by', by && words(by)],
    ]} />
    ${
      limits.length > 0 &&
      html`<div><h3>Limits of the method, and their current use</h3>
      <${Facts} items=${limits.map((limit) => [LIMITS[limit.limit], html`<${Limit} limit=${limit} amount=${amount} currency=${currency} />`])} /></div>`
    }
  </${Card}>`;
}

/** @param {{ limit: LimitUse, amount: number, currency: string }} props */
function Limit({ limit: { limit, amount: most, value, exceeded }, amount, currency }) {
  const ofCustomer = limit === 'per_day' || limit === 'per_month';
  const used = `${money(value, currency)} used + ${money(amount, currency)} of `;
  return html`<span class="number">${ofCustomer && used}${money(most, currency)}</span> ${exceeded && html`<${Status} value=${limit === 'min' ? 'below' : 'exceeded'} tone="bad" />`}`;
}

/** The first line of an entry, and further details. @type {Record<Entry['type'], (entry: Entry, detail: any) => [Children, Children?]>} */
const DESCRIBE = {
  request: ({ id = '' }, { method, path, status, problem, transaction_id: about }) => [
    html`<a class="mono" href=${href(['requests', id])}>${method} ${path.replace(about, '…')}</a> <${HttpStatus} value=${status} />`,
    problem,
  ],
  channel: (_entry, { call, result, duration_ms: took, error, times, last_at: last }) => [
    html`${words(call)} <${Status} value=${result ?? 'no result'} />`,
    html`${took !== undefined && `Took ${duration(took)}`}${last && html` · ${times} times, the last <${Time} at=${last} />`}${error && ` · ${error}`}`,
  ],
  status: ({ status = '', summary = status, cause = '' }) => [
    html`<${Status} value=${status} />`,
    [words(cause), summary === status ? '' : summary.replace(`${status}: `, '')].filter(Boolean).join(' · '),
  ],
  ledger: (_entry, { reason, amount, currency, from, to }) => [
    html`<span class="number">${words(reason)}: ${money(amount, currency)}</span>`,
    `${from} → ${to}`,
  ],
  event: ({ id = '' }, { status, state, url }) => [
    html`<a href=${href(['events', id])}>${status}</a> <${Status} value=${state} />`,
    html`<span class="clamp" title=${url}>${url}</span>`,
  ],
  attempt: ({ id = '' }, attempt) => [
    html`<a href=${href(['events', id])}>Attempt ${attempt.number}</a> <${Outcome} attempt=${attempt} />`,
    html`Took ${duration(attempt.duration_ms)}${attempt.response_body && html`<details><summary>Response</summary><${Code} value=${attempt.response_body} label=${`Response to attempt ${attempt.number}`} /></details>`}`,
  ],
};

/** @param {{ entries: Entry[] }} props Causes before their effects */
function Timeline({ entries }) {
  if (entries.length === 0) return html`<${Empty} title="No history yet" />`;
  return html`<p class="quiet small">UTC, with the time since the entry before.</p>
    <ol class="timeline">${entries.map((entry, index) => html`<${Line} key=${`${entry.type} ${entry.id ?? index} ${entry.at}`} entry=${entry} before=${entries[index - 1]} />`)}</ol>`;
}

/** @param {{ entry: Entry, before: Entry | undefined }} props */
function Line({ entry, before }) {
  const { at, type, status } = entry;
  const [main, more] = DESCRIBE[type](entry, entry.detail);
  const isNewDay = before === undefined || day(at) !== day(before.at);
  return html`<li class=${type === 'status' ? toTone(status) : ''}>
    <div class="line"><span class="kind">${words(type)}</span><span class="main">${main}</span><span class="moment number">
      ${before && html`<span class="small">+${duration(Date.parse(at) - Date.parse(before.at))}</span>`}<time datetime=${at} title=${`${at} (UTC)`}>${isNewDay && `${day(at)}, `}${instant(at)}</time></span></div>
    ${more && html`<div class="quiet small">${more}</div>`}
  </li>`;
}
