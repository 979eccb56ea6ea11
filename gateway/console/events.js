/** Events with every attempt to deliver them, and callback URLs that get no more. */
import { useState } from 'preact/hooks';
import { apiPath, canSimulate, query, session } from './api.js';
import {
  Card,
  Code,
  Copy,
  Empty,
  Facts,
  Head,
  Headers,
  html,
  IdLink,
  Loaded,
  Outcome,
  Status,
  Tabs,
  Time,
} from './components.js';
import { useEnum } from './documents.js';
import { duration, words } from './format.js';
import { Action } from './forms.js';
import {
  CREATED_FILTERS,
  Filters,
  List,
  MERCHANT,
  MERCHANT_FILTER,
  TRANSACTION,
  timeColumn,
  toParameters,
  toTimestamp,
  withMerchant,
} from './list.js';
import { href, listHref } from './router.js';

/**
 * @typedef {import('../../generated/management/types.ts').StoppedUrl} StoppedUrl
 * @typedef {import('../../generated/management/types.ts').Attempt} Attempt
 * @typedef {import('../../generated/management/types.ts').Event} Event
 */

const HOUR_MS = 3_600_000;

export const EVENT_COLUMNS = withMerchant([
  { name: 'Event', cell: (row) => `${words(row.kind)} ${row.status}`, short: true },
  { name: 'State', cell: (row) => html`<${Status} value=${row.state} />`, short: true },
  TRANSACTION,
  { name: 'URL', cell: (row) => row.url, wide: true, clip: true },
  { name: 'Attempts', cell: (row) => row.attempts, right: true, wide: true },
  timeColumn('Created', (row) => row.created_at),
]);

/** @param {{ current: string }} props */
function EventTabs({ current }) {
  const tabs = [
    ['Events', '#/events'],
    ['Stopped URLs', '#/stopped-urls'],
  ];
  return html`<${Tabs} label="Views" links=${tabs.map(([title, address]) => [title, address, address === current])} />`;
}

/** @param {any} result */
const announceReplay = ({ events, waiting }) =>
  events === 0
    ? 'There is nothing to send again'
    : `Events sent again: ${events}, of which ${waiting} were waiting for their next attempt`;

/** @param {{ filters: Record<string, string> }} props */
export function Events({ filters }) {
  const { cursor, since, state = '', merchant_id: merchant } = filters;
  const [samples, setSamples] = useState(/** @type {{ event: string, attempt: Attempt }[]} */ ([]));
  const live = cursor ? [] : ['event', 'attempt'];
  const states = useEnum('EventState');
  const replayed = {
    since: toTimestamp(since) ?? new Date(Date.now() - HOUR_MS).toISOString(),
    ...(state === 'stopped' && { state }),
    ...(merchant && { merchant_id: Number(merchant) }),
  };
  return html`<${Head} title="Events">
      ${canSimulate && html`<${Action} id="replayEvents" button="Replay failed" body=${{ since: new Date(0).toISOString(), state: 'undelivered' }} done=${announceReplay} />`}
      <${Action} id="replayEvents" button="Replay" initial=${replayed} done=${announceReplay} />
      ${canSimulate && html`<${Action} id="sendSampleEvents" button="Send samples" done=${() => 'The samples were sent'} onDone=${(/** @type {any} */ { data }) => setSamples(data)} />`}
    </${Head}>
    ${samples.length > 0 && html`<${Card} title="Sample events"><ul>${samples.map(({ event, attempt }) => html`<li key=${event}>${event} <${Outcome} attempt=${attempt} /></li>`)}</ul></${Card}>`}
    ${session.operator && html`<${EventTabs} current="#/events" />`}
    <${Filters} fields=${[
      { name: 'state', label: 'State', options: states },
      ...MERCHANT_FILTER,
      { name: 'transaction_id', label: 'Transaction' },
      ...CREATED_FILTERS,
    ]} />
    <${List} path=${apiPath('events') + query(toParameters(filters))} live=${live} label="Events" columns=${EVENT_COLUMNS} to=${(/** @type {Event} */ row) => href(['events', row.id])}>Each change of a transaction that has a callback URL sends one.</${List}>`;
}

