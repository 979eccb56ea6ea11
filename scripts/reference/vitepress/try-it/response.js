/** A response, compared with the contract. */
import { html } from './html.js';

export const Result = {
  props: ['result'],
  setup(props) {
    return () => {
      const { status, statusText, duration, headers, text, findings } = props.result;
      return html`
        <section aria-label="Response">
          <p>
            <strong class=${status < 400 ? 'good' : 'bad'}>${status} ${statusText}</strong>
            ${` in ${duration} ms. `}
            ${findings.length === 0 && html`<span class="good">The response matches the contract.</span>`}
          </p>
          ${findings.length > 0 && html`<ul>${findings.map((finding) => html`<li class="finding">${finding}</li>`)}</ul>`}
          <pre tabindex="0" aria-label="Body of the response">${pretty(text)}</pre>
          <details>
            <summary>Headers</summary>
            <pre tabindex="0">${headers.map(([name, value]) => `${name}: ${value}`).join('\n')}</pre>
          </details>
        </section>
      `;
    };
  },
};

/** JSON with line breaks; other text as it is. */
export function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
