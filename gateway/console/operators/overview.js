/** The page that opens first: what needs an operator. */
import { Empty, Head, Loaded, Time } from '../shared/parts.js';
import { useResource } from '../shared/resource.js';
import { href } from '../shared/router.js';
import { Table } from '../shared/table.js';
import { html } from '../shared/view.js';
import { ExceptionTable } from './exceptions.js';
import { ProposalTable } from './proposals.js';
import { MERCHANT } from './transaction-list.js';
import { COLUMNS } from './webhooks.js';

/** Rows of each list. */
const SHOWN = 5;

export function Overview() {
  return html`<${Head} title="Overview" />
    <${Waiting} title="Open exceptions" path=${`/exceptions?limit=${SHOWN}`} all="#/exceptions"
      show=${(/** @type {any[]} */ rows) => html`<${ExceptionTable} rows=${rows} />`} />
    <${Waiting} title="Proposals that wait for an approval" path=${`/proposals?state=open&limit=${SHOWN}`} all="#/proposals?state=open"
      show=${(/** @type {any[]} */ rows) => html`<${ProposalTable} rows=${rows} empty="No proposal waits" />`} />
    <${Waiting} title="Pauses" path="/channels" all="#/channels" rowsOf=${pausedRows}
      show=${(/** @type {any[]} */ rows) =>
        html`<${Table} label="Pauses" rows=${rows} columns=${PAUSED} to=${() => '#/channels'} empty=${html`<${Empty} title="Nothing is paused" />`} />`} />
    <${Waiting} title="Abandoned webhooks" path=${`/events?state=given_up&limit=${SHOWN}`} all="#/events?state=given_up"
      show=${(/** @type {any[]} */ rows) =>
        html`<${Table} label="Abandoned webhooks" rows=${rows} columns=${COLUMNS} to=${(/** @type {any} */ row) => href(['events', row.id])} empty=${html`<${Empty} title="No webhook was abandoned" />`} />`} />
    <${Waiting} title="Stopped URLs" path=${`/stopped-urls?limit=${SHOWN}`} all="#/stopped"
      show=${(/** @type {any[]} */ rows) =>
        html`<${Table} label="Stopped URLs" rows=${rows} columns=${STOPPED} to=${(/** @type {any} */ row) => href(['stopped'], { merchant_id: row.merchant_id })} empty=${html`<${Empty} title="No URL is stopped" />`} />`} />`;
}

/** @param {import('../../../generated/management/types.ts').ChannelList} page */
function pausedRows({ data, payouts_paused: paused }) {
  return [...(paused ? [{ name: 'Payouts of all channels', paused }] : []), ...data.filter((row) => row.paused)];
}

/** @type {import('../shared/table.js').Column[]} */
const PAUSED = [
  { name: 'Channel', of: (row) => row.name },
  { name: 'Paused by', of: (row) => row.paused.by?.name ?? 'The gateway', short: true },
  { name: 'Reason', of: (row) => row.paused.reason, wide: true, clip: true },
  { name: 'Paused', of: (row) => html`<${Time} at=${row.paused.at} />`, right: true, short: true, wide: true },
];

/** @type {import('../shared/table.js').Column[]} */
const STOPPED = [
  { name: 'URL', of: (row) => row.url, clip: true },
  { name: 'Stopped by', of: (row) => row.stopped_by?.name ?? 'Its endpoint', short: true },
  MERCHANT,
  { name: 'Stopped', of: (row) => html`<${Time} at=${row.stopped_at} />`, right: true, short: true, wide: true },
];

/**
 * The first rows of a list, and a link to all.
 * @param {{ title: string, path: string, all: string, rowsOf?: (page: any) => any[], show: (rows: any[]) => any }} props
 */
function Waiting({ title, path, all, rowsOf = (page) => page.data, show }) {
  /** @type {import('../shared/resource.js').Resource<{ data: any[] }>} */
  const resource = useResource(path);
  const id = title.replaceAll(' ', '-').toLowerCase();
  return html`<section class="card flush" aria-labelledby=${id}>
    <div class="cardhead"><h2 id=${id}>${title}</h2><a href=${all}>All</a></div>
    <${Loaded} resource=${resource}>${(/** @type {{ data: any[] }} */ page) => show(rowsOf(page))}</${Loaded}>
  </section>`;
}
