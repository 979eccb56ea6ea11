/** The ledger of a wallet, its audit, and the settlement of a day. */
import { useState } from 'preact/hooks';
import { apiPath, call, facts, query, session } from './api.js';
import { Card, Empty, Failure, Head, html, Tabs } from './components.js';
import { useDocument } from './documents.js';
import { count, money, words } from './format.js';
import { Download, Filters, List, MERCHANT, MERCHANT_FILTER, TRANSACTION, timeColumn } from './list.js';
import { useAction } from './resource.js';
import { href } from './router.js';

/**
 * @typedef {import('../../generated/management/types.ts').Audit} Audit
 * @typedef {import('./list.js').Column} Column
 */

const DAY_MS = 86_400_000;

/** @param {{ filters: Record<string, string> }} props */
export function Ledger({ filters }) {
  const { merchant_id: merchant, ...others } = filters;
  const currency = filters['currency'] ?? facts.currencies[0] ?? '';
  const owner = session.merchant?.id ?? merchant;
  const live = filters['cursor'] ? [] : ['transaction', 'settings'];
  const path = owner === undefined ? undefined : apiPath('merchants', owner, 'ledger') + query({ ...others, currency });
  return html`<${Head} title="Ledger" beside=${merchant && html`<span class="quiet">Merchant ${merchant}</span>`} />
    ${session.merchant && html`<${AuditCard} merchant=${session.merchant.id} />`}
    ${session.operator && html`<${Filters} fields=${MERCHANT_FILTER} />`}
    <${Tabs} label="Currencies" links=${facts.currencies.map((one) => [one, href(['ledger'], { ...(merchant && { merchant_id: merchant }), currency: one }), one === currency])} />
    ${
      owner === undefined
        ? html`<section class="card"><${Empty} title="Whose ledger?">Enter the number of a merchant, or choose one of the <a href="#/merchants">merchants</a>.</${Empty}></section>`
        : html`<${List} path=${path} live=${live} label="Entries" columns=${createColumns(currency)} none=${`No entries in ${currency}`}>The first successful payment adds one.</${List}>`
    }`;
}

/** @param {string} currency @returns {Column[]} */
function createColumns(currency) {
  return [
    {
      name: 'Entry',
      cell: (row) => html`${words(row.reason)}<span class="quiet small wide"> ${row.from} → ${row.to}</span>`,
      short: true,
    },
    { name: 'Amount', cell: (row) => money(row.amount, currency), right: true, short: true },
    TRANSACTION,
    ...['total', 'reserved'].map((account) => ({
      name: words(account),
      cell: (/** @type {any} */ row) => money(row.balance[account], currency),
      right: true,
      short: true,
      wide: true,
    })),
    timeColumn('At', (row) => row.at),
  ];
}

/** @param {{ merchant: number }} props */
function AuditCard({ merchant }) {
  const [audit, setAudit] = useState(/** @type {Audit | undefined} */ (undefined));
  const action = useAction(async () => setAudit(await call('POST', apiPath('merchants', merchant, 'audit'))));
  const button = html`<button type="button" disabled=${action.busy} onClick=${action.run}>${action.busy ? 'Adding up…' : 'Run audit'}</button>`;
  return html`<${Card} title="Audit" kind="stack tight" beside=${button}>
    <p class="quiet small">Adds up the ledger and compares it with the wallets and the transactions.</p>
    <div aria-live="polite">${
      audit &&
      html`<div class=${`notice ${audit.ok ? 'good' : 'bad'}`}>
        <p>${audit.ok ? 'Everything adds up' : 'The books differ'}: ${count(audit.entries)} entries, ${count(audit.transactions)} transactions.</p>
        ${audit.findings.length > 0 && html`<ul>${audit.findings.map((finding) => html`<li>${finding}</li>`)}</ul>`}
      </div>`
    }</div>
    <${Failure} error=${action.error} />
  </${Card}>`;
}

/** The columns of settlements: the amounts with each prefix, except zero. @param {string[]} names @returns {Column[]} */
function settlementColumns(names) {
  /** @param {string} name @param {string} prefix @returns {Column} */
  const amounts = (name, prefix) => ({
    name,
    cell(row) {
      const moved = names.filter((one) => one.startsWith(prefix) && row[one] !== '0');
      if (moved.length === 0) return html`<span class="quiet">None</span>`;
      return html`<ul>${moved.map((one) => html`<li key=${one}>${words(one.slice(prefix.length))} <span class="number">${money(row[one], row.currency)}</span></li>`)}</ul>`;
    },
    wide: true,
  });
  return [
    { name: 'Wallet', cell: (row) => row.currency, short: true },
    { ...MERCHANT, wide: false },
    amounts('At the beginning', 'opening_'),
    amounts('Moved', 'moved_'),
    amounts('At the end', 'closing_'),
  ];
}

/** @param {{ filters: Record<string, string> }} props */
export function Settlement({ filters }) {
  const { date = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10), merchant_id, cursor } = filters;
  const path = apiPath('settlements');
  const parameters = { date, merchant_id };
  const names = useDocument('management')?.schemas['Settlement']?.required ?? [];
  return html`<${Head} title="Settlement" beside=${html`<span class="quiet number">${date}, UTC</span>`}>
      <${Download} path=${path} parameters=${parameters} columns=${names} name=${`settlement-${date}`} />
    </${Head}>
    <${Filters} fields=${[{ name: 'date', label: 'Day (UTC)', type: 'date', fallback: date }, ...MERCHANT_FILTER]} />
    <${List} path=${path + query({ ...parameters, cursor })} label="Wallets" columns=${settlementColumns(names)} none="No wallets">A merchant has a wallet for each of its currencies.</${List}>`;
}
