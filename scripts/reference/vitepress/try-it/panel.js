/** Sends an operation's request and shows the response and its effects. Loaded when a reader opens it. */
import { withBase } from 'vitepress';
import { computed, reactive, shallowReactive, shallowRef, watch } from 'vue';
import { chosenExample } from '../samples.js';
import { Behind, Clock } from './behind.js';
import { findingsAbout } from './check.js';
import { Form } from './form.js';
import { html } from './html.js';
import { startPageSandbox } from './page-sandbox.js';
import { createCall, createSamples, prefilled, toRequest, withAsked, withQuery } from './request.ts';
import { Result } from './response.js';
import { createSandboxClient, serviceAt } from './service.ts';

const WAITING = 'Waiting …';
const CHECK_ADDRESS = () =>
  `Check the address, and that the service lets pages call it: a gateway does with CORS_ORIGINS=${location.origin}.`;

/** Services that a request can go to. Those with a label are for the reader to choose, where no gateway shows the page. */
const TARGETS = {
  page: {
    label: 'A sandbox in this page',
    waiting: () => (inPage.value ? WAITING : 'Loading the sandbox (0.7 MB) …'),
    advice: () => 'Check that the browser reaches the files of these pages, and runs WebAssembly.',
  },
  own: { label: 'A service of yours', waiting: () => WAITING, advice: CHECK_ADDRESS },
  gateway: { waiting: () => WAITING, advice: CHECK_ADDRESS },
};

/**
 * The service, its address and key if it is the reader's own, and what earlier responses had: IDs, and the items that a
 * transaction asks for. Kept while the reader goes from page to page.
 */
const settings = reactive({ target: 'page', baseUrl: '', apiKey: '', known: {}, asked: undefined });

/** Address, key and `fetch` of the sandbox in the page, once it runs. */
const inPage = shallowRef();

/** `panel` is the operation's file, and `gateway` says that a gateway shows the page. */
export const Panel = {
  props: ['panel', 'gateway'],
  setup({ panel, gateway }) {
    begin(panel, gateway);
    const state = shallowReactive({ ...first(panel), ...EMPTY, sending: false, sample: 0, changes: 0 });
    // Without the IDs that responses change: each change would open the service's stream again.
    const access = computed(() => {
      const { target, baseUrl, apiKey } = settings;
      return target === 'page' ? inPage.value : { baseUrl, apiKey };
    });
    const service = computed(() => access.value && serviceAt(access.value));
    const sandbox = computed(() => service.value && createSandboxClient(service.value, access.value));
    watch(chosenExample, (title) => {
      const index = findRequest(panel, title);
      if (index >= 0) Object.assign(state, blank(panel, index));
    });
    const change = (place, values, invalid = '') => {
      state.values = { ...state.values, [place]: values };
      state.invalid = invalid;
    };
    const submit = async (event) => {
      event.preventDefault();
      await send(panel, state, async () => {
        if (settings.target === 'page') inPage.value = await startPageSandbox();
        return { service: service.value, request: toRequest(createCall(panel, state.values, access.value)) };
      });
    };
    return () => html`
      <form class="try-it-panel" aria-label="Try it" onSubmit=${submit}>
        ${target(gateway, state)} ${examples(panel, state)}
        <${Form} inputs=${panel.inputs} values=${state.values} change=${change} invalid=${state.invalid} />
        <p><button class="send" disabled=${state.sending}>Send ${panel.call.operation.method.toUpperCase()}</button> ${state.sending && html`<span role="status">${TARGETS[settings.target].waiting()}</span>`}</p>
        ${samples(createSamples(createCall(panel, state.values, forSamples(panel))), state)}
        <div aria-live="polite">
          ${state.error && html`<p class="finding">${state.error}</p>`} ${state.result && html`<${Result} result=${state.result} />`}
        </div>
        ${state.page && settings.target !== 'page' && html`<p><a href=${state.page} target="_blank">Open the payment page</a></p>`}
        ${state.id && next(panel, state)}
        ${(state.result || state.error) && service.value && html`<${Clock} sandbox=${sandbox.value} changes=${state.changes} />`}
        ${
          state.id &&
          service.value &&
          html`<${Behind}
            service=${service.value}
            sandbox=${sandbox.value}
            kind=${panel.kind}
            id=${state.id}
            declines=${panel.declines}
            consoleUrl=${settings.target !== 'page' && `${settings.baseUrl}/console`}
            onRead=${(resource) => resource?.transaction_id === state.id && learn(panel, resource, state)}
          />`
        }
      </form>
    `;
  },
};

