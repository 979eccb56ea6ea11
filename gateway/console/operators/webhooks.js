/** Webhooks of all merchants, and stopped callback URLs. */
import { query } from '../shared/api.js';
import { EVENT_COLUMNS } from '../shared/event-columns.js';
import { EventDetails } from '../shared/event-details.js';
import { duration, words } from '../shared/format.js';
import { Empty, Facts, Head, Loaded, Outcome, Status, Time } from '../shared/parts.js';
import { listAddress } from '../shared/places.js';
import { useResource } from '../shared/resource.js';
import { href } from '../shared/router.js';
import { Filters, Pager, Table } from '../shared/table.js';
import { timeOf } from '../shared/transactions.js';
import { html } from '../shared/view.js';
import { facts } from './admin-facts.js';
import { Change, Commands } from './command-list.js';
import { replayOfStopped } from './commands.js';
import { MERCHANT, MERCHANT_FILTER } from './transaction-list.js';

/**
 * @typedef {import('../../../generated/management/types.ts').EventSummary} EventSummary
 * @typedef {import('../../../generated/management/types.ts').Event} EventDetail
 * @typedef {import('../../../generated/management/types.ts').StoppedUrl} StoppedUrl
 */

/** States whose events can be replayed. A replay selects neither by transaction nor by an end. */
const REPLAYED = ['given_up', 'stopped'];

/** The columns of a merchant's list, and which merchant it is. */
export const COLUMNS = EVENT_COLUMNS.toSpliced(2, 0, MERCHANT);

/** @param {{ current: 'events' | 'stopped' }} props */
function Tabs({ current }) {
  return html`<nav class="tabs" aria-label="Views">
    <a href="#/events" aria-current=${current === 'events' ? 'page' : undefined}>Events</a>
    <a href="#/stopped" aria-current=${current === 'stopped' ? 'page' : undefined}>Stopped URLs</a>
  </nav>`;
}

/** @param {{ filters: Record<string, string> }} props */
export function Webhooks({ filters }) {
  const { since, before, ...chosen } = filters;
  const wanted = { ...chosen, created_from: timeOf(since), created_before: timeOf(before) };
  /** @type {import('../shared/resource.js').Resource<import('../../../generated/management/types.ts').EventList>} */
  const resource = useResource(`/events${query(wanted)}`);
  const { state = '', merchant_id: merchant } = filters;
  const replay = { since: timeOf(since) ?? 'SINCE', state, ...(merchant && { merchant_id: Number(merchant) }) };
  return html`<${Head} title="Webhooks" />
    <${Tabs} current="events" />
    <${Filters} fields=${[
      { name: 'state', label: 'State', options: facts.eventStates },
      MERCHANT_FILTER,
      { name: 'transaction_id', label: 'Transaction' },
      { name: 'since', label: 'From (UTC)', type: 'datetime-local' },
      { name: 'before', label: 'Before (UTC)', type: 'datetime-local' },
    ]} />
    <section class="card flush" aria-label="Events">
      <${Loaded} resource=${resource}>${(/** @type {{ data: EventSummary[], next_cursor?: string }} */ page) => html`
        <${Table} key=${query(filters)} label="Events" rows=${page.data} columns=${COLUMNS} to=${(/** @type {EventSummary} */ row) => href(['events', row.id])}
          empty=${html`<${Empty} title=${Object.keys(filters).length > 0 ? 'No events match' : 'No events yet'}>Each change of a transaction that has a callback URL sends one.</${Empty}>`} />
        <${Pager} next=${page.next_cursor} />`}</${Loaded}>
    </section>
    ${REPLAYED.includes(state) && !filters['transaction_id'] && !before && html`<${Commands} of=${[['replayEvents', replay]]} />`}`;
}

/** @param {{ id: string }} props */
export function WebhookPage({ id }) {
  /** @type {import('../shared/resource.js').Resource<EventDetail>} */
  const resource = useResource(`/events/${encodeURIComponent(id)}`);
  return html`<p class="crumbs"><a href=${listAddress('events')}>Webhooks</a></p>
    <${Loaded} title="Webhook" resource=${resource}>${(/** @type {EventDetail} */ event) => html`
      <${Head} title=${`${words(event.kind)} ${event.status}`} beside=${html`<${Status} value=${event.state} />`} />
      <div class="columns detail">
        <div class="stack">
          <section class="card flush" aria-labelledby="attempts">
            <div class="cardhead"><h2 id="attempts">Attempts</h2></div>
            <${Table} label="Attempts" rows=${[...event.deliveries].reverse()} columns=${ATTEMPTS}
              empty=${html`<${Empty} title="No attempt yet">${event.next_attempt_at && html`The first comes at <${Time} at=${event.next_attempt_at} />.`}</${Empty}>`} />
          </section>
          <${Commands} of=${[
            ['resendEvent', { event_id: event.id }],
            event.state === 'stopped' ? ['resumeUrl', urlOf(event)] : ['stopUrl', urlOf(event)],
          ]} />
        </div>
        <${EventDetails} event=${event} first=${[['Merchant', MERCHANT.of(event)]]} />
      </div>`}</${Loaded}>`;
}

/** @type {import('../shared/table.js').Column[]} */
const ATTEMPTS = [
  { name: 'Attempt', of: (row) => row.number, short: true },
  { name: 'Result', of: (row) => html`<${Outcome} attempt=${row} />` },
  { name: 'Duration', of: (row) => duration(row.duration_ms), right: true, short: true, wide: true },
  { name: 'At', of: (row) => html`<${Time} at=${row.at} />`, right: true, short: true, wide: true },
];

/** @param {{ merchant_id: number, url: string }} of */
function urlOf({ merchant_id, url }) {
  return { merchant_id, url };
}

/** @param {{ filters: Record<string, string> }} props */
export function Stopped({ filters }) {
  /** @type {import('../shared/resource.js').Resource<import('../../../generated/management/types.ts').StoppedUrlList>} */
  const resource = useResource(`/stopped-urls${query(filters)}`);
  return html`<${Head} title="Stopped URLs" />
    <${Tabs} current="stopped" />
    <${Filters} fields=${[MERCHANT_FILTER]} />
    <${Loaded} resource=${resource}>${(/** @type {{ data: StoppedUrl[], next_cursor?: string }} */ page) => html`
      ${page.data.length === 0 && html`<section class="card"><${Empty} title="No stopped URLs">Callback URLs that respond with 410, or that an operator has stopped, appear here.</${Empty}></section>`}
      ${page.data.map((one) => html`<${StoppedCard} key=${one.event_id} stopped=${one} />`)}
      <${Pager} next=${page.next_cursor} />`}</${Loaded}>
    <${Commands} of=${[]} />`;
}

/** @param {{ stopped: StoppedUrl }} props */
function StoppedCard({ stopped }) {
  const { url, stopped_at: at, stopped_by: by, event_id: event } = stopped;
  return html`<section class="card stack tight" aria-label=${url}>
    <h2 class="mono anywhere">${url}</h2>
    <${Facts} items=${[
      ['Merchant', MERCHANT.of(stopped)],
      ['Stopped', html`<${Time} at=${at} />`],
      ['By', by ? by.name : 'Its endpoint, which responded with 410'],
      [by ? 'Last event' : 'Event', html`<a class="mono" href=${href(['events', event])}>${event}</a>`],
    ]} />
    <${Change} of=${['resumeUrl', urlOf(stopped)]} />
    <${Change} of=${['replayEvents', replayOfStopped(stopped)]} />
  </section>`;
}
