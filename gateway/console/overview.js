/** The first page: balances and traffic of a merchant, and everything that needs attention. */
import { apiPath, canSimulate, facts, session } from './api.js';
import { ClockCard, useClock } from './clock.js';
import { Card, Empty, Head, html, Loaded, Status, Time, toTone } from './components.js';
import { EVENT_COLUMNS } from './events.js';
import { count, hour, money } from './format.js';
import { MERCHANT, Table, timeColumn } from './list.js';
import { EXCEPTION_COLUMNS, PROPOSAL_COLUMNS } from './proposals.js';
import { useResource } from './resource.js';
import { href, idHref } from './router.js';
import { FAILING_COLUMNS } from './transactions.js';

/**
 * @typedef {import('./list.js').Column} Column
 * @typedef {import('../../generated/management/types.ts').Overview} MerchantOverview
 * @typedef {{ title: string, none: string, columns: Column[], to: (row: any) => string | undefined, all: string }} Section
 * @typedef {Section & { path: string, rows?: (page: any) => any[] }} ListedSection
 */

/** Rows of each list. */
const SHOWN = 5;

export function Overview() {
  return html`<${Head} title="Overview" />${session.operator ? ATTENTION.map((one) => html`<${Listed} key=${one.path} section=${one} />`) : html`<${Merchant} />`}`;
}

/** Lists of an operator's overview. @type {ListedSection[]} */
const ATTENTION = [
  {
    title: 'Failing and stuck transactions',
    path: apiPath('failing'),
    all: '#/failing',
    none: 'No transaction is failing or stuck',
    to: (row) => idHref(row.transaction_id),
    columns: FAILING_COLUMNS,
  },
  {
    title: 'Open exceptions',
    path: apiPath('exceptions'),
    all: '#/exceptions',
    none: 'No exception is open',
    to: (row) => idHref(row.transaction_id),
    columns: EXCEPTION_COLUMNS,
  },
  {
    title: 'Open differences',
    path: `${apiPath('differences')}?state=open`,
    all: '#/differences',
    none: 'No difference is open',
    to: () => '#/differences',
    columns: [
      { name: 'Difference', cell: (row) => `${row.transaction_id}: ${row.difference}` },
      { name: 'Channel', cell: (row) => row.channel, short: true },
      timeColumn('Found', (row) => row.found_at),
    ],
  },
  {
    title: 'Proposals to decide',
    path: `${apiPath('proposals')}?state=open`,
    all: '#/proposals?state=open',
    none: 'No open proposals',
    to: (row) => idHref(row.id),
    columns: PROPOSAL_COLUMNS,
  },
  {
    title: 'Pauses',
    path: apiPath('channels'),
    all: '#/channels',
    none: 'Nothing is paused',
    to: () => '#/channels',
    rows: ({ data, payouts_paused: paused }) => [
      ...(paused ? [{ name: 'Payouts of all channels', paused }] : []),
      ...data.filter((/** @type {any} */ row) => row.paused),
    ],
    columns: [
      { name: 'Channel', cell: (row) => row.name },
      { name: 'Paused by', cell: (row) => row.paused.by?.name ?? 'The gateway', short: true },
      { name: 'Reason', cell: (row) => row.paused.reason, wide: true },
      timeColumn('Paused', (row) => row.paused.at),
    ],
  },
  {
    title: 'Abandoned webhooks',
    path: `${apiPath('events')}?state=given_up`,
    all: '#/events?state=given_up',
    none: 'No webhook was abandoned',
    to: (row) => href(['events', row.id]),
    columns: EVENT_COLUMNS,
  },
  {
    title: 'Stopped URLs',
    path: apiPath('stopped-urls'),
    all: '#/stopped-urls',
    none: 'No URL is stopped',
    to: (row) => href(['stopped-urls'], { merchant_id: row.merchant_id }),
    columns: [
      { name: 'URL', cell: (row) => row.url, clip: true },
      { name: 'Stopped by', cell: (row) => row.stopped_by?.name ?? 'Its endpoint', short: true },
      MERCHANT,
      timeColumn('Stopped', (row) => row.stopped_at),
    ],
  },
];

/** The first rows of a list. @param {{ section: ListedSection }} props */
function Listed({ section }) {
  const { path, title, all, rows = (page) => page.data } = section;
  const limited = path.endsWith('/channels') ? path : `${path}${path.includes('?') ? '&' : '?'}limit=${SHOWN}`;
  return html`<${Card} title=${title} kind="flush" beside=${html`<a href=${all}>All</a>`}>
    <${Loaded} path=${limited}>${(/** @type {any} */ page) => html`<${SectionTable} section=${section} rows=${rows(page)} />`}</${Loaded}>
  </${Card}>`;
}

/** @param {{ section: Section, rows: any[] }} props */
function SectionTable({ section: { title, columns, to, none }, rows }) {
  return html`<${Table} label=${title} rows=${rows} columns=${columns} to=${to} empty=${html`<${Empty} title=${none} />`} />`;
}

/** @type {Section} */
const FAILING_EVENTS = {
  title: 'Failing deliveries',
  all: '#/events',
  none: 'No failing deliveries',
  to: (row) => href(['events', row.id]),
  columns: EVENT_COLUMNS.map((column) =>
    column.name === 'Attempts'
      ? { ...column, name: 'Last result', cell: (row) => row.last_result, right: false }
      : column,
  ),
};

