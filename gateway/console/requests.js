/** The log of requests to the API. */
import { apiPath, BASE, query } from './api.js';
import { Card, Code, Copy, Facts, Head, Headers, HttpStatus, html, IdLink, Loaded, Tabs, Time } from './components.js';
import { useDocument } from './documents.js';
import { curl, duration, parseJson } from './format.js';
import { Filters, List, TRANSACTION, timeColumn } from './list.js';
import { href, listHref } from './router.js';

/**
 * @typedef {import('../../generated/management/types.ts').RequestSummary} RequestSummary
 * @typedef {import('../../generated/management/types.ts').LoggedRequest} LoggedRequest
 * @typedef {import('./list.js').Column} Column
 */

/** The path without the id, which has a column. @param {RequestSummary} row */
const shorten = ({ path, transaction_id: id }) => (id ? path.replace(id, '…') : path);

/** The first violation, or else the problem. @param {RequestSummary} row */
function describeProblem({ problem, violations: [first, ...others] = [] }) {
  if (!first) return problem;
  return `${first.pointer || first.in} ${first.message}${others.length > 0 ? `, and ${others.length} more` : ''}`;
}

/** @type {Column[]} */
const COLUMNS = [
  {
    name: 'Request',
    cell: (row) =>
      html`<span class="mono" title=${row.path}><strong>${row.method}</strong> ${shorten(row)}</span>${row.problem && html`<br /><span class="small quiet" title=${describeProblem(row)}>${describeProblem(row)}</span>`}`,
    clip: true,
  },
  { name: 'Status', cell: (row) => html`<${HttpStatus} value=${row.status} />`, short: true },
  TRANSACTION,
  { name: 'Duration', cell: (row) => duration(row.duration_ms), right: true, wide: true, short: true },
  timeColumn('At', (row) => row.at),
];

/** @type {Column[]} */
const GROUP_COLUMNS = [
  { name: 'Problem', cell: (row) => describeProblem(row.last) ?? row.last.path },
  { name: 'Status', cell: (row) => html`<${HttpStatus} value=${row.last.status} />`, short: true },
  { name: 'Operation', cell: (row) => row.last.operation, wide: true },
  { name: 'Count', cell: (row) => row.count, right: true, wide: true },
  timeColumn('Last', (row) => row.last.at),
];

/** @param {{ filters: Record<string, string> }} props */
export function Requests({ filters }) {
  const { view, sandbox, ...others } = filters;
  const isGrouped = view === 'errors';
  const contract = useDocument('contract');
  const chosen = {
    ...(isGrouped ? { failed: 'true', limit: 200 } : others),
    ...(sandbox !== 'shown' && { sandbox: 'false' }),
  };
  return html`<${Head} title="Requests" />
    <${Tabs} label="Views" links=${[
      ['Log', '#/requests', !isGrouped],
      ['Errors, grouped', '#/requests?view=errors', isGrouped],
    ]} />
    ${
      !isGrouped &&
      html`<${Filters} fields=${[
        { name: 'failed', label: 'Response', options: [['true', 'Only errors']] },
        { name: 'operation', label: 'Operation', options: contract?.operations.map(({ id }) => id) ?? [] },
        { name: 'transaction_id', label: 'Transaction' },
        { name: 'sandbox', label: 'Requests to the sandbox', options: [['shown', 'Shown']], all: 'Hidden' },
      ]} />`
    }
    ${
      isGrouped
        ? html`<${List} path=${apiPath('requests') + query(chosen)} live=${filters['cursor'] ? [] : ['request']} label="Errors" columns=${GROUP_COLUMNS} rows=${(/** @type {any} */ page) => groupErrors(page.data)} to=${(/** @type {any} */ row) => href(['requests', row.last.id])} />`
        : html`<${List} path=${apiPath('requests') + query(chosen)} live=${filters['cursor'] ? [] : ['request']} label="Requests" columns=${COLUMNS} to=${(/** @type {RequestSummary} */ row) => href(['requests', row.id])}>The last 1,000 requests to the API are kept.</${List}>`
    }`;
}

/** Requests with the same operation, status and first violation. @param {RequestSummary[]} requests newest first */
function groupErrors(requests) {
  /** @type {Map<string, { id: string, last: RequestSummary, count: number }>} */
  const found = new Map();
  for (const request of requests) {
    const id = `${request.operation} ${request.status} ${describeProblem(request)}`;
    const group = found.get(id) ?? { id, last: request, count: 0 };
    found.set(id, { ...group, count: group.count + 1 });
  }
  return [...found.values()].sort((a, b) => b.count - a.count);
}

/** @param {{ id: string }} props */
export function RequestPage({ id }) {
  return html`<p class="crumbs"><a href=${listHref('requests')}>Requests</a></p>
    <${Loaded} title="Request" path=${apiPath('requests', id)}>${(/** @type {LoggedRequest} */ request) => html`
      <${Head} title=${`${request.method} ${request.path.split('?')[0]}`} beside=${html`<${HttpStatus} value=${request.status} />`} />
      <${Card} title="Details" beside=${html`<${Copy} text=${request.id} label="Copy ID" /><${Copy} text=${toCommand(request)} label="Copy as curl" />`}>
        <${Facts} items=${listFacts(request)} />
      </${Card}>
      <div class="columns">
        <${Message} title="Request" headers=${request.request_headers} body=${request.request_body} />
        <${Message} title="Response" headers=${request.response_headers} body=${request.response_body} />
      </div>`}</${Loaded}>`;
}

/** @param {LoggedRequest} request @returns {import('./components.js').Fact[]} */
function listFacts(request) {
  const { operation, transaction_id: id, violations } = request;
  return [
    ['ID', html`<span class="mono">${request.id}</span>`],
    ['Operation', operation && html`<a href=${href(['explorer', operation])}>${operation}</a>`],
    ['Transaction', id && html`<${IdLink} id=${id} />`],
    ['At', html`<${Time} at=${request.at} />`],
    ['Duration', duration(request.duration_ms)],
    ['Problem', request.problem],
    [
      'Violations',
      violations &&
        html`<ul>${violations.map((one) => html`<li><code>${one.in} ${one.pointer}</code> ${one.message}</li>`)}</ul>`,
    ],
    [
      'Related',
      id &&
        html`<a href=${href(['requests'], { transaction_id: id })}>requests</a>, <a href=${href(['events'], { transaction_id: id })}>events</a>`,
    ],
  ];
}

/** @param {LoggedRequest} request */
function toCommand({ method, path, request_body: body }) {
  const value = parseJson(body);
  return curl(method, BASE + path, typeof value === 'string' ? undefined : value);
}

/** @param {{ title: string, headers: Record<string, string>, body: string }} props */
function Message({ title, headers, body }) {
  return html`<${Card} title=${title} kind="stack tight" beside=${body && html`<${Copy} text=${body} />`}>
    <${Headers} title="Headers" headers=${Object.entries(headers)} />
    ${body ? html`<${Code} value=${body} label=${`Body of the ${title.toLowerCase()}`} />` : html`<p class="quiet small">No body.</p>`}
  </${Card}>`;
}
