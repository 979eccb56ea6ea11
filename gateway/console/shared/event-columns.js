/** The columns of lists of events. */
import { words } from './format.js';
import { Status, Time } from './parts.js';
import { href } from './router.js';
import { html } from './view.js';

/** @type {import('./table.js').Column[]} */
export const EVENT_COLUMNS = [
  { name: 'Event', of: (row) => `${words(row.kind)} ${row.status}`, short: true },
  { name: 'State', of: (row) => html`<${Status} value=${row.state} />`, short: true },
  {
    name: 'Transaction',
    of: (row) => html`<a class="mono" href=${href([`${row.kind}s`, row.transaction_id])}>${row.transaction_id}</a>`,
    wide: true,
    clip: true,
  },
  { name: 'URL', of: (row) => row.url, wide: true, clip: true },
  { name: 'Attempts', of: (row) => row.attempts, right: true, wide: true },
  { name: 'Created', of: (row) => html`<${Time} at=${row.created_at} />`, right: true, short: true, wide: true },
];
