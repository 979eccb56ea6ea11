/** The timeline of a payment or payout. */
import { day, duration, instant, money, words } from './format.js';
import { Code, Empty, Outcome, Status, Time, toneOf, toneOfHttp } from './parts.js';
import { href } from './router.js';
import { html } from './view.js';

/**
 * @typedef {{ at: string, type: 'request' | 'channel' | 'status' | 'ledger' | 'event' | 'attempt', id?: string, status?: string,
 *   summary?: string, cause?: string, detail?: unknown }} Entry
 * @typedef {import('./view.js').Children} Children
 * @typedef {{ what: Children, more?: Children }} Shown What is shown on the first line of an entry, and below it
 */

/** @type {Record<Entry['type'], (entry: Entry, detail: any) => Shown>} */
const SHOWN = {
  request: ({ id = '' }, { method, path, status, problem, transaction_id: about }) => ({
    what: html`<a class="mono" href=${href(['requests', id])}>${method} ${path.replace(about, '…')}</a> <${Status} value=${status} tone=${toneOfHttp(status)} />`,
    more: problem,
  }),
  channel: (_entry, { call, result, duration_ms: took, error, times, last_at: last }) => ({
    what: html`${words(call)} <${Status} value=${result ?? 'no result'} />`,
    more: html`${took !== undefined && `Took ${duration(took)}`}${last && html` · ${times} times, the last <${Time} at=${last} />`}${error && ` · ${error}`}`,
  }),
  status: ({ status = '', summary = status, cause = '' }) => ({
    what: html`<${Status} value=${status} />`,
    more: [words(cause), summary === status ? '' : summary.replace(`${status}: `, '')].filter(Boolean).join(' · '),
  }),
  ledger: (_entry, { reason, amount, currency, from, to }) => ({
    what: html`<span class="number">${words(reason)}: ${money(amount, currency)}</span>`,
    more: `${from} → ${to}`,
  }),
  event: ({ id = '' }, { status, state, url }) => ({
    what: html`<a href=${href(['events', id])}>${status}</a> <${Status} value=${state} />`,
    more: html`<span class="clamp" title=${url}>${url}</span>`,
  }),
  attempt: ({ id = '' }, attempt) => ({
    what: html`<a href=${href(['events', id])}>Attempt ${attempt.number}</a> <${Outcome} attempt=${attempt} />`,
    more: html`Took ${duration(attempt.duration_ms)}${attempt.response_body && html`<details><summary>Response</summary><${Code} value=${attempt.response_body} label=${`Response to attempt ${attempt.number}`} /></details>`}`,
  }),
};

/** @param {{ entries: Entry[] }} props Causes before their effects */
export function Timeline({ entries }) {
  if (entries.length === 0) return html`<${Empty} title="Nothing has happened yet" />`;
  return html`<p class="quiet small">UTC, with the time since the entry before.</p>
    <ol class="timeline">${entries.map((entry, index) => html`<${Line} key=${`${entry.type} ${entry.id ?? index} ${entry.at}`} entry=${entry} before=${entries[index - 1]} />`)}</ol>`;
}

/** @param {{ entry: Entry, before: Entry | undefined }} props */
function Line({ entry, before }) {
  const { at, type, status } = entry;
  const { what, more } = SHOWN[type](entry, entry.detail);
  return html`<li class=${type === 'status' ? toneOf(status) : ''}>
    <div class="line"><span class="kind">${words(type)}</span><span class="what">${what}</span><${Moment} at=${at} before=${before?.at} /></div>
    ${more && html`<div class="quiet small">${more}</div>`}
  </li>`;
}

/**
 * The time of an entry, its day if it differs from the previous one, and the time elapsed. @param {{ at: string,
 * before: string | undefined }} props
 */
function Moment({ at, before }) {
  const isNewDay = before === undefined || day(at) !== day(before);
  const later = before !== undefined && `+${duration(Date.parse(at) - Date.parse(before))}`;
  return html`<span class="moment number">${later && html`<span class="small">${later}</span>`}<time datetime=${at} title=${`${at} (UTC)`}>${isNewDay && `${day(at)}, `}${instant(at)}</time></span>`;
}
