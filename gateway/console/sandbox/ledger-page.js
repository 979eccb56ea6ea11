/** The ledger of one currency, and its audit. */
import { useState } from 'preact/hooks';
import { call, query } from '../shared/api.js';
import { facts } from '../shared/contract-facts.js';
import { Entries } from '../shared/ledger.js';
import { Failure, Head } from '../shared/parts.js';
import { useAction } from '../shared/resource.js';
import { href } from '../shared/router.js';
import { html } from '../shared/view.js';

/** @typedef {import('../../../generated/sandbox/types.ts').Audit} Audit */

/** @param {{ filters: Record<string, string> }} props */
export function Ledger({ filters }) {
  const currency = filters['currency'] ?? facts.currencies[0] ?? '';
  return html`<${Head} title="Ledger" />
    <${AuditCard} />
    <nav class="tabs" aria-label="Currencies">${facts.currencies.map(
      (one) =>
        html`<a href=${href(['ledger'], { currency: one })} aria-current=${one === currency ? 'page' : undefined}>${one}</a>`,
    )}</nav>
    <${Entries} path=${`/sandbox/ledger${query({ ...filters, currency })}`} currency=${currency} changes=${filters['cursor'] ? [] : ['transaction', 'settings']}
      empty=${html`A payment that succeeds makes the first one. Or <a href="#/sandbox/wallets">fund the wallet</a>.`} />`;
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
