/**
 * Plays a walkthrough step by step. The reader can let something go wrong at any time. The address of the page has the seed
 * and all that the reader did, so that it leads others to the same state.
 */
import { withBase } from 'vitepress';
import { nextTick, onBeforeUnmount, onMounted, shallowReactive, useTemplateRef } from 'vue';
import { Behind } from './behind.js';
import { Deliveries } from './deliveries.js';
import { FAULTS } from './faults.ts';
import { html } from './html.js';
import { newSandbox } from './page-sandbox.js';
import { ACTIONS_MAX, formatLink, freshSeed, NEXT, readLink } from './play-link.ts';
import { pretty } from './response.js';
import { BLANK, runWalkthrough } from './run-walkthrough.ts';

/** `drawing` is the SVG of all statuses; `link` is the query of an address that leads to a state, if one opened the player. */
export const Player = {
  props: ['walkthrough', 'drawing', 'link'],
  setup({ walkthrough, drawing, link }) {
    const state = shallowReactive({ ...blank(freshSeed()), injected: '', said: '', broken: '', busy: '' });
    const figure = useTemplateRef('figure');
    let run;
    /** Runs one action at a time and ignores others until it ends. */
    const during = (words, task) => async () => {
      if (state.busy) return;
      Object.assign(state, { busy: words, said: '', broken: '' });
      await task().catch((error) => {
        state.broken = `The sandbox doesn't work: ${error.message}`;
      });
      state.busy = '';
      history.replaceState(history.state, '', createAddress(walkthrough, state));
      await nextTick();
      mark(figure.value, state.progress.path);
    };
    const loading = () => (run ? 'Waiting …' : 'Loading the sandbox (0.7 MB) …');
    const perform = async (action) => {
      if (state.actions.length >= ACTIONS_MAX)
        throw new Error(`this is the most that a link can have, ${ACTIONS_MAX} actions`);
      run ??= await runWalkthrough(newSandbox, walkthrough, state.seed);
      const progress = await run.perform(action);
      Object.assign(state, { progress, service: run.service, sandbox: run.sandbox });
      if (!progress.isRefused) state.actions = [...state.actions, action];
      return !progress.isRefused;
    };
    /** Plays from the beginning. */
    const replay = async ({ seed, actions }) => {
      await run?.close();
      run = undefined;
      Object.assign(state, blank(seed));
      for (const action of actions) if (!(await perform(action))) return;
    };
    const play = {
      act: (action) => during(loading(), () => perform(action))(),
      back: () => during(loading(), () => replay({ seed: state.seed, actions: state.actions.slice(0, -1) }))(),
      restart: () => during(loading(), () => replay({ seed: freshSeed(), actions: [] }))(),
      copy: async () => {
        state.said = await navigator.clipboard.writeText(location.href).then(
          () => 'Copied.',
          () => 'Copy the address of this page.',
        );
      },
    };
    onMounted(async () => {
      if (!link) return mark(figure.value, []);
      try {
        const from = readLink(link, walkthrough);
        await during(loading(), () => replay(from))();
      } catch (error) {
        state.broken = error.message;
      }
    });
    onBeforeUnmount(() => run?.close());
    return () => view({ walkthrough, drawing }, state, play);
  },
};

function blank(seed) {
  return { seed, actions: [], progress: BLANK, service: undefined, sandbox: undefined };
}

function createAddress({ name }, play) {
  return `${location.pathname}${formatLink(name, play)}#play-${name}`;
}

/** Marks the status in the drawing of all of them, and the way there. */
function mark(figure, path) {
  const states = ['start', ...path];
  const moves = states.slice(1).map((status, index) => `${states[index]} ${status}`);
  for (const one of figure?.querySelectorAll('[data-state]') ?? []) {
    one.classList.toggle('current', one.dataset.state === states.at(-1));
    one.classList.toggle('passed', states.includes(one.dataset.state));
  }
  for (const one of figure?.querySelectorAll('[data-move]') ?? [])
    one.classList.toggle('passed', moves.includes(one.dataset.move));
}

function view({ walkthrough, drawing }, state, play) {
  const { title, name, kind, declines } = walkthrough;
  const { progress, sandbox, service } = state;
  return html`
    <section class="try-it-panel player" aria-label=${`Play: ${title}`}>
      ${controls(walkthrough, state, play)}
      <p class="news" aria-live="polite">${news(walkthrough, state)}</p>
      <ol class="steps" reversed aria-label="Completed steps, the last one first">
        ${progress.log.map((entry, index) => html`<${Entry} key=${`${index}-${entry.title}`} entry=${entry} isLast=${index === progress.log.length - 1} />`).reverse()}
      </ol>
      ${problems(walkthrough, state, play)}
      <div class="run">
        <div class="drawing" ref="figure" innerHTML=${drawing}></div>
        <${Deliveries} deliveries=${progress.deliveries} />
      </div>
      ${progress.id && html`<${Behind} key=${name} service=${service} sandbox=${recording(sandbox, play)} kind=${`${kind}s`} id=${progress.id} declines=${Object.keys(declines)} />`}
    </section>
  `;
}

