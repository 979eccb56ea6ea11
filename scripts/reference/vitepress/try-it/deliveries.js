/** Shows a walkthrough's webhooks as they arrive, and how the receiver handles them. */
import { html } from './html.js';
import { pretty } from './response.js';

export const Deliveries = {
  props: ['deliveries'],
  setup(props) {
    return () => html`
      <section class="deliveries" aria-label="Webhooks">
        <p class="title">Webhooks</p>
        ${props.deliveries.length === 0 && html`<p class="none">None has arrived yet.</p>`}
        <ol class="timeline">${props.deliveries.map((delivery, index) => html`<li key=${`${index}-${delivery.id}`}>${row(delivery)}</li>`)}</ol>
      </section>
    `;
  },
};

function row({ at, status, headers, body, refusal, isRepeated }) {
  const text = [...headers.map(([name, value]) => `${name}: ${value}`), '', pretty(body)].join('\n');
  return html`
    <details>
      <summary>
        <time datetime=${at}>${at.slice(11, 19)}</time> <strong>${status}</strong>${' '}
        ${refusal ? html`<span class="bad">refused: ${refusal}</span>` : html`<span class="good">${isRepeated ? 'valid, but a duplicate' : 'signature verified'}</span>`}
      </summary>
      <pre tabindex="0" aria-label=${`Webhook: ${status}`}>${text}</pre>
    </details>
  `;
}
