/** Pages for operators: merchants with their wallets and secrets, channels with their pauses, and the audit log. */
import { apiPath, query } from './api.js';
import { Card, Copy, Empty, Facts, Head, html, Loaded, Person, Status, Time } from './components.js';
import { useDocument } from './documents.js';
import { money, words } from './format.js';
import { Action, RotateSecret } from './forms.js';
import { Filters, List, MERCHANT, MERCHANT_FILTER, Table } from './list.js';
import { useResource } from './resource.js';
import { href, idHref, listHref } from './router.js';

/**
 * @typedef {import('./list.js').Column} Column
 * @typedef {import('./list.js').Page} Page
 * @typedef {import('../../generated/management/types.ts').Merchant} Merchant
 * @typedef {import('../../generated/management/types.ts').Wallet} Wallet
 * @typedef {import('../../generated/management/types.ts').SigningSecret} Secret
 * @typedef {import('../../generated/management/types.ts').ChannelList} ChannelList
 * @typedef {import('../../generated/management/types.ts').Change} Change
 */

/** @param {{ merchant: Merchant }} props */
function MerchantState({ merchant }) {
  return html`<${Status} value=${merchant.disabled_at ? 'disabled' : 'enabled'} />`;
}

/** @type {Column[]} */
const MERCHANT_COLUMNS = [
  { name: 'Merchant', of: (row) => row.name, clip: true },
  { name: 'State', of: (row) => html`<${MerchantState} merchant=${row} />`, short: true },
  { name: 'Number', of: (row) => row.id, right: true, short: true, wide: true },
  { name: 'Created', of: (row) => html`<${Time} at=${row.created_at} />`, right: true, short: true, wide: true },
];

/** @param {{ filters: Record<string, string> }} props */
export function Merchants({ filters }) {
  /** @type {import('./resource.js').Resource<Page>} */
  const resource = useResource(apiPath('merchants') + query(filters));
  return html`<${Head} title="Merchants" />
    <${List} resource=${resource} label="Merchants" columns=${MERCHANT_COLUMNS} to=${(/** @type {Merchant} */ row) => href(['merchants', String(row.id)])}>Create one on a machine with the database: <code>payments-gateway merchant create</code></${List}>`;
}

/** @param {{ id: string }} props */
export function MerchantPage({ id }) {
  /** @type {import('./resource.js').Resource<Merchant>} */
  const resource = useResource(apiPath('merchants', id));
  const parameters = { merchant_id: id };
  return html`<p class="crumbs"><a href=${listHref('merchants')}>Merchants</a></p>
    <${Loaded} title="Merchant" resource=${resource}>${(/** @type {Merchant} */ merchant) => html`
      <${Head} title=${merchant.name} beside=${html`<${MerchantState} merchant=${merchant} />`}>
        <${Action} id="proposeCorrection" button="Correct a wallet" parameters=${parameters} about=${[['Merchant', `${merchant.name} (${id})`]]} />
        <${Action} id="proposeImport" button="Import a transaction" parameters=${parameters} about=${[['Merchant', `${merchant.name} (${id})`]]} />
      </${Head}>
      <${Wallets} id=${id} />
      <div class="columns detail">
        <${Secrets} id=${id} />
        <${Card} title="Details" beside=${html`<${Copy} text=${id} label="Copy number" />`}><${Facts} items=${[
          ['Number', id],
          ['Created', html`<${Time} at=${merchant.created_at} />`],
          ['Disabled', merchant.disabled_at && html`<${Time} at=${merchant.disabled_at} />`],
          [
            'Related',
            ['payments', 'payouts', 'events', 'proposals', 'audit-log'].map(
              (list, index) =>
                html`${index > 0 && ', '}<a href=${href([list], parameters)}>${words(list).toLowerCase()}</a>`,
            ),
          ],
        ]} /></${Card}>
      </div>`}</${Loaded}>`;
}

/** @type {Column[]} */
const WALLET_COLUMNS = [
  { name: 'Wallet', of: (row) => row.currency, short: true },
  ...['available', 'pending', 'reserved'].map((account) => ({
    name: words(account),
    of: (/** @type {any} */ row) => money(row[account], row.currency),
    right: true,
    short: true,
    wide: account !== 'available',
  })),
  { name: 'Changed', of: (row) => html`<${Time} at=${row.updated_at} />`, right: true, short: true, wide: true },
];