function controls({ steps }, state, { act, back, restart, copy }) {
  const { progress, actions, busy } = state;
  const next = steps[progress.step];
  const main = progress.isOver ? 'Play again' : `${progress.step + 1}. ${plain(next.title)}`;
  return html`
    <div class="actions">
      <button type="button" class="send" aria-disabled=${String(!!busy)} onClick=${() => (progress.isOver ? restart() : act(NEXT))}>${main}</button>
      ${actions.length > 0 && html`<button type="button" onClick=${back}>Back</button>`}
      ${actions.length > 0 && !progress.isOver && html`<button type="button" onClick=${restart}>Start again</button>`}
      ${actions.length > 0 && html`<button type="button" onClick=${copy}>Copy the link to this state</button>`}
      <span role="status">${busy || state.said}</span>
    </div>
  `;
}

function problems({ name, kind, declines }, state, { act }) {
  const inject = (event) => {
    event.preventDefault();
    if (state.injected) act(state.injected);
  };
  return html`
    <form class="inject" onSubmit=${inject}>
      <label for=${`inject-${name}`}>Simulate a problem</label>
      <select id=${`inject-${name}`} value=${state.injected} onChange=${(event) => {
        state.injected = event.target.value;
      }}>
        <option value="">Choose one</option>
        <optgroup label=${`The ${kind} is declined`}>${Object.keys(declines).map((code) => html`<option key=${code} value=${`decline-${code}`}>${code}</option>`)}</optgroup>
        <optgroup label="Faults">${Object.entries(FAULTS).map(([fault, { label }]) => html`<option key=${fault} value=${`fault-${fault}`}>${label}</option>`)}</optgroup>
      </select>
      <button aria-disabled=${String(!!state.busy || !state.injected)}>Simulate</button>
    </form>
  `;
}

/** The state in a sentence. */
function news({ kind, steps, declines, declinePage }, { progress, broken }) {
  if (broken) return html`<span class="finding">${broken}</span>`;
  const { trouble, path, reason, customer, isOver, step } = progress;
  const status = path.at(-1);
  if (trouble) return html`<span class="finding">${trouble}</span>`;
  if (reason)
    return html`The ${kind} is <strong>${status}</strong>: <a href=${withBase(`/${declinePage}#${reason.toLowerCase()}`)}>${reason}</a>. ${declines[reason]?.action}`;
  if (!status && customer)
    return html`The customer of the ${kind} will be <code>${declines[customer].customer}</code>.`;
  if (!status) return `${steps.length} steps. Each is a request to a sandbox in this page.`;
  return html`The ${kind} is <strong>${status}</strong>.${isOver && ` All ${step} steps are done.`}`;
}

/** The operations of the sandbox as actions of the play, which its link has. */
function recording(sandbox, { act }) {
  const taken = (action) => act(action).then(() => ({}));
  return {
    ...sandbox,
    simulate: (_kind, _id, event, { decline_reason: code } = {}) => taken(code ? `${event}-${code}` : event),
    advance: (by) => taken(`later-${by}`),
  };
}

/** Something that the reader did, with the messages of a step. The last one is open. */
const Entry = {
  props: ['entry', 'isLast'],
  setup(props) {
    return () => {
      const { title, step, exchange } = props.entry;
      const name = step ? `${step}. ${plain(title)}` : title;
      if (!exchange) return html`<li class=${step ? '' : 'injected'}>${name}</li>`;
      const { line, body, status, json, error } = exchange;
      const request = [line, ...(body ? ['', pretty(JSON.stringify(body))] : [])].join('\n');
      const result = status ?? 'no response';
      return html`
        <li>
          <details open=${props.isLast}>
            <summary>${name} <strong class=${status < 400 ? 'good' : 'bad'}>${result}</strong></summary>
            <div class="exchange">
              <pre tabindex="0" aria-label=${`Request: ${name}`}>${request}</pre>
              <pre tabindex="0" aria-label=${`Response: ${name}`}>${error ?? pretty(JSON.stringify(json))}</pre>
            </div>
          </details>
        </li>
      `;
    };
  },
};

/** A title without the backticks of its code. */
function plain(title) {
  return title.replaceAll('`', '');
}
