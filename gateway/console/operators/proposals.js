/** Changes of money that operators propose, and others approve. */
import { query } from '../shared/api.js';
import { money, words } from '../shared/format.js';
import { Empty, Facts, Head, Loaded, Status, Time } from '../shared/parts.js';
import { listAddress } from '../shared/places.js';
import { useResource } from '../shared/resource.js';
import { href, transactionHref } from '../shared/router.js';
import { Filters, Pager, Table } from '../shared/table.js';
import { html } from '../shared/view.js';
import { facts } from './admin-facts.js';
import { Commands } from './command-list.js';
import { MERCHANT, MERCHANT_FILTER } from './transaction-list.js';

/** @typedef {import('../../../generated/management/types.ts').Proposal} Proposal */

/** The change in a few words. @param {Proposal} proposal */
function describe({ type, direction, amount, currency, outcome, decline_reason: reason }) {
  if (type === 'import') return `Import ${money(amount, currency ?? '')}`;
  if (direction) return `${words(direction)} ${money(amount, currency ?? '')}`;
  if (type === 'exception') return 'Settled outside';
  return `${words(outcome ?? '')}${reason ? `: ${reason}` : ''}`;
}

/** The transaction of a resolution, an exception or an import. Its kind is the beginning of its id. @param {Proposal} proposal */
function transactionOf({ transaction_id: id }) {
  return id && html`<a class="mono" href=${transactionHref(id)}>${id}</a>`;
}

/** @type {import('../shared/table.js').Column} */
const CHANGE = { name: 'Change', of: describe };
/** @type {import('../shared/table.js').Column} */
const STATE = { name: 'State', of: (row) => html`<${Status} value=${row.state} />`, short: true };
/** @type {import('../shared/table.js').Column[]} */
const EVIDENCE = [
  { name: 'Reference', of: (row) => row.reference, wide: true, clip: true },
  { name: 'Proposed by', of: (row) => row.proposed_by.name, wide: true, clip: true },
  { name: 'Proposed', of: (row) => html`<${Time} at=${row.proposed_at} />`, right: true, short: true, wide: true },
];
/** @type {import('../shared/table.js').Column} */
const TRANSACTION = { name: 'Transaction', of: transactionOf, wide: true, clip: true };

/** The columns of a list about one transaction. */
export const OF_TRANSACTION = [CHANGE, STATE, ...EVIDENCE];
const COLUMNS = [CHANGE, STATE, MERCHANT, TRANSACTION, ...EVIDENCE];

/** A table of proposals. @param {{ rows: Proposal[], columns?: import('../shared/table.js').Column[], empty?: string }} props */
export function ProposalTable({ rows, columns = COLUMNS, empty = 'No proposals match' }) {
  return html`<${Table} label="Proposals" rows=${rows} columns=${columns} to=${(/** @type {Proposal} */ row) => href(['proposals', row.id])}
    empty=${html`<${Empty} title=${empty}>Corrections of wallets, outcomes of transactions whose channel gives none, and resolutions of exceptions appear here.</${Empty}>`} />`;
}

/** @param {{ filters: Record<string, string> }} props */
export function Proposals({ filters }) {
  /** @type {import('../shared/resource.js').Resource<import('../../../generated/management/types.ts').ProposalList>} */
  const resource = useResource(`/proposals${query(filters)}`);
  return html`<${Head} title="Proposals" />
    <${Filters} fields=${[
      { name: 'state', label: 'State', options: facts.proposalStates },
      MERCHANT_FILTER,
      { name: 'transaction_id', label: 'Transaction' },
    ]} />
    <section class="card flush" aria-label="Proposals">
      <${Loaded} resource=${resource}>${(/** @type {{ data: Proposal[], next_cursor?: string }} */ page) => html`
        <${ProposalTable} rows=${page.data} /><${Pager} next=${page.next_cursor} />`}</${Loaded}>
    </section>`;
}

/** @param {{ id: string }} props */
export function ProposalPage({ id }) {
  /** @type {import('../shared/resource.js').Resource<Proposal>} */
  const resource = useResource(`/proposals/${encodeURIComponent(id)}`);
  return html`<p class="crumbs"><a href=${listAddress('proposals')}>Proposals</a></p>
    <${Loaded} title="Proposal" resource=${resource}>${(/** @type {Proposal} */ proposal) => html`
      <${Head} title=${describe(proposal)} beside=${html`<${Status} value=${proposal.state} />`} />
      <div class="columns detail">
        <section class="card" aria-label="Details"><${Facts} items=${[
          ['ID', html`<span class="mono">${proposal.id}</span>`],
          ['Type', words(proposal.type)],
          ['Merchant', MERCHANT.of(proposal)],
          ['Transaction', transactionOf(proposal)],
          ['Order', proposal.merchant_order_id],
          ['Customer', proposal.customer_id],
          ['Method', proposal.payment_method_type],
          ['Channel', proposal.channel],
          ['Collected', proposal.amount_paid?.toLocaleString('en')],
          [
            'The channel says',
            proposal.claimed_amount !== undefined && money(proposal.claimed_amount, proposal.currency ?? ''),
          ],
          [
            'The books have',
            proposal.booked_amount !== undefined && money(proposal.booked_amount, proposal.currency ?? ''),
          ],
          ['Reference', proposal.reference],
          ['Reason', proposal.reason],
          ['Proposed', html`<${Person} of=${{ by: proposal.proposed_by, at: proposal.proposed_at }} />`],
          ['Decided', proposal.decision && html`<${Person} of=${proposal.decision} />`],
          ['Ledger entry', proposal.ledger_entry_id],
        ]} /></section>
        ${proposal.state === 'open' && html`<${Commands} of=${decisionsOf(proposal)} />`}
      </div>`}</${Loaded}>`;
}

/** Both decisions of an open proposal. @param {Proposal} proposal @returns {import('./command-list.js').Listed[]} */
export function decisionsOf({ id }) {
  return [
    ['approveProposal', { proposal_id: id }],
    ['rejectProposal', { proposal_id: id }],
  ];
}

/** The one who did something, when, and why. @param {{ of: { by?: { name: string }, at: string, reason?: string } }} props */
export function Person({ of: { by, at, reason } }) {
  return html`${by?.name ?? 'The gateway'} <${Time} at=${at} />${reason && `: ${reason}`}`;
}
