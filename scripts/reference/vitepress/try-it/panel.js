/** Sends an operation's request, and shows what comes back and what happens behind it. Loaded when a reader opens it. */
import { computed, reactive, shallowReactive } from 'vue';
import { Behind } from './behind.js';
import { findingsAbout } from './check.js';
import { Form } from './form.js';
import { html } from './html.js';
import { callOf, prefilled, samplesOf, toRequest } from './request.ts';
import { Result } from './response.js';
import { remoteService, sandboxOf } from './service.js';

/** The address and key of the service, and the IDs that earlier responses had. Kept while the reader goes from page to page. */
const settings = reactive({ baseUrl: '', apiKey: '', known: {} });

/** `panel` is the operation's file, and `gateway` says that a gateway shows the page. */
export const Panel = {
  props: ['panel', 'gateway'],
  setup({ panel, gateway }) {
    begin(panel, gateway);
    const state = shallowReactive({ ...blank(panel, 0), result: undefined, error: '', sending: false, sample: 0 });
    const call = computed(() => callOf(panel, state.values, settings.baseUrl, settings.apiKey));
    const service = computed(() => remoteService(settings.baseUrl, settings.apiKey));
    const sandbox = computed(() => sandboxOf(service.value, settings.baseUrl, settings.apiKey));
    const choose = (index) => Object.assign(state, blank(panel, index));
    const change = (place, values, invalid = '') => {
      state.values = { ...state.values, [place]: values };
      state.invalid = invalid;
    };
    const submit = async (event) => {
      event.preventDefault();
      await send(panel, call.value, service.value, state);
    };
    return () => html`
      <form class="try-it-panel" aria-label="Try it" onSubmit=${submit}>
        ${target(gateway)} ${examples(panel, state, choose)}
        <${Form} inputs=${panel.inputs} values=${state.values} change=${change} invalid=${state.invalid} />
        <p><button class="send" disabled=${state.sending}>Send ${panel.call.operation.method.toUpperCase()}</button></p>
        ${samples(samplesOf(call.value), state)}
        <div aria-live="polite">
          ${state.error && html`<p class="finding">${state.error}</p>`} ${state.result && html`<${Result} result=${state.result} />`}
        </div>
        ${state.id && html`<${Behind} service=${service.value} sandbox=${sandbox.value} kind=${panel.kind} id=${state.id} declines=${panel.declines} />`}
      </form>
    `;
  },
};

function begin({ call }, gateway) {
  // The key of the samples, which a gateway replaces by that of its demo merchant.
  settings.apiKey ||= gateway?.callback ? call.apiKey : '';
  if (gateway) settings.baseUrl = location.origin;
  if (gateway?.callback) settings.known.callback_url = `${location.origin}${gateway.callback}`;
}

/** The state at the beginning of a named request. */
function blank({ requests }, index) {
  const values = prefilled(requests[index], settings.known);
  return { index, values, invalid: '' };
}

async function send(panel, call, service, state) {
  Object.assign(state, { sending: true, error: '', result: undefined });
  const started = performance.now();
  try {
    const response = await service.fetch(toRequest(call));
    const text = await response.text();
    const body = parsedJson(text);
    state.result = {
      ...{ status: response.status, statusText: response.statusText, text },
      duration: Math.round(performance.now() - started),
      headers: [...response.headers],
      findings: findingsAbout(panel.id, response.status, body),
    };
    learn(panel, body, state);
  } catch (error) {
    state.error = `No response: ${error.message}. Check the address, and that the service lets pages call it: a gateway does with CORS_ORIGINS=${location.origin}.`;
  }
  state.sending = false;
}

/** Remembers the IDs of a transaction, with which other pages' forms begin. */
function learn({ kind }, body, state) {
  if (!kind || !body?.transaction_id) return;
  const name = kind === 'payouts' ? 'payout_id' : 'transaction_id';
  Object.assign(settings.known, { [name]: body.transaction_id, merchant_order_id: body.merchant_order_id });
  state.id = body.transaction_id;
}

function parsedJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function target(gateway) {
  const set = (name) => (event) => {
    settings[name] = event.target.value.trim().replace(/\/$/, '');
  };
  const entry = (name, label, placeholder) => html`
    <div class="input">
      <label for=${`try-${name}`}>${label}</label>
      <input id=${`try-${name}`} value=${settings[name]} placeholder=${placeholder} required autocomplete="off" spellcheck="false" onInput=${set(name)} />
    </div>
  `;
  return html`
    <fieldset>
      <legend>${gateway ? `To this gateway, ${settings.baseUrl}` : 'To'}</legend>
      <div class="inputs">
        ${!gateway && entry('baseUrl', 'Base URL', 'http://localhost:4000')} ${entry('apiKey', 'API key', 'sk_test_…')}
      </div>
    </fieldset>
  `;
}

function examples({ requests }, { index }, choose) {
  if (requests.length < 2) return null;
  return html`
    <p class="input">
      <label for="try-example">Example</label>
      <select id="try-example" value=${index} onChange=${(event) => choose(Number(event.target.value))}>
        ${requests.map(({ summary }, each) => html`<option key=${each} value=${each}>${summary}</option>`)}
      </select>
    </p>
  `;
}

function samples(all, state) {
  return html`
    <details>
      <summary>The same request in code</summary>
      <div class="actions" role="group" aria-label="Language">
        ${all.map(
          ([language], index) => html`
            <button type="button" key=${language} aria-pressed=${String(index === state.sample)} onClick=${() => {
              state.sample = index;
            }}>${language}</button>
          `,
        )}
      </div>
      <pre tabindex="0" aria-label="Sample">${all[state.sample][1]}</pre>
    </details>
  `;
}
