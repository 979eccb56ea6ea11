/** The log of requests to the API. */
import { BASE, query } from '../shared/api.js';
import { duration } from '../shared/format.js';
import { Code, Copy, Empty, Facts, Head, Loaded, Status, Time, toneOfHttp } from '../shared/parts.js';
import { listAddress } from '../shared/places.js';
import { useResource } from '../shared/resource.js';
import { href } from '../shared/router.js';
import { curl } from '../shared/shell.js';
import { Filters, Pager, Table } from '../shared/table.js';
import { html } from '../shared/view.js';
import { useDocument } from './documents.js';
import { Headers } from './events.js';

/**
 * @typedef {import('../../../generated/sandbox/types.ts').RequestSummary} RequestSummary
 * @typedef {import('../../../generated/sandbox/types.ts').LoggedRequest} LoggedRequest
 */

/** @param {RequestSummary} row */
const transactionLink = ({ transaction_id: id, operation = '' }) =>
  id &&
  html`<a class="mono" href=${href([/payout/i.test(operation) || id.startsWith('out') ? 'payouts' : 'payments', id])}>${id}</a>`;

/** The id has its own column. @param {RequestSummary} row */
const shortened = ({ path, transaction_id: id }) => (id ? path.replace(id, '…') : path);

/** The first violation, or else the problem. @param {RequestSummary} row */
function wrong({ problem, violations: [first, ...others] = [] }) {
  if (!first) return problem;
  return `${first.pointer || first.in} ${first.message}${others.length > 0 ? `, and ${others.length} more` : ''}`;
}

/** @type {import('../shared/table.js').Column[]} */
const COLUMNS = [
  {
    name: 'Request',
    of: (row) =>
      html`<span class="mono" title=${row.path}><strong>${row.method}</strong> ${shortened(row)}</span>${row.problem && html`<br /><span class="small quiet" title=${wrong(row)}>${wrong(row)}</span>`}`,
    clip: true,
  },
  { name: 'Status', of: (row) => html`<${Status} value=${row.status} tone=${toneOfHttp(row.status)} />`, short: true },
  { name: 'Transaction', of: transactionLink, wide: true, clip: true },
  { name: 'Duration', of: (row) => duration(row.duration_ms), right: true, wide: true, short: true },
  { name: 'At', of: (row) => html`<${Time} at=${row.at} />`, right: true, short: true, wide: true },
];

/** @param {{ filters: Record<string, string> }} props */
export function Requests({ filters }) {
  const { view, sandbox, ...rest } = filters;
  const grouped = view === 'errors';
  const contract = useDocument('contract');
  const chosen = {
    ...(grouped ? { failed: 'true', limit: 200 } : rest),
    ...(sandbox !== 'shown' && { sandbox: 'false' }),
  };
  /** @type {import('../shared/resource.js').Resource<{ data: RequestSummary[], next_cursor?: string }>} */
  const resource = useResource(`/sandbox/requests${query(chosen)}`, filters['cursor'] ? [] : ['request']);
  return html`<${Head} title="Requests" />
    <nav class="tabs" aria-label="Views">
      <a href="#/requests" aria-current=${grouped ? undefined : 'page'}>Log</a>
      <a href="#/requests?view=errors" aria-current=${grouped ? 'page' : undefined}>Errors, grouped</a>
    </nav>
    ${
      !grouped &&
      html`<${Filters} fields=${[
        { name: 'failed', label: 'Response', options: [['true', 'Only errors']] },
        { name: 'operation', label: 'Operation', options: contract?.operations.map(({ id }) => id) ?? [] },
        { name: 'transaction_id', label: 'Transaction' },
        { name: 'sandbox', label: 'Requests to the sandbox', options: [['shown', 'Shown']], all: 'Hidden' },
      ]} />`
    }
    <section class="card flush" aria-label="Requests">
      <${Loaded} resource=${resource}>${(/** @type {any} */ page) =>
        grouped
          ? html`<${Table} label="Errors" rows=${groups(page.data)} columns=${GROUP_COLUMNS} to=${(/** @type {any} */ row) => href(['requests', row.last.id])} empty=${html`<${Empty} title="No errors">None of the last requests has failed.</${Empty}>`} />`
          : html`<${Table} key=${query(filters)} label="Requests" rows=${page.data} columns=${COLUMNS} to=${(/** @type {RequestSummary} */ row) => href(['requests', row.id])}
              empty=${html`<${Empty} title=${Object.keys(rest).length > 0 ? 'No requests match' : 'No requests yet'}>The last 1,000 requests to the API are kept.</${Empty}>`} />
              <${Pager} next=${page.next_cursor} />`}</${Loaded}>
    </section>`;
}

