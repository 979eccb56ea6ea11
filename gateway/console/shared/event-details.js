/** The details of an event, and its body. */
import { words } from './format.js';
import { Code, Copy, Facts, Time } from './parts.js';
import { href } from './router.js';
import { html } from './view.js';

/**
 * @typedef {Pick<import('../../../generated/management/types.ts').Event, 'id' | 'kind' | 'transaction_id' | 'url' | 'created_at' | 'next_attempt_at' | 'last_result'> & { body: unknown }} ShownEvent
 * @param {{ event: ShownEvent, first?: unknown[][], last?: unknown[][] }} props `first` and `last` are further facts of a console.
 */
export function EventDetails({ event, first = [], last = [] }) {
  return html`<div class="stack">
    <section class="card" aria-labelledby="facts">
      <div class="cardhead"><h2 id="facts">Details</h2><${Copy} text=${event.id} label="Copy ID" /></div>
      <${Facts} items=${[
        ['ID', html`<span class="mono">${event.id}</span>`],
        ...first,
        [
          words(event.kind),
          html`<a class="mono" href=${href([`${event.kind}s`, event.transaction_id])}>${event.transaction_id}</a>`,
        ],
        ['URL', event.url],
        ['Created', html`<${Time} at=${event.created_at} />`],
        ['Next attempt', event.next_attempt_at && html`<${Time} at=${event.next_attempt_at} />`],
        ['Last result', event.last_result],
        ...last,
      ]} />
    </section>
    <section class="card" aria-labelledby="body">
      <div class="cardhead"><h2 id="body">Body</h2><${Copy} text=${event.body} /></div>
      <${Code} value=${event.body} label="Body of the event" />
    </section>
  </div>`;
}