/** @param {{ id: string }} props */
export function EventPage({ id }) {
  /** @param {import('./resource.js').Change} change */
  const isWanted = ({ type, data }) =>
    (type === 'event' || type === 'attempt') && (data.id === undefined || data.id === id || data.event_id === id);
  return html`<p class="crumbs"><a href=${listHref('events')}>Events</a></p>
    <${Loaded} title="Event" path=${apiPath('events', id)} live=${isWanted}>${(/** @type {Event} */ event) => html`
      <${Head} title=${`${words(event.kind)} ${event.status}`} beside=${html`<${Status} value=${event.state} />`}>
        <${Action} id="resendEvent" button="Resend" parameters=${{ event_id: id }} about=${[['URL', event.url]]} />
        ${session.operator && html`<${UrlActions} target=${event} isStopped=${event.state === 'stopped'} />`}
      </${Head}>
      <div class="columns detail">
        <${Card} title="Attempts">
          ${event.deliveries.length === 0 && html`<${Empty} title="No attempt yet">${event.next_attempt_at && html`The first is at <${Time} at=${event.next_attempt_at} />.`}</${Empty}>`}
          ${[...event.deliveries].reverse().map((attempt) => html`<${AttemptDetails} key=${attempt.number} attempt=${attempt} />`)}
        </${Card}>
        <div class="stack">
          <${Card} title="Details" beside=${html`<${Copy} text=${event.id} label="Copy ID" />`}><${Facts} items=${listFacts(event)} /></${Card}>
          <${Card} title="Body" beside=${html`<${Copy} text=${event.body} />`}><${Code} value=${event.body} label="Body of the event" /></${Card}>
        </div>
      </div>`}</${Loaded}>`;
}

/** @param {Event} event @returns {import('./components.js').Fact[]} */
function listFacts(event) {
  const about = { transaction_id: event.transaction_id };
  return [
    ['ID', html`<span class="mono">${event.id}</span>`],
    ['Merchant', session.operator && MERCHANT.cell(event)],
    [words(event.kind), html`<${IdLink} id=${event.transaction_id} />`],
    ['URL', event.url],
    ['Created', html`<${Time} at=${event.created_at} />`],
    ['Next attempt', event.next_attempt_at && html`<${Time} at=${event.next_attempt_at} />`],
    ['Last result', event.last_result],
    [
      'Related',
      html`${canSimulate && html`<a href=${href(['requests'], about)}>requests</a>, `}<a href=${href(['events'], about)}>events</a>`,
    ],
  ];
}

/** An attempt; headers and response are recorded in test mode. @param {{ attempt: Attempt }} props */
function AttemptDetails({ attempt }) {
  const { number, at, duration_ms, status, request_headers: headers, response_body: response, fault } = attempt;
  const title = `Attempt ${number}`;
  return html`<section class="attempt stack tight" aria-label=${title}>
    <div class="cardhead">
      <h3>${title} <${Outcome} attempt=${attempt} /> ${fault && html`<${Status} value=${fault} tone="warn" />`}</h3>
      <span class="quiet small">${duration(duration_ms)} · <${Time} at=${at} /></span>
    </div>
    ${headers && html`<${Headers} title="Request headers" headers=${Object.entries(headers)} />`}
    ${response && html`<${Code} value=${response} label=${`Response to attempt ${number}`} />`}
    ${headers && !response && html`<p class="quiet small">${status === undefined ? 'There was no response.' : 'The response has no body.'}</p>`}
  </section>`;
}

/** Stops a callback URL, or resumes it. @param {{ target: { merchant_id: number, url: string }, isStopped: boolean }} props */
function UrlActions({ target: { merchant_id, url }, isStopped }) {
  const body = { merchant_id, url };
  /** @type {import('./components.js').Fact[]} */
  const about = [
    ['Merchant', merchant_id],
    ['URL', html`<span class="mono">${url}</span>`],
  ];
  if (!isStopped) return html`<${Action} id="stopUrl" button="Stop the URL" body=${body} about=${about} danger />`;
  // Also events that waited when the URL was stopped.
  const missed = { ...body, state: 'stopped', since: new Date(0).toISOString() };
  return html`<${Action} id="resumeUrl" button="Resume the URL" body=${body} about=${about} />
    <${Action} id="replayEvents" button="Replay its events" body=${missed} about=${about} done=${announceReplay} />`;
}

/** @param {{ filters: Record<string, string> }} props */
export function StoppedUrls({ filters }) {
  return html`<${Head} title="Stopped URLs" />
    <${EventTabs} current="#/stopped-urls" />
    <${Filters} fields=${MERCHANT_FILTER} />
    <${List} path=${apiPath('stopped-urls') + query(filters)} label="Stopped URLs" columns=${STOPPED_COLUMNS} none="No URL is stopped">Callback URLs that responded with 410, or that an operator has stopped, appear here.</${List}>`;
}

/** @type {import('./list.js').Column[]} */
const STOPPED_COLUMNS = [
  { name: 'URL', cell: (row) => html`<span class="anywhere">${row.url}</span>` },
  { name: 'Stopped by', cell: (row) => row.stopped_by?.name ?? 'Its endpoint, with a 410', short: true },
  { ...MERCHANT },
  {
    name: 'Last event',
    cell: (row) => html`<${IdLink} id=${row.event_id} />`,
    wide: true,
    clip: true,
  },
  timeColumn('Stopped', (row) => row.stopped_at),
  {
    name: 'Actions',
    cell: (row) => html`<span class="buttons"><${UrlActions} target=${row} isStopped /></span>`,
    wide: true,
  },
];
