/** Merchants with their wallets, ledgers and signing secrets. */
import { query } from '../shared/api.js';
import { money } from '../shared/format.js';
import { Entries } from '../shared/ledger.js';
import { Copy, Empty, Facts, Head, Loaded, Status, Time } from '../shared/parts.js';
import { listAddress } from '../shared/places.js';
import { useResource } from '../shared/resource.js';
import { href } from '../shared/router.js';
import { Pager, Table } from '../shared/table.js';
import { html } from '../shared/view.js';
import { Change, Commands } from './command-list.js';

/**
 * @typedef {import('../../../generated/management/types.ts').Merchant} Merchant
 * @typedef {import('../../../generated/management/types.ts').Wallet} Wallet
 * @typedef {import('../../../generated/management/types.ts').SigningSecret} Secret
 */

/** @param {{ merchant: Merchant }} props */
function State({ merchant }) {
  return html`<${Status} value=${merchant.disabled_at ? 'disabled' : 'enabled'} />`;
}

/** @type {import('../shared/table.js').Column[]} */
const COLUMNS = [
  { name: 'Merchant', of: (row) => row.name, clip: true },
  { name: 'State', of: (row) => html`<${State} merchant=${row} />`, short: true },
  { name: 'Number', of: (row) => row.id, right: true, short: true, wide: true },
  { name: 'Created', of: (row) => html`<${Time} at=${row.created_at} />`, right: true, short: true, wide: true },
];

/** @param {{ filters: Record<string, string> }} props */
export function Merchants({ filters }) {
  /** @type {import('../shared/resource.js').Resource<import('../../../generated/management/types.ts').MerchantList>} */
  const resource = useResource(`/merchants${query(filters)}`);
  return html`<${Head} title="Merchants" />
    <section class="card flush" aria-label="Merchants">
      <${Loaded} resource=${resource}>${(/** @type {{ data: Merchant[], next_cursor?: string }} */ page) => html`
        <${Table} label="Merchants" rows=${page.data} columns=${COLUMNS} to=${(/** @type {Merchant} */ row) => href(['merchants', String(row.id)])}
          empty=${html`<${Empty} title="No merchants yet">Create one on a machine with the database: <code>payments-gateway merchant create</code></${Empty}>`} />
        <${Pager} next=${page.next_cursor} />`}</${Loaded}>
    </section>`;
}

/** @param {{ id: string }} props */
export function MerchantPage({ id }) {
  const path = `/merchants/${encodeURIComponent(id)}`;
  /** @type {import('../shared/resource.js').Resource<Merchant>} */
  const resource = useResource(path);
  return html`<p class="crumbs"><a href=${listAddress('merchants')}>Merchants</a></p>
    <${Loaded} title="Merchant" resource=${resource}>${(/** @type {Merchant} */ merchant) => html`
      <${Head} title=${merchant.name} beside=${html`<${State} merchant=${merchant} />`} />
      <${Wallets} path=${path} id=${id} />
      <div class="columns detail">
        <${Secrets} path=${path} id=${id} />
        <div class="stack">
          <section class="card" aria-labelledby="facts">
            <div class="cardhead"><h2 id="facts">Details</h2><${Copy} text=${id} label="Copy number" /></div>
            <${Facts} items=${[
              ['Number', id],
              ['Created', html`<${Time} at=${merchant.created_at} />`],
              ['Disabled', merchant.disabled_at && html`<${Time} at=${merchant.disabled_at} />`],
              [
                'Related',
                ['payments', 'payouts', 'events', 'proposals', 'changes'].map(
                  (list, index) =>
                    html`${index > 0 && ', '}<a href=${href([list], { merchant_id: id })}>${list === 'events' ? 'webhooks' : list}</a>`,
                ),
              ],
            ]} />
          </section>
          <${Commands} of=${[
            ['proposeCorrection', { merchant_id: id }],
            ['proposeImport', { merchant_id: id }],
            ['rotateSigningSecret', { merchant_id: id }],
          ]} />
        </div>
      </div>`}</${Loaded}>`;
}

/** @param {{ path: string, id: string }} props */
function Wallets({ path, id }) {
  /** @type {import('../shared/resource.js').Resource<{ data: Wallet[] }>} */
  const resource = useResource(`${path}/wallets`);
  /** @param {'available' | 'pending' | 'reserved'} account @returns {import('../shared/table.js').Column} */
  const balance = (account) => ({
    name: account[0]?.toUpperCase() + account.slice(1),
    of: (row) => money(row[account], row.currency),
    right: true,
    short: true,
    wide: account !== 'available',
  });
  const columns = [
    { name: 'Wallet', of: (/** @type {Wallet} */ row) => row.currency, short: true },
    ...[balance('available'), balance('pending'), balance('reserved')],
    {
      ...{ name: 'Changed', right: true, short: true, wide: true },
      of: (/** @type {Wallet} */ row) => html`<${Time} at=${row.updated_at} />`,
    },
  ];
  return html`<section class="card flush" aria-labelledby="wallets">
    <div class="cardhead"><h2 id="wallets">Wallets</h2></div>
    <${Loaded} resource=${resource}>${(
      /** @type {{ data: Wallet[] }} */ { data },
    ) => html`<${Table} label="Wallets" rows=${data} columns=${columns}
      to=${(/** @type {Wallet} */ row) => href(['merchants', id, row.currency])} empty=${html`<${Empty} title="No wallets" />`} />`}</${Loaded}>
  </section>`;
}

/** @param {{ path: string, id: string }} props */
function Secrets({ path, id }) {
  /** @type {import('../shared/resource.js').Resource<{ data: Secret[] }>} */
  const resource = useResource(`${path}/signing-secrets`);
  return html`<section class="card stack tight" aria-labelledby="secrets">
    <h2 id="secrets">Signing secrets</h2>
    <${Loaded} resource=${resource}>${(/** @type {{ data: Secret[] }} */ { data }) =>
      data.length === 0
        ? html`<${Empty} title="No signing secret">The merchant's webhooks wait until there is one.</${Empty}>`
        : data.map(
            (secret) => html`<div key=${secret.id} class="stack tight">
              <${Facts} items=${[
                ['ID', html`<span class="mono">${secret.id}</span>`],
                [
                  'State',
                  html`<${Status} value=${secret.valid ? 'valid' : 'expired'} tone=${secret.valid ? 'good' : ''} />`,
                ],
                ['Created', html`<${Time} at=${secret.created_at} />`],
                ['Expires', secret.expires_at && html`<${Time} at=${secret.expires_at} />`],
              ]} />
              ${secret.valid && html`<${Change} of=${['revokeSigningSecret', { merchant_id: id, secret_id: secret.id }]} />`}
            </div>`,
          )}</${Loaded}>
  </section>`;
}

/** @param {{ id: string, currency: string, filters: Record<string, string> }} props */
export function LedgerPage({ id, currency, filters }) {
  return html`<p class="crumbs"><a href=${href(['merchants', id])}>Merchant ${id}</a></p>
    <${Head} title=${`Ledger in ${currency}`} />
    <${Entries} path=${`/merchants/${encodeURIComponent(id)}/ledger${query({ ...filters, currency })}`} currency=${currency}
      empty="No entries." />`;
}
