/** Pages for operators: channels with their pauses, and the audit log. */
import { apiPath, query } from './api.js';
import { Card, Empty, Facts, Head, html, IdLink, Loaded, Person, Status } from './components.js';
import { useDocument } from './documents.js';
import { Action } from './forms.js';
import { Filters, List, MERCHANT, MERCHANT_FILTER, timeColumn } from './list.js';

/**
 * @typedef {import('./list.js').Column} Column
 * @typedef {import('./list.js').Page} Page
 * @typedef {import('../../generated/management/types.ts').ChannelList} ChannelList
 * @typedef {import('../../generated/management/types.ts').Change} Change
 */

export function Channels() {
  return html`<${Head} title="Channels" />
    <${Loaded} path=${apiPath('channels')}>${(/** @type {ChannelList} */ { data, payouts_paused: paused }) => html`
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
  /** @type {Column[]} */
  const columns = [
    { name: 'Change', cell: (row) => operations.find(({ id }) => id === row.action)?.summary ?? row.action },
    { name: 'Operator', cell: (row) => row.operator },
    { name: 'Subject', cell: (row) => html`<${IdLink} id=${row.subject} />`, wide: true, clip: true },
    { ...MERCHANT, cell: (row) => row.merchant_id !== undefined && MERCHANT.cell(row) },
    { name: 'Reason', cell: (row) => row.reason, wide: true, clip: true },
    timeColumn('At', (row) => row.at),
  ];
  return html`<${Head} title="Audit log" />
    <${Filters} fields=${MERCHANT_FILTER} />
    <${List} path=${apiPath('changes') + query(filters)} label="Changes" columns=${columns}>Changes that operators make here, with the API, and with commands on the database, appear here.</${List}>`;
}
