/**
 * Plays a walkthrough in a sandbox of its own, step by step. The address of the page holds the seed, the fault and the number
 * of steps, so that a link leads to the same state.
 */
import { withBase } from 'vitepress';
import { nextTick, onBeforeUnmount, onMounted, shallowReactive, useTemplateRef } from 'vue';
import { Behind } from './behind.js';
import { html } from './html.js';
import { newSandbox } from './page-sandbox.js';
import { pretty } from './response.js';
import { sandboxOf, serviceAt } from './service.js';

/** Things that can go wrong, besides declines: their labels, and their rules in the sandbox. */
const FAULTS = {
  'response-lost': {
    label: 'The first response gets lost',
    begin: ({ chaos }) => chaos.add({ fault: 'dropped_after', requests: 1 }),
  },
  'too-many': {
    label: 'The first request gets 429',
    begin: ({ chaos }) => chaos.add({ fault: 'rate_limited', requests: 1 }),
  },
  'webhooks-twice': {
    label: 'Each webhook comes twice',
    begin: ({ webhookFaults }) => webhookFaults.add({ fault: 'duplicate' }),
  },
  'webhooks-lost': {
    label: 'The first attempt of each webhook gets lost',
    begin: ({ webhookFaults }) => webhookFaults.add({ fault: 'drop' }),
  },
};
const POLL_MS = 100;
const POLLS_MAX = 100;

/** `from` is the state that a link leads to, as the parameters of its address. */
export const Player = {
  props: ['walkthrough', 'from'],
  setup({ walkthrough, from = {} }) {
    const state = shallowReactive({ ...blank(from.seed), fault: from.fault ?? '', drawing: '' });
    const drawing = useTemplateRef('drawing');
    let sandbox;
    const begin = async () => {
      await sandbox?.close();
      Object.assign(state, blank(state.seed), { busy: true });
      sandbox = await newSandbox({ seed: state.seed });
      const { url, key, fetch } = sandbox;
      const access = { baseUrl: url, apiKey: key, fetch };
      const service = serviceAt(access);
      Object.assign(state, { service, operations: sandboxOf(service, access), busy: false });
      await FAULTS[state.fault]?.begin(sandbox);
    };
    const next = async () => {
      if (!sandbox) await begin();
      state.busy = true;
      await carryOut(walkthrough, state, sandbox).catch((error) => {
        state.trouble = `No response: ${error.message}. The service may have done the work. Send the same request again.`;
      });
      state.busy = false;
      remember(walkthrough, state);
      mark(drawing.value, state.status);
    };
    const restart = async () => {
      await begin();
      remember(walkthrough, state);
      mark(drawing.value, state.status);
    };
    onMounted(async () => {
      const response = await fetch(withBase(`/${walkthrough.kind}-states-and-moves.svg`));
      state.drawing = response.ok ? await response.text() : '';
      await nextTick();
      mark(drawing.value, state.status);
      for (let steps = Number(from.steps ?? 0); steps > 0 && !state.ended; steps--) await next();
    });
    onBeforeUnmount(() => sandbox?.close());
    const choose = (event) => {
      state.fault = event.target.value;
      return restart();
    };
    return () => view(walkthrough, state, { next, restart, choose });
  },
};

function blank(seed) {
  const [random] = crypto.getRandomValues(new Uint32Array(1));
  return {
    seed: seed ?? random.toString(36),
    done: [],
    id: undefined,
    status: '',
    trouble: '',
    ended: false,
    busy: false,
  };
}