function Merchant() {
  const path = session.merchant && `${apiPath('merchants', session.merchant.id)}/overview`;
  const live = ['transaction', 'event', 'attempt', 'settings'];
  const now = useClock().data?.now ?? new Date().toISOString();
  return html`<${Loaded} path=${path} live=${live}>${(/** @type {MerchantOverview} */ data) => html`
    <${Balances} wallets=${data.wallets} />
    <div class="columns">
      <${Chart} kind="payment" title="Payments" hours=${data.hours} statuses=${data.statuses} now=${now} />
      <${Chart} kind="payout" title="Payouts" hours=${data.hours} statuses=${data.statuses} now=${now} />
    </div>
    ${canSimulate && html`<div class="columns"><${ClockCard} /><${Faults} /></div>`}
    <${Card} title=${FAILING_EVENTS.title} kind="flush" beside=${html`<a href=${FAILING_EVENTS.all}>All</a>`}>
      <${SectionTable} section=${FAILING_EVENTS} rows=${data.failing} />
    </${Card}>`}</${Loaded}>`;
}

/** @param {{ wallets: MerchantOverview['wallets'] }} props */
function Balances({ wallets }) {
  if (wallets.length === 0) return html`<${Empty} title="No wallets">The first successful payment adds one.</${Empty}>`;
  return html`<section aria-label="Balances" class="balances">${wallets.map(
    ({ currency, available, pending }) => html`<div>
      <a class="quiet small" href=${href(['ledger'], { currency })}>${currency} available</a>
      <p class="amount number">${money(available, currency)}</p>
      <p class="quiet small number">${money(pending, currency)} pending</p>
    </div>`,
  )}</section>`;
}

function Faults() {
  /** @type {import('./resource.js').Resource<{ data: any[] }>} */
  const { data: chaosList } = useResource('/sandbox/chaos', ['settings']);
  /** @type {import('./resource.js').Resource<{ data: any[] }>} */
  const { data: faultList } = useResource('/sandbox/webhook-faults', ['settings']);
  const [chaos, faults] = [chaosList?.data ?? [], faultList?.data ?? []];
  return html`<${Card} title="Active faults" beside=${html`<a href="#/sandbox/chaos">Add</a>`}>
    ${
      chaos.length + faults.length === 0
        ? html`<p class="quiet">None</p>`
        : html`<ul class="stack tight">
            ${chaos.map((rule) => html`<li key=${rule.id}><${Status} value=${rule.fault} tone="warn" /> on ${rule.operation ?? 'all operations'}${rule.ends_at && html`<span class="quiet">, until </span><${Time} at=${rule.ends_at} />`}</li>`)}
            ${faults.map((rule) => html`<li key=${rule.id}><${Status} value=${rule.fault} tone="warn" /> on webhooks to ${rule.address ?? rule.transaction_id ?? 'all addresses'}</li>`)}
          </ul>`
    }
  </${Card}>`;
}

const HOUR_MS = 3_600_000;
const HOURS = 24;
const WIDTH = 480;
const HEIGHT = 120;
const GAP = 4;

/**
 * A bar for each of the last 24 hours, with a segment for each status.
 * @param {{ kind: import('./api.js').Kind, title: string, hours: MerchantOverview['hours'],
 *   statuses: MerchantOverview['statuses'], now: string }} props
 */
function Chart({ kind, title, hours, statuses, now }) {
  const last = Math.floor(Date.parse(now) / HOUR_MS);
  const ofKind = hours.filter((one) => one.kind === kind);
  const bars = Array.from({ length: HOURS }, (_, index) => {
    const at = last - HOURS + 1 + index;
    return { at, segments: ofKind.filter((one) => Math.floor(Date.parse(one.at) / HOUR_MS) === at) };
  });
  const highest = Math.max(1, ...bars.map(({ segments }) => sum(segments)));
  const counts = statuses.filter((one) => one.kind === kind);
  const total = sum(counts);
  const order = facts.statuses[kind];
  return html`<${Card} title=${title} beside=${html`<span class="quiet small number">${count(total)} in 24 hours</span>`}>
    <svg class="chart" viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label=${`${title} of the last 24 hours, by hour: ${total}, at most ${highest} in an hour.`}>
      <line x1="0" x2=${WIDTH} y1=${HEIGHT - 0.5} y2=${HEIGHT - 0.5} vector-effect="non-scaling-stroke" />
      ${bars.map(({ at, segments }, index) => html`<${Bar} key=${at} index=${index} segments=${inOrder(segments, order)} highest=${highest} />`)}
    </svg>
    <div class="axis" aria-hidden="true"><span>${hour(new Date((last - HOURS + 1) * HOUR_MS).toISOString())}</span><span>${hour(now)} UTC</span></div>
    ${total === 0 && html`<p class="legend quiet">No ${kind}s in the last 24 hours.</p>`}
    <ul class="legend">${inOrder(counts, order).map(
      ({ status, count: number }) =>
        html`<li><a href=${href([`${kind}s`], { status })}><span class=${`dot ${toTone(status)}`}></span>${status} <strong class="number">${count(number)}</strong></a></li>`,
    )}</ul>
  </${Card}>`;
}

/** @param {{ index: number, segments: { status: string, count: number }[], highest: number }} props */
function Bar({ index, segments, highest }) {
  const width = WIDTH / HOURS;
  let top = HEIGHT;
  return segments.map(({ status, count: number }) => {
    const height = Math.max(1, (number / highest) * (HEIGHT - 6));
    top -= height;
    return html`<rect class=${toTone(status)} x=${index * width + GAP / 2} y=${top} width=${width - GAP} height=${height}><title>${status}: ${number}</title></rect>`;
  });
}

/** @param {{ count: number }[]} counts */
function sum(counts) {
  return counts.reduce((total, { count: number }) => total + number, 0);
}

/** Final statuses first. @template {{ status: string }} T @param {T[]} counts @param {string[]} order */
function inOrder(counts, order) {
  return [...counts].sort((a, b) => order.indexOf(b.status) - order.indexOf(a.status));
}