/** @param {{ id: string }} props */
function Wallets({ id }) {
  /** @type {import('./resource.js').Resource<{ data: Wallet[] }>} */
  const resource = useResource(apiPath('merchants', id, 'wallets'));
  return html`<${Card} title="Wallets" kind="flush"><${Loaded} resource=${resource}>${(
    /** @type {{ data: Wallet[] }} */ { data },
  ) => html`<${Table} label="Wallets" rows=${data} columns=${WALLET_COLUMNS}
    to=${(/** @type {Wallet} */ row) => href(['ledger'], { merchant_id: id, currency: row.currency })} empty=${html`<${Empty} title="No wallets" />`} />`}</${Loaded}></${Card}>`;
}

/** @param {{ id: string }} props */
function Secrets({ id }) {
  const parameters = { merchant_id: id };
  /** @type {import('./resource.js').Resource<{ data: Secret[] }>} */
  const resource = useResource(apiPath('merchants', id, 'signing-secrets'));
  return html`<${Card} title="Signing secrets" kind="stack tight" beside=${html`<${RotateSecret} parameters=${parameters} />`}>
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
              ${secret.valid && html`<div><${Action} id="revokeSigningSecret" button="Revoke" parameters=${{ ...parameters, secret_id: secret.id }} about=${[['Secret', secret.id]]} danger /></div>`}
            </div>`,
          )}</${Loaded}>
  </${Card}>`;
}

export function Channels() {
  /** @type {import('./resource.js').Resource<ChannelList>} */
  const resource = useResource(apiPath('channels'));
  return html`<${Head} title="Channels" />
    <${Loaded} resource=${resource}>${(/** @type {ChannelList} */ { data, payouts_paused: paused }) => html`
      ${data.length === 0 && html`<${Empty} title="No channels" />`}
      ${data.map((channel) => html`<${ChannelCard} key=${channel.name} ...${channel} pause="pauseChannel" resume="resumeChannel" parameters=${{ channel: channel.name }} />`)}
      <${ChannelCard} name="Payouts of all channels" paused=${paused} pause="pausePayouts" resume="resumePayouts" />`}</${Loaded}>`;
}

/**
 * @param {{ name: string, methods?: string[], paused?: ChannelList['payouts_paused'], pause: string, resume: string,
 *   parameters?: Record<string, string> }} props `pause` and `resume` are operations
 */
function ChannelCard({ name, methods, paused, pause, resume, parameters }) {
  const button = html`<${Action} key=${paused ? resume : pause} id=${paused ? resume : pause} button=${paused ? 'Resume' : 'Pause'} parameters=${parameters} about=${[['Channel', name]]} danger=${!paused} />`;
  return html`<${Card} title=${name} kind="stack tight" beside=${html`<${Status} value=${paused ? 'paused' : 'open'} tone=${paused ? 'warn' : 'good'} />${button}`}>
    <${Facts} items=${[
      ['Methods', methods && (methods.join(', ') || 'None')],
      ['Paused', paused && html`<${Person} ...${paused} />`],
    ]} />
  </${Card}>`;
}

/** @param {{ filters: Record<string, string> }} props */
export function AuditLog({ filters }) {
  const operations = useDocument('management')?.operations ?? [];
  /** @type {import('./resource.js').Resource<Page>} */
  const resource = useResource(apiPath('changes') + query(filters));
  /** @type {Column[]} */
  const columns = [
    { name: 'Change', of: (row) => operations.find(({ id }) => id === row.action)?.summary ?? row.action },
    { name: 'Operator', of: (row) => row.operator },
    { name: 'Subject', of: (row) => html`<${Subject} id=${row.subject} />`, wide: true, clip: true },
    { ...MERCHANT, of: (row) => row.merchant_id !== undefined && MERCHANT.of(row) },
    { name: 'Reason', of: (row) => row.reason, wide: true, clip: true },
    { name: 'At', of: (row) => html`<${Time} at=${row.at} />`, right: true, short: true, wide: true },
  ];
  return html`<${Head} title="Audit log" />
    <${Filters} fields=${MERCHANT_FILTER} />
    <${List} resource=${resource} label="Changes" columns=${columns}>Changes that operators make here, with the API, and with commands on the database, appear here.</${List}>`;
}

/** What was changed, as a link if it has a page. @param {{ id?: string }} props */
function Subject({ id = '' }) {
  const address = idHref(id);
  return address ? html`<a class="mono" href=${address}>${id}</a>` : id;
}
