/** Channels and their pauses. */
import { Empty, Facts, Head, Loaded, Status } from '../shared/parts.js';
import { useResource } from '../shared/resource.js';
import { html } from '../shared/view.js';
import { Change, Commands } from './command-list.js';
import { Person } from './proposals.js';

/** @typedef {import('../../../generated/management/types.ts').Channel} Channel */
/** @typedef {import('../../../generated/management/types.ts').ChannelList} ChannelList */

export function Channels() {
  /** @type {import('../shared/resource.js').Resource<ChannelList>} */
  const resource = useResource('/channels');
  return html`<${Head} title="Channels" />
    <${Loaded} resource=${resource}>${(/** @type {ChannelList} */ { data, payouts_paused: paused }) => html`
      ${
        data.length === 0
          ? html`<${Empty} title="No channels" />`
          : data.map((channel) => html`<${ChannelCard} key=${channel.name} channel=${channel} />`)
      }
      <${PayoutsCard} paused=${paused} />`}</${Loaded}>
    <${Commands} of=${[]} />`;
}

/** @param {{ channel: Channel }} props */
function ChannelCard({ channel: { name, methods, paused } }) {
  return html`<section class="card stack tight" aria-label=${name}>
    <div class="cardhead"><h2>${name}</h2><${Status} value=${paused ? 'paused' : 'open'} tone=${paused ? 'warn' : 'good'} /></div>
    <${Facts} items=${[
      ['Methods', methods.join(', ') || 'None'],
      ['Paused', paused && html`<${Person} of=${paused} />`],
    ]} />
    <${Change} of=${[paused ? 'resumeChannel' : 'pauseChannel', { channel: name }]} />
  </section>`;
}

/** @param {{ paused: ChannelList['payouts_paused'] }} props */
function PayoutsCard({ paused }) {
  return html`<section class="card stack tight" aria-label="Payouts of all channels">
    <div class="cardhead"><h2>Payouts of all channels</h2><${Status} value=${paused ? 'paused' : 'open'} tone=${paused ? 'warn' : 'good'} /></div>
    <${Facts} items=${[['Paused', paused && html`<${Person} of=${paused} />`]]} />
    <${Change} of=${[paused ? 'resumePayouts' : 'pausePayouts', {}]} />
  </section>`;
}
