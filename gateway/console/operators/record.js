/** The operators' audit log. */
import { query } from '../shared/api.js';
import { Empty, Head, Loaded, Time } from '../shared/parts.js';
import { useResource } from '../shared/resource.js';
import { href } from '../shared/router.js';
import { Filters, Pager, Table } from '../shared/table.js';
import { html } from '../shared/view.js';
import { facts } from './admin-facts.js';
import { MERCHANT, MERCHANT_FILTER } from './transaction-list.js';

/** @typedef {import('../../../generated/management/types.ts').Change} Change */

/** Pages of the changed objects, by id prefix. @type {Record<string, string>} */
export const PAGES = { pay_: 'payments', out_: 'payouts', evt_: 'events', prp_: 'proposals' };

/** @param {Change} change */
function subjectOf({ subject = '' }) {
  const list = PAGES[subject.slice(0, 4)];
  return list ? html`<a class="mono" href=${href([list, subject])}>${subject}</a>` : subject;
}

/** @type {import('../shared/table.js').Column[]} */
const COLUMNS = [
  { name: 'Change', of: (row) => facts.changes[row.action]?.summary ?? row.action },
  { name: 'Operator', of: (row) => row.operator },
  { name: 'Subject', of: subjectOf, wide: true, clip: true },
  { ...MERCHANT, of: (row) => row.merchant_id !== undefined && MERCHANT.of(row) },
  { name: 'Reason', of: (row) => row.reason, wide: true, clip: true },
  { name: 'At', of: (row) => html`<${Time} at=${row.at} />`, right: true, short: true, wide: true },
];

/** @param {{ filters: Record<string, string> }} props */
export function Record({ filters }) {
  /** @type {import('../shared/resource.js').Resource<import('../../../generated/management/types.ts').ChangeList>} */
  const resource = useResource(`/changes${query(filters)}`);
  return html`<${Head} title="Changes" />
    <${Filters} fields=${[MERCHANT_FILTER]} />
    <section class="card flush" aria-label="Changes">
      <${Loaded} resource=${resource}>${(/** @type {{ data: Change[], next_cursor?: string }} */ page) => html`
        <${Table} label="Changes" rows=${page.data} columns=${COLUMNS}
          empty=${html`<${Empty} title="No changes">Changes made with the management API, and by commands on the database, appear here with the operator, the time and the reason.</${Empty}>`} />
        <${Pager} next=${page.next_cursor} />`}</${Loaded}>
    </section>`;
}
