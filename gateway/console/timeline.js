/** The history of a transaction: requests, channel calls, statuses, ledger entries, events and attempts. */
import { Code, Empty, HttpStatus, html, Outcome, Status, Time, toneOf } from './components.js';
import { day, duration, instant, money, words } from './format.js';
import { href } from './router.js';

/**
 * @typedef {import('./components.js').Children} Children
 * @typedef {import('../../generated/management/types.ts').TimelineEntry} Entry
 */

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
export function Timeline({ entries }) {
  if (entries.length === 0) return html`<${Empty} title="No history yet" />`;
  return html`<p class="quiet small">UTC, with the time since the entry before.</p>
    <ol class="timeline">${entries.map((entry, index) => html`<${Line} key=${`${entry.type} ${entry.id ?? index} ${entry.at}`} entry=${entry} before=${entries[index - 1]} />`)}</ol>`;
}

/** @param {{ entry: Entry, before: Entry | undefined }} props */
function Line({ entry, before }) {
  const { at, type, status } = entry;
  const [main, more] = DESCRIBE[type](entry, entry.detail);
  const isNewDay = before === undefined || day(at) !== day(before.at);
  return html`<li class=${type === 'status' ? toneOf(status) : ''}>
    <div class="line"><span class="kind">${words(type)}</span><span class="main">${main}</span><span class="moment number">
      ${before && html`<span class="small">+${duration(Date.parse(at) - Date.parse(before.at))}</span>`}<time datetime=${at} title=${`${at} (UTC)`}>${isNewDay && `${day(at)}, `}${instant(at)}</time></span></div>
    ${more && html`<div class="quiet small">${more}</div>`}
  </li>`;
}
