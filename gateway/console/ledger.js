/** The ledger of one currency, with the balance after each entry. */

import { useState } from 'preact/hooks';
import { call, query } from './api.js';
import { facts } from './contract-facts.js';
import { money, words } from './format.js';
import { Empty, Failure, Head, Loaded, Time } from './parts.js';
import { useAction, useResource } from './resource.js';
import { href } from './router.js';
import { Pager, Table } from './table.js';
import { html } from './view.js';

/**
 * @typedef {import('../../generated/sandbox/types.ts').LedgerEntry} LedgerEntry
 * @typedef {import('../../generated/sandbox/types.ts').Audit} Audit
 */

/** @param {{ filters: Record<string, string> }} props */
export function Ledger({ filters }) {
  const currency = filters['currency'] ?? facts.currencies[0] ?? '';
  const path = `/sandbox/ledger${query({ ...filters, currency })}`;
  /** @type {import('./resource.js').Resource<{ data: LedgerEntry[], next_cursor?: string }>} */
  const resource = useResource(path, filters['cursor'] ? [] : ['transaction', 'settings']);
  return html`<${Head} title="Ledger" />
    <${AuditCard} />
    <nav class="tabs" aria-label="Currencies">${facts.currencies.map(
      (one) =>
        html`<a href=${href(['ledger'], { currency: one })} aria-current=${one === currency ? 'page' : undefined}>${one}</a>`,
    )}</nav>
    <section class="card flush" aria-label="Entries">
      <${Loaded} resource=${resource}>${(/** @type {any} */ page) => html`
        <${Table} label=${`Entries in ${currency}`} rows=${page.data} columns=${columns(currency)}
          empty=${html`<${Empty} title=${`No entries in ${currency}`}>A payment that succeeds makes the first one. Or <a href="#/sandbox/wallets">fund the wallet</a>.</${Empty}>`} />
        <${Pager} next=${page.next_cursor} />`}</${Loaded}>
    </section>`;
}

/** @param {string} currency @returns {import('./table.js').Column[]} */
function columns(currency) {
  /** @param {'available' | 'pending' | 'reserved'} account @returns {import('./table.js').Column} */
  const balance = (account) => ({
    name: words(account),
    of: (row) => money(row.balance[account], currency),
    right: true,
    short: true,
    wide: true,
  });
  return [
    {
      name: 'Entry',
      of: (row) => html`${words(row.reason)}<span class="quiet small wide"> ${row.from} → ${row.to}</span>`,
      short: true,
    },
    { name: 'Amount', of: (row) => money(row.amount, currency), right: true, short: true },
    {
      name: 'Transaction',
      of: (row) =>
        row.transaction_id &&
        html`<a class="mono" href=${href([row.transaction_id.startsWith('out') ? 'payouts' : 'payments', row.transaction_id])}>${row.transaction_id}</a>`,
      wide: true,
      clip: true,
    },
    balance('available'),
    balance('pending'),
    balance('reserved'),
    { name: 'At', of: (row) => html`<${Time} at=${row.at} />`, right: true, short: true, wide: true },
  ];
}

function AuditCard() {
  const [audit, setAudit] = useState(/** @type {Audit | undefined} */ (undefined));
  const action = useAction(async () => setAudit(await call('POST', '/sandbox/audit')));
  return html`<section class="card stack tight" aria-labelledby="audit">
    <div class="cardhead"><h2 id="audit">Audit</h2><button type="button" disabled=${action.busy} onClick=${action.run}>${action.busy ? 'Adding up…' : 'Run audit'}</button></div>
    <p class="quiet small">Adds up the ledger and compares it with the wallets and the transactions.</p>
    <div aria-live="polite">${
      audit &&
      html`<div class=${`notice ${audit.ok ? 'good' : 'bad'}`}>
        <p>${audit.ok ? 'Everything adds up' : 'Something does not add up'}: ${audit.entries.toLocaleString('en')} entries, ${audit.transactions.toLocaleString('en')} transactions.</p>
        ${audit.findings.length > 0 && html`<ul>${audit.findings.map((finding) => html`<li>${finding}</li>`)}</ul>`}
      </div>`
    }</div>
    <${Failure} error=${action.error} />
  </section>`;
}
