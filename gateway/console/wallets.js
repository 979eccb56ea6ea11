/** A merchant's wallets and signing secrets. */
import { apiPath, session } from './api.js';
import { Card, Empty, Facts, html, Loaded, Status, Time } from './components.js';
import { money, words } from './format.js';
import { Action, CreateSecret } from './forms.js';
import { Table, timeColumn } from './list.js';
import { href } from './router.js';

/**
 * @typedef {import('./list.js').Column} Column
 * @typedef {import('../../generated/management/types.ts').Wallet} Wallet
 * @typedef {import('../../generated/management/types.ts').SigningSecret} Secret
 */

/** @type {Column[]} */
const WALLET_COLUMNS = [
  { name: 'Wallet', cell: (row) => row.currency, short: true },
  ...['available', 'pending', 'reserved'].map((account) => ({
    name: words(account),
    cell: (/** @type {any} */ row) => money(row[account], row.currency),
    right: true,
    short: true,
    wide: account !== 'available',
  })),
  timeColumn('Changed', (row) => row.updated_at),
];

/** @param {{ id: number | string }} props */
export function Wallets({ id }) {
  const owner = session.operator ? { merchant_id: String(id) } : {};
  return html`<${Card} title="Wallets" kind="flush"><${Loaded} path=${apiPath('merchants', id, 'wallets')} live=${['transaction', 'settings']}>${(
    /** @type {{ data: Wallet[] }} */ { data },
  ) => html`<${Table} label="Wallets" rows=${data} columns=${WALLET_COLUMNS}
    to=${(/** @type {Wallet} */ row) => href(['ledger'], { ...owner, currency: row.currency })} empty=${html`<${Empty} title="No wallets" />`} />`}</${Loaded}></${Card}>`;
}

/** @param {{ id: number | string }} props */
export function Secrets({ id }) {
  const parameters = { merchant_id: id };
  return html`<${Card} title="Signing secrets" kind="stack tight" beside=${html`<${CreateSecret} id="rotateSigningSecret" button="Rotate" parameters=${parameters} secretOf=${(/** @type {any} */ created) => created.secret} />`}>
    <${Loaded} path=${apiPath('merchants', id, 'signing-secrets')}>${(/** @type {{ data: Secret[] }} */ { data }) =>
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
              ${secret.valid && html`<div><${Action} id="revokeSigningSecret" button="Revoke" parameters=${{ ...parameters, secret_id: secret.id }} about=${[['Secret', secret.id]]} danger /></div>`}
            </div>`,
          )}</${Loaded}>
  </${Card}>`;
}