/** The next step: a request, or asking until the transaction has the status that is waited for. */
async function carryOut({ steps, kind, declines }, state, sandbox) {
  const step = steps[state.done.length];
  const fill = (text) =>
    text.replaceAll('{transaction_id}', state.id ?? '').replaceAll('{order_id}', `order-${state.seed}`);
  const body = step.body && withCustomer(JSON.parse(fill(JSON.stringify(step.body))), declines[state.fault]);
  const line = `${step.method} ${fill(step.target)}`;
  const send = async () => {
    const headers = { authorization: `Bearer ${sandbox.key}`, ...(body && { 'content-type': 'application/json' }) };
    const init = { method: step.method, headers, ...(body && { body: JSON.stringify(body) }) };
    const response = await sandbox.fetch(fill(step.target), init);
    return { code: response.status, json: await response.json() };
  };
  let answer = await send();
  for (let polls = 0; step.awaits && !hasCome(step, answer.json) && polls < POLLS_MAX; polls++) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    answer = await send();
  }
  const { code, json } = answer;
  if (code >= 400) {
    state.trouble = `${code}: ${json.title}. ${json.detail} Send the same request again, or start again.`;
    return;
  }
  const { transaction_id: id = state.id, status = state.status, decline_reason: reason } = json;
  const isOther = step.awaits && status !== step.awaits;
  Object.assign(state, {
    ...{ id, status, trouble: '' },
    done: [...state.done, { ...step, line, body, code, json }],
    ended: isOther || reason !== undefined || state.done.length + 1 === steps.length,
  });
  if (reason !== undefined) state.trouble = `The ${kind} is ${status}: ${reason}. The walkthrough ends here.`;
  else if (isOther) state.trouble = `The ${kind} is still ${status}.`;
}

/** FAILED ends the wait for any other status. */
function hasCome({ awaits }, { status }) {
  return status === awaits || status === 'FAILED';
}

/** A body for a customer whose transactions are declined. */
function withCustomer(body, id) {
  return id && body.customer ? { ...body, customer: { ...body.customer, id } } : body;
}

/** Puts the state into the address, without a step back in the history. */
function remember({ name }, { seed, fault, done }) {
  history.replaceState(history.state, '', linkTo({ play: name, seed, fault, steps: done.length }));
}

function linkTo(state) {
  const query = new URLSearchParams(Object.entries(state).filter(([, value]) => value !== ''));
  return `${location.pathname}?${query}${location.hash}`;
}

/** Marks the status in the drawing of all of them. */
function mark(drawing, status) {
  for (const one of drawing?.querySelectorAll('[data-state]') ?? [])
    one.classList.toggle('current', one.dataset.state === (status || 'start'));
}

function view({ title, steps, kind, declines, name }, state, { next, restart, choose }) {
  const { done, ended, busy, trouble, seed, fault, status, id } = state;
  const following = steps[done.length];
  const faults = [
    ['', 'Nothing'],
    ...Object.entries(FAULTS).map(([key, { label }]) => [key, label]),
    ...Object.keys(declines).map((code) => [code, `The ${kind} is declined: ${code}`]),
  ];
  return html`
    <section class="try-it-panel player" aria-label=${`Play: ${title}`}>
      <p class="input">
        <label for=${`fault-${name}`}>What goes wrong</label>
        <select id=${`fault-${name}`} value=${fault} onChange=${choose} disabled=${busy}>
          ${faults.map(([key, label]) => html`<option key=${key} value=${key}>${label}</option>`)}
        </select>
      </p>
      <ol class="steps">${done.map((step, index) => html`<${Done} key=${index} step=${step} />`)}</ol>
      <p class="actions">
        ${!ended && html`<button type="button" class="send" disabled=${busy} onClick=${next}>${done.length + 1}. ${following.title}</button>`}
        ${done.length > 0 && html`<button type="button" disabled=${busy} onClick=${restart}>Start again</button>`}
        ${busy && html`<span role="status">${done.length === 0 ? 'The sandbox is being loaded (0.7 MB) …' : 'Waiting …'}</span>`}
      </p>
      <p aria-live="polite" class=${trouble ? 'finding' : ''}>${trouble || (status && `The ${kind} is ${status}.`)}</p>
      <div class="drawing" ref="drawing" innerHTML=${state.drawing}></div>
      ${done.length > 0 && html`<p><a href=${linkTo({ play: name, seed, fault, steps: done.length })} target="_self">Link to this state</a></p>`}
      ${id && html`<${Behind} service=${state.service} sandbox=${state.operations} kind=${`${kind}s`} id=${id} declines=${Object.keys(declines)} />`}
    </section>
  `;
}

/** A step that was taken, with its messages. */
const Done = {
  props: ['step'],
  setup(props) {
    return () => {
      const { title, line, body, code, json } = props.step;
      const messages = [line, ...(body ? [JSON.stringify(body, null, 2)] : []), '', code, pretty(JSON.stringify(json))];
      return html`
        <li>
          <details>
            <summary>${title}: <code>${line.split('?')[0]}</code> <strong class="good">${code}</strong></summary>
            <pre tabindex="0" aria-label=${title}>${messages.join('\n')}</pre>
          </details>
        </li>
      `;
    };
  },
};
