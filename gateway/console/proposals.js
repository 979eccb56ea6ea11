/** Changes of money that one operator proposes and another approves, and the exceptions that lead to them. */
import { apiPath, query, session } from './api.js';
import { Card, Facts, Head, html, IdLink, Loaded, Person, Status } from './components.js';
import { useEnum } from './documents.js';
import { money, words } from './format.js';
import { Action } from './forms.js';
import { Filters, List, MERCHANT, MERCHANT_FILTER, TRANSACTION, timeColumn, withMerchant } from './list.js';
import { href, idHref, listHref } from './router.js';

/**
 * @typedef {import('../../generated/management/types.ts').Proposal} Proposal
 * @typedef {import('../../generated/management/types.ts').Exception} Exception
 * @typedef {import('./list.js').Column} Column
 */

/** The change in a few words. @param {Proposal} proposal */
function describeChange({ type, direction, amount, currency, outcome, decline_reason: reason }) {
  if (type === 'import') return `Import ${money(amount, currency)}`;
  if (direction) return `${words(direction)} ${money(amount, currency)}`;
  if (type === 'exception') return 'Settled outside';
  return `${words(outcome ?? '')}${reason ? `: ${reason}` : ''}`;
}

/** A result of the channel in a few words. @param {Exception} exception @param {string} currency */
export function describeResult({ result, amount, decline_reason: reason }, currency) {
  return result === 'succeeded' ? `Succeeded: ${money(amount, currency)}` : `Declined${reason ? `: ${reason}` : ''}`;
}

export const PROPOSAL_COLUMNS = withMerchant([
  { name: 'Change', cell: describeChange },
  { name: 'State', cell: (row) => html`<${Status} value=${row.state} />`, short: true },
  TRANSACTION,
  { name: 'Reference', cell: (row) => row.reference, wide: true, clip: true },
  { name: 'Proposed by', cell: (row) => row.proposed_by.name, wide: true, clip: true },
  timeColumn('Proposed', (row) => row.proposed_at),
]);

export const EXCEPTION_COLUMNS = withMerchant([
  { name: 'Status', cell: (row) => html`<${Status} value=${row.status} />`, short: true },
  { name: 'The channel says', cell: (row) => describeResult(row.exceptions.at(-1), row.currency) },
  {
    name: 'To book',
    cell: (row) => row.correction && `${words(row.correction.direction)} ${money(row.correction.amount, row.currency)}`,
    short: true,
    wide: true,
  },
  TRANSACTION,
  timeColumn('Since', (row) => row.exceptions[0].at),
]);

/** @param {{ filters: Record<string, string> }} props */
export function Exceptions({ filters }) {
  return html`<${Head} title="Exceptions" />
    <${List} path=${apiPath('exceptions') + query(filters)} label="Exceptions" columns=${EXCEPTION_COLUMNS} none="No exception is open"
      to=${(/** @type {any} */ row) => idHref(row.transaction_id)}>If a channel contradicts the final status of a transaction, the transaction appears here.</${List}>`;
}

/** @param {{ filters: Record<string, string> }} props */
export function Proposals({ filters }) {
  return html`<${Head} title="Proposals" />
    <${Filters} fields=${[
      { name: 'state', label: 'State', options: useEnum('ProposalState') },
      ...MERCHANT_FILTER,
      { name: 'transaction_id', label: 'Transaction' },
    ]} />
    <${List} path=${apiPath('proposals') + query(filters)} label="Proposals" columns=${PROPOSAL_COLUMNS} to=${(/** @type {Proposal} */ row) => href(['proposals', row.id])}>Corrections of wallets, outcomes of transactions whose channel gives none, and resolutions of exceptions appear here.</${List}>`;
}

/** @param {{ id: string }} props */
export function ProposalPage({ id }) {
  return html`<p class="crumbs"><a href=${listHref('proposals')}>Proposals</a></p>
    <${Loaded} title="Proposal" path=${apiPath('proposals', id)}>${(/** @type {Proposal} */ proposal) => html`
      <${Head} title=${describeChange(proposal)} beside=${html`<${Status} value=${proposal.state} />`}>
        ${proposal.state === 'open' && html`<${DecisionActions} proposal=${proposal} />`}
      </${Head}>
      <${Card} title="Details"><${Facts} items=${listFacts(proposal)} /></${Card}>`}</${Loaded}>`;
}

/** @param {Proposal} proposal @returns {import('./components.js').Fact[]} */
function listFacts(proposal) {
  const { currency, transaction_id: transaction, claimed_amount: claimed, booked_amount: booked, decision } = proposal;
  return [
    ['ID', html`<span class="mono">${proposal.id}</span>`],
    ['Type', words(proposal.type)],
    ['Merchant', MERCHANT.cell(proposal)],
    ['Transaction', transaction && html`<${IdLink} id=${transaction} />`],
    ['Order', proposal.merchant_order_id],
    ['Customer', proposal.customer_id],
    ['Method', proposal.payment_method_type],
    ['Channel', proposal.channel],
    ['Collected', proposal.amount_paid?.toLocaleString('en')],
    ['The channel says', claimed !== undefined && money(claimed, currency)],
    ['The books have', booked !== undefined && money(booked, currency)],
    ['Reference', proposal.reference],
    ['Reason', proposal.reason],
    ['Proposed', html`<${Person} by=${proposal.proposed_by} at=${proposal.proposed_at} />`],
    ['Decided', decision && html`<${Person} ...${decision} />`],
    ['Ledger entry', proposal.ledger_entry_id],
  ];
}

/** Buttons that decide an open proposal. Its own operator can only take it back. @param {{ proposal: Proposal }} props */
export function DecisionActions({ proposal }) {
  const { id, transaction_id: transaction, proposed_by: by, reference, reason } = proposal;
  const parameters = { proposal_id: id };
  /** @type {import('./components.js').Fact[]} */
  const about = [
    ['Change', describeChange(proposal)],
    ['Merchant', proposal.merchant_id],
    ['Transaction', transaction],
    ['Reference', reference],
    ['Reason', reason],
    ['Proposed by', by.name],
  ];
  return html`
    ${by.id !== session.operator?.id && html`<${Action} id="approveProposal" button="Approve" parameters=${parameters} about=${about} />`}
    <${Action} id="rejectProposal" button="Reject" parameters=${parameters} about=${about} danger />`;
}
