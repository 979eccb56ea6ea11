/** Events and their deliveries. */
import { useState } from 'preact/hooks';
import { announce } from '../shared/announce.js';
import { call, query } from '../shared/api.js';
import { EVENT_COLUMNS } from '../shared/event-columns.js';
import { EventDetails } from '../shared/event-details.js';
import { duration, words } from '../shared/format.js';
import { Code, Empty, Facts, Failure, Head, Loaded, Outcome, Status, Time } from '../shared/parts.js';
import { listAddress } from '../shared/places.js';
import { useAction, useResource } from '../shared/resource.js';
import { href } from '../shared/router.js';
import { Filters, Pager, Table } from '../shared/table.js';
import { html } from '../shared/view.js';
import { OperationForm } from './operation-form.js';

/**
 * @typedef {import('../../../generated/sandbox/types.ts').EventSummary} EventSummary
 * @typedef {import('../../../generated/sandbox/types.ts').Event} EventDetail
 * @typedef {import('../../../generated/sandbox/types.ts').Attempt} Attempt
 */

const STATES = ['waiting', 'delivered', 'failed'];

/** @param {{ filters: Record<string, string> }} props */
export function Events({ filters }) {
  /** @type {import('../shared/resource.js').Resource<{ data: EventSummary[], next_cursor?: string }>} */
  const resource = useResource(`/sandbox/events${query(filters)}`, filters['cursor'] ? [] : ['event', 'attempt']);
  const [open, setOpen] = useState('');
  const replay = useAction(async () => {
    const { events } = await call('POST', '/sandbox/events/replay', { undelivered: true });
    announce(events === 0 ? 'There is nothing to send again.' : `Events sent again: ${events}`);
    resource.reload();
  });
  /** @param {string} name */
  const toggle = (name) => setOpen(open === name ? '' : name);
  return html`<${Head} title="Events">
      <div class="buttons">
        <button type="button" disabled=${replay.busy} onClick=${replay.run}>Replay failed</button>
        <button type="button" aria-expanded=${String(open === 'since')} onClick=${() => toggle('since')}>Replay since…</button>
        <button type="button" aria-expanded=${String(open === 'samples')} onClick=${() => toggle('samples')}>Send samples…</button>
      </div>
    </${Head}>
    <${Failure} error=${replay.error} />
    ${open === 'since' && html`<section class="card" aria-label="Replay events"><${OperationForm} id="replayEvents" initial=${{ since: new Date(Date.now() - 3_600_000).toISOString() }} onDone=${resource.reload} /></section>`}
    ${open === 'samples' && html`<${Samples} />`}
    <${Filters} fields=${[
      { name: 'state', label: 'State', options: STATES },
      { name: 'transaction_id', label: 'Transaction' },
    ]} />
    <section class="card flush" aria-label="Events">
      <${Loaded} resource=${resource}>${(/** @type {any} */ page) => html`
        <${Table} key=${query(filters)} label="Events" rows=${page.data} columns=${EVENT_COLUMNS} to=${(/** @type {EventSummary} */ row) => href(['events', row.id])}
          empty=${
            Object.keys(filters).length > 0
              ? html`<${Empty} title="No events match">Change the filters, or <a href="#/events">clear them</a>.</${Empty}>`
              : html`<${Empty} title="No events yet">Each change of a transaction that has a callback URL sends one.</${Empty}>`
          } />
        <${Pager} next=${page.next_cursor} />`}</${Loaded}>
    </section>`;
}

function Samples() {
  const [results, setResults] = useState(/** @type {{ event: string, attempt: Attempt }[] | undefined} */ (undefined));
  return html`<section class="card stack tight" aria-label="Send sample events">
    <${OperationForm} id="sendSampleEvents" done="The samples were sent" onDone=${(/** @type {any} */ { data }) => setResults(data)} />
    ${results && html`<ul>${results.map(({ event, attempt }) => html`<li key=${event}>${event} <${Outcome} attempt=${attempt} /></li>`)}</ul>`}
  </section>`;
}

/** @param {{ id: string }} props */
export function EventPage({ id }) {
  const path = `/sandbox/events/${encodeURIComponent(id)}`;
  /** @type {import('../shared/resource.js').Resource<EventDetail>} */
  const resource = useResource(
    path,
    ({ type, data }) =>
      (type === 'event' || type === 'attempt') && (data.id === undefined || data.id === id || data.event_id === id),
  );
  const resend = useAction(async () => {
    await call('POST', `${path}/resend`);
    announce('The event is sent again.');
    resource.reload();
  });
  return html`<p class="crumbs"><a href=${listAddress('events')}>Events</a></p>
    <${Loaded} title="Event" resource=${resource}>${(/** @type {EventDetail} */ event) => html`
      <${Head} title=${`${words(event.kind)} ${event.status}`} beside=${html`<${Status} value=${event.state} />`}>
        <button type="button" disabled=${resend.busy} onClick=${resend.run}>Resend</button>
      </${Head}>
      <${Failure} error=${resend.error} />
      <div class="columns detail">
        <section class="stack" aria-label="Attempts">
          ${event.deliveries.length === 0 && html`<section class="card"><${Empty} title="No attempt yet">${event.next_attempt_at && html`The first comes at <${Time} at=${event.next_attempt_at} />.`}</${Empty}></section>`}
          ${[...event.deliveries].reverse().map((attempt) => html`<${AttemptCard} key=${attempt.number} attempt=${attempt} />`)}
        </section>
        <${EventDetails} event=${event} last=${[
          [
            'Related',
            html`<a href=${href(['requests'], { transaction_id: event.transaction_id })}>requests</a>, <a href=${href(['events'], { transaction_id: event.transaction_id })}>events</a>`,
          ],
        ]} />
      </div>`}</${Loaded}>`;
}

/** @param {{ attempt: Attempt }} props */
function AttemptCard({ attempt }) {
  const { number, at, duration_ms, status, request_headers, response_body, fault } = attempt;
  const none = status === undefined ? 'There was no response.' : 'The response has no body.';
  return html`<section class="card stack tight" aria-label=${`Attempt ${number}`}>
    <div class="cardhead">
      <h2>Attempt ${number} <${Outcome} attempt=${attempt} /> ${fault && html`<${Status} value=${fault} tone="warn" />`}</h2>
      <span class="quiet small">${duration(duration_ms)} · <${Time} at=${at} /></span>
    </div>
    <${Headers} title="Request headers" headers=${request_headers} />
    ${response_body ? html`<div><h3>Response</h3><${Code} value=${response_body} label=${`Response to attempt ${number}`} /></div>` : html`<p class="quiet small">${none}</p>`}
  </section>`;
}

/** @param {{ title: string, headers: Record<string, string> }} props */
export function Headers({ title, headers }) {
  return html`<details><summary>${title}</summary><${Facts} items=${Object.entries(headers).map(([name, value]) => [name, html`<span class="mono">${value}</span>`])} /></details>`;
}