/** @type {import('../shared/table.js').Column[]} */
const GROUP_COLUMNS = [
  { name: 'Problem', of: (row) => wrong(row.last) ?? row.last.path },
  {
    name: 'Status',
    of: (row) => html`<${Status} value=${row.last.status} tone=${toneOfHttp(row.last.status)} />`,
    short: true,
  },
  { name: 'Operation', of: (row) => row.last.operation, wide: true },
  { name: 'Count', of: (row) => row.count, right: true, wide: true },
  { name: 'Last', of: (row) => html`<${Time} at=${row.last.at} />`, right: true, short: true, wide: true },
];

/** Requests with the same operation, status and first mistake. @param {RequestSummary[]} requests newest first */
function groups(requests) {
  /** @type {Map<string, { id: string, last: RequestSummary, count: number }>} */
  const found = new Map();
  for (const request of requests) {
    const id = `${request.operation} ${request.status} ${wrong(request)}`;
    const group = found.get(id) ?? { id, last: request, count: 0 };
    found.set(id, { ...group, count: group.count + 1 });
  }
  return [...found.values()].sort((a, b) => b.count - a.count);
}

/** @param {{ id: string }} props */
export function RequestPage({ id }) {
  /** @type {import('../shared/resource.js').Resource<LoggedRequest>} */
  const resource = useResource(`/sandbox/requests/${encodeURIComponent(id)}`);
  return html`<p class="crumbs"><a href=${listAddress('requests')}>Requests</a></p>
    <${Loaded} title="Request" resource=${resource}>${(/** @type {LoggedRequest} */ request) => html`
      <${Head} title=${`${request.method} ${request.path.split('?')[0]}`} beside=${html`<${Status} value=${request.status} tone=${toneOfHttp(request.status)} />`} />
      <section class="card" aria-labelledby="facts">
        <div class="cardhead"><h2 id="facts">Details</h2><span class="buttons"><${Copy} text=${request.id} label="Copy ID" /><${Copy} text=${commandOf(request)} label="Copy as curl" /></span></div>
        <${Facts} items=${[
          ['ID', html`<span class="mono">${request.id}</span>`],
          [
            'Operation',
            request.operation && html`<a href=${href(['explorer', request.operation])}>${request.operation}</a>`,
          ],
          ['Transaction', transactionLink(request)],
          ['At', html`<${Time} at=${request.at} />`],
          ['Duration', duration(request.duration_ms)],
          ['Problem', request.problem],
          [
            'Violations',
            request.violations &&
              html`<ul>${request.violations.map((one) => html`<li><code>${one.in} ${one.pointer}</code> ${one.message}</li>`)}</ul>`,
          ],
          [
            'Related',
            request.transaction_id &&
              html`<a href=${href(['requests'], { transaction_id: request.transaction_id })}>requests</a>, <a href=${href(['events'], { transaction_id: request.transaction_id })}>events</a>`,
          ],
        ]} />
      </section>
      <div class="columns">
        <${Message} title="Request" headers=${request.request_headers} body=${request.request_body} />
        <${Message} title="Response" headers=${request.response_headers} body=${request.response_body} />
      </div>`}</${Loaded}>`;
}

/** @param {LoggedRequest} request */
function commandOf({ method, path, request_body: body }) {
  let value;
  try {
    value = JSON.parse(body);
  } catch {
    // The body is missing or isn't JSON.
  }
  return curl(method, BASE + path, value);
}

/** @param {{ title: string, headers: Record<string, string>, body: string }} props */
function Message({ title, headers, body }) {
  return html`<section class="card stack tight" aria-label=${title}>
    <div class="cardhead"><h2>${title}</h2>${body && html`<${Copy} text=${body} />`}</div>
    <${Headers} title="Headers" headers=${headers} />
    ${body ? html`<${Code} value=${body} label=${`Body of the ${title.toLowerCase()}`} />` : html`<p class="quiet small">No body.</p>`}
  </section>`;
}
