/** Merchants with their payment methods, keys, wallets and signing secrets. Loaded when one of their pages is opened. */
import { apiPath, query } from './api.js';
import { Card, Copy, Empty, Facts, Head, html, Loaded, Status, Time } from './components.js';
import { money, words } from './format.js';
import { Action, CreateSecret } from './forms.js';
import { List, Table, timeColumn } from './list.js';
import { href, listHref } from './router.js';
import { Secrets, Wallets } from './wallets.js';

/**
 * @typedef {import('./list.js').Column} Column
 * @typedef {import('./list.js').Page} Page
 * @typedef {import('../../generated/management/types.ts').Merchant} Merchant
 * @typedef {import('../../generated/management/types.ts').ApiKey} ApiKey
 * @typedef {import('../../generated/management/types.ts').MerchantMethod} MerchantMethod
 */

/** @param {{ merchant: Merchant }} props */
function MerchantState({ merchant }) {
  return html`<${Status} value=${merchant.disabled_at ? 'disabled' : 'enabled'} />`;
}

/** @type {Column[]} */
const MERCHANT_COLUMNS = [
  { name: 'Merchant', cell: (row) => row.name, clip: true },
  { name: 'State', cell: (row) => html`<${MerchantState} merchant=${row} />`, short: true },
  { name: 'Number', cell: (row) => row.id, right: true, short: true, wide: true },
  timeColumn('Created', (row) => row.created_at),
];

/** @param {{ filters: Record<string, string> }} props */
export function Merchants({ filters }) {
  const secretOf = (/** @type {any} */ created) => `${created.api_key.key}  ${created.signing_secret}`;
  return html`<${Head} title="Merchants"><${CreateSecret} id="createMerchant" button="Create" secretOf=${secretOf} /></${Head}>
    <${List} path=${apiPath('merchants') + query(filters)} label="Merchants" columns=${MERCHANT_COLUMNS} to=${(/** @type {Merchant} */ row) => href(['merchants', String(row.id)])}>Create one here, or with <code>payments-gateway merchant create</code>.</${List}>`;
}

/** @param {{ id: string }} props */
export function MerchantPage({ id }) {
  const parameters = { merchant_id: id };
  return html`<p class="crumbs"><a href=${listHref('merchants')}>Merchants</a></p>
    <${Loaded} title="Merchant" path=${apiPath('merchants', id)}>${(/** @type {Merchant} */ merchant) => html`
      <${Head} title=${merchant.name} beside=${html`<${MerchantState} merchant=${merchant} />`}>
        <${Action} id="proposeCorrection" button="Correct a wallet" parameters=${parameters} about=${[['Merchant', `${merchant.name} (${id})`]]} />
        <${Action} id=${merchant.disabled_at ? 'enableMerchant' : 'disableMerchant'} button=${merchant.disabled_at ? 'Enable' : 'Disable'} parameters=${parameters} about=${[['Merchant', `${merchant.name} (${id})`]]} danger=${!merchant.disabled_at} />
        <${Action} id="proposeImport" button="Import a transaction" parameters=${parameters} about=${[['Merchant', `${merchant.name} (${id})`]]} />
      </${Head}>
      <${Wallets} id=${id} />
      <${Methods} id=${id} />
      <div class="columns detail">
        <div class="stack"><${Keys} id=${id} /><${Secrets} id=${id} /></div>
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

/** @param {{ id: number | string }} props */
function Methods({ id }) {
  /** The merchant's own settings: without a limit, the gateway's applies. @param {MerchantMethod} method */
  const initial = ({ enabled, limits, gateway_limits: gateway }) => ({
    enabled,
    ...Object.fromEntries(
      Object.entries(limits).filter(([name, limit]) => limit !== gateway[/** @type {keyof typeof gateway} */ (name)]),
    ),
  });
  /** @type {Column[]} */
  const columns = [
    { name: 'Method', cell: (row) => `${words(row.kind)} by ${row.title}` },
    {
      name: 'State',
      cell: (row) => html`<${Status} value=${row.enabled ? 'enabled' : 'disabled'} />`,
      short: true,
    },
    ...['min', 'max', 'per_day', 'per_month'].map((limit) => ({
      name: words(limit),
      cell: (/** @type {any} */ row) => money(row.limits[limit], row.currencies[0]),
      right: true,
      short: true,
      wide: true,
    })),
    {
      name: 'Change',
      cell: (row) =>
        html`<${Action} id="setMerchantMethod" button="Set" parameters=${{ merchant_id: id, kind: row.kind, method: row.method }} initial=${initial(row)} about=${[['Method', `${row.kind} ${row.method}`]]} />`,
      wide: true,
      short: true,
    },
  ];
  return html`<${Card} title="Methods" kind="flush"><${Loaded} path=${apiPath('merchants', id, 'methods')}>${(
    /** @type {{ data: MerchantMethod[] }} */ { data },
  ) =>
    html`<${Table} label="Methods" rows=${data} columns=${columns} empty=${html`<${Empty} title="No methods" />`} />`}</${Loaded}></${Card}>`;
}

/** @param {{ id: number | string }} props */
function Keys({ id }) {
  const parameters = { merchant_id: id };
  const create = html`<${CreateSecret} id="createApiKey" button="Create" parameters=${parameters} secretOf=${(/** @type {any} */ created) => created.key} />`;
  return html`<${Card} title="API keys" kind="stack tight" beside=${create}>
    <${Loaded} path=${apiPath('merchants', id, 'keys')}>${(/** @type {{ data: ApiKey[] }} */ { data }) =>
      data.map(
        (key) => html`<div key=${key.id} class="stack tight">
          <${Facts} items=${[
            ['ID', html`<span class="mono">${key.id}</span>`],
            ['Key', html`<span class="mono">${key.hint}</span>`],
            ['Created', html`<${Time} at=${key.created_at} />`],
            ['Revoked', key.revoked_at && html`<${Time} at=${key.revoked_at} />`],
          ]} />
          ${!key.revoked_at && html`<div><${Action} id="revokeApiKey" button="Revoke" parameters=${{ ...parameters, key_id: key.id }} about=${[['Key', key.hint]]} danger /></div>`}
        </div>`,
      )}</${Loaded}>
  </${Card}>`;
}
