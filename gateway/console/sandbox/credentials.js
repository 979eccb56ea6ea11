/** The merchant's API keys and signing secrets, fetched on demand. */
import { useState } from 'preact/hooks';
import { announce } from '../shared/announce.js';
import { call } from '../shared/api.js';
import { Copy, Failure } from '../shared/parts.js';
import { useAction } from '../shared/resource.js';
import { html } from '../shared/view.js';

/** @typedef {import('../../../generated/sandbox/types.ts').Credentials} Shown */

export function Credentials() {
  const [shown, setShown] = useState(/** @type {Shown | undefined} */ (undefined));
  const reveal = useAction(async () => {
    setShown(await call('GET', '/sandbox/merchant/credentials'));
    announce('Key and secret are shown');
  });
  const toggle = () => (shown ? setShown(undefined) : reveal.run());
  return html`<section class="card stack tight" aria-labelledby="credentials">
    <div class="cardhead"><h2 id="credentials">Key and secret</h2><button type="button" aria-expanded=${String(shown !== undefined)} disabled=${reveal.busy} onClick=${toggle}>${shown ? 'Hide' : 'Reveal'}</button></div>
    <${Failure} error=${reveal.error} />
    ${
      shown
        ? html`<dl class="secrets">
      ${shown.keys.map(({ id, hint, key }) => html`<dt key=${id}>API key</dt><dd>${key ? html`<${Secret} text=${key} />` : html`<code>${hint}</code> <span class="quiet small">Only a hash of it is stored. It was shown when it was created.</span>`}</dd>`)}
      ${shown.secrets.map((secret, index) => html`<dt key=${secret}>${index === 0 ? 'Signing secret' : 'Replaced secret, still valid'}</dt><dd><${Secret} text=${secret} /></dd>`)}
    </dl>`
        : html`<p class="quiet small">Your app sends the key, and verifies webhooks with the secret.</p>`
    }
  </section>`;
}

/** @param {{ text: string }} props */
function Secret({ text }) {
  return html`<code>${text}</code> <${Copy} text=${text} />`;
}