/** Programs can't reach a sandbox in a page: their samples have the address and key of the document. */
function forSamples({ call }) {
  return settings.target === 'page' ? call : settings;
}

function begin({ call }, gateway) {
  if (gateway) settings.target = 'gateway';
  // The key of the samples. A gateway replaces it with its demo merchant's.
  settings.apiKey ||= gateway?.callback ? call.apiKey : '';
  if (gateway) settings.baseUrl = location.origin;
  if (gateway?.callback) settings.known.callback_url = `${location.origin}${gateway.callback}`;
}

/** The results of a request, before it is sent. */
const EMPTY = { result: undefined, error: '', id: undefined, status: '', page: '' };

/** The state at the beginning of a named request. */
function blank({ requests }, index) {
  const values = prefilled(requests[index], settings.known);
  return { index, values, invalid: '' };
}

function findRequest({ requests }, title) {
  return requests.findIndex(({ summary }) => summary === title);
}

/** The chosen request, or the first one, with the items that the transaction asks for and the parameters of the page's URL. */
function first(panel) {
  const { values, ...state } = blank(panel, Math.max(0, findRequest(panel, chosenExample.value)));
  const own = { ...values, body: withAsked(values.body, panel.requests, settings.asked) };
  return { ...state, values: withQuery(own, panel.inputs, new URLSearchParams(location.search)) };
}

/** `prepare` gives the service, which may have to be loaded, and the request. */
async function send(panel, state, prepare) {
  Object.assign(state, { ...EMPTY, sending: true });
  try {
    const { service, request } = await prepare();
    const started = performance.now();
    const response = await service.fetch(request);
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
    state.error = `No response: ${error.message}. ${TARGETS[settings.target].advice()}`;
  }
  state.sending = false;
}

/** Remembers the IDs of a transaction and the items that it asks for, with which other pages' forms begin. */
function learn({ kind }, body, state) {
  if (!kind || !body?.transaction_id) return;
  const name = kind === 'payouts' ? 'payout_id' : 'transaction_id';
  Object.assign(settings.known, { [name]: body.transaction_id, merchant_order_id: body.merchant_order_id });
  settings.asked = { items: { clarify_data: body.clarify, confirm_data: body.confirm }, amount: body.amount };
  const page = /^https?:/.test(body.redirect_url) ? body.redirect_url : state.page;
  Object.assign(state, { id: body.transaction_id, status: body.status, page, changes: state.changes + 1 });
}

/** Links to the operations that can follow, whose forms then begin with the transaction. */
function next({ id, next: { byStatus, read } }, { status }) {
  const ids = [...(Object.hasOwn(byStatus, status) ? byStatus[status] : []), read].filter((one) => one !== id);
  if (ids.length === 0) return null;
  return html`
    <p>Next: ${ids.map((one, index) => html`${index > 0 && ' or '}<a key=${one} href=${withBase(`/${one}.html#try-it`)}>${one}</a>`)}</p>
  `;
}

function parsedJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function target(gateway, state) {
  const set = (name) => (event) => {
    settings[name] = event.target.value.trim().replace(/\/$/, '');
  };
  const entry = (name, label, placeholder) => html`
    <div class="input">
      <label for=${`try-${name}`}>${label}</label>
      <input id=${`try-${name}`} value=${settings[name]} placeholder=${placeholder} required autocomplete="off" spellcheck="false" onInput=${set(name)} />
    </div>
  `;
  const choose = (event) => {
    settings.target = event.target.value;
    // The transactions of one service are unknown to the other.
    Object.assign(settings, { known: {}, asked: undefined });
    Object.assign(state, EMPTY);
  };
  const targets = html`
    <div class="input">
      <label for="try-target">Send to</label>
      <select id="try-target" value=${settings.target} onChange=${choose}>
        ${Object.entries(TARGETS).map(([name, { label }]) => label && html`<option key=${name} value=${name}>${label}</option>`)}
      </select>
    </div>
  `;
  return html`
    <fieldset>
      ${gateway && html`<legend>Send to this gateway: ${settings.baseUrl}</legend>`}
      <div class="inputs">
        ${!gateway && targets} ${settings.target === 'own' && entry('baseUrl', 'Base URL', 'http://localhost:4000')}
        ${settings.target !== 'page' && entry('apiKey', 'API key', 'sk_test_…')}
      </div>
    </fieldset>
  `;
}

function examples({ requests }, { index }) {
  if (requests.length < 2) return null;
  const choose = ({ target }) => {
    chosenExample.value = requests[target.value].summary;
  };
  return html`
    <p class="input">
      <label for="try-example">Example</label>
      <select id="try-example" value=${index} onChange=${choose}>
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
